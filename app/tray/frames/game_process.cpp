#include "app/tray/frames/game_process.h"

#include <filesystem>
#include <span>

#include "app/tray/session/last_line.h"
#include "platform/host/collector_choice.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

constexpr qsizetype kReadBytes = 256 << 10;
constexpr qsizetype kKeptErrorBytes = 2000;

GameClient::Time now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

GameProcess::GameProcess(const QString& folder, std::function<void()> begin, Take take, QObject* parent)
    : QObject(parent),
      m_folder(folder),
      m_begin(std::move(begin)),
      m_take(std::move(take)),
      m_buffer(kReadBytes, Qt::Uninitialized) {
  m_launch.setSingleShot(true);
  m_due.setSingleShot(true);
  connect(&m_launch, &QTimer::timeout, this, &GameProcess::launch);
  connect(&m_due, &QTimer::timeout, this, [this] {
    m_client->onTime(now());
    advance();
  });
  connect(&m_collector, &QProcess::readyReadStandardOutput, this, &GameProcess::readOutput);
  connect(&m_collector, &QProcess::readyReadStandardError, this,
          [this] { m_errors = (m_errors + m_collector.readAllStandardError()).right(kKeptErrorBytes); });
  connect(&m_collector, &QProcess::finished, this, &GameProcess::processEnded);
  connect(&m_collector, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      stop(tr("The collector cannot be started: %1.").arg(m_collector.errorString()));
  });
}

GameProcess::~GameProcess() {
  endCollector();
}

void GameProcess::start(const GameClientOptions& options) {
  endCollector();
  m_synthetic = options.synthetic;
  GameClientOwner& owner = *this;
  m_client = std::make_unique<GameClient>(owner, m_marks, options);
  m_client->begin(now());
  advance();
}

void GameProcess::stop(const QString& why) {
  if (!m_client || m_client->ended()) return;
  m_client->fail(why.toStdString());
  advance();
}

Result<void> GameProcess::startCollector(const std::vector<std::string>& arguments) {
  const auto collector = m_folder.isEmpty() ? chooseCollector(executableFolder(), grantedCollector())
                                            : chooseCollector(std::filesystem::path(m_folder.toStdU16String()), {});
  if (!collector) return tl::unexpected(collector.error());
  m_grantable = !m_synthetic && !collector->enable.empty();
  m_program = QString::fromStdU16String(collector->program.u16string());
  m_arguments.clear();
  for (const std::string& argument : arguments) m_arguments << QString::fromStdString(argument);
  m_begin();
  m_launch.start(0);
  return {};
}

void GameProcess::launch() {
  endCollector();
  m_errors.clear();
  m_collector.start(m_program, m_arguments, QIODevice::ReadOnly);
}

// A collector with more rights than ours may not be killed by us, but ends when its reader is gone.
void GameProcess::endCollector() {
  m_launch.stop();
  if (m_collector.state() == QProcess::NotRunning) return;
  const QSignalBlocker quiet(m_collector);
  m_collector.closeReadChannel(QProcess::StandardOutput);
  m_collector.kill();
  m_collector.waitForFinished(1000);
}

void GameProcess::readOutput() {
  m_collector.setReadChannel(QProcess::StandardOutput);
  while (m_collector.bytesAvailable() > 0 && !m_launch.isActive()) {
    const qint64 count = m_collector.read(m_buffer.data(), m_buffer.size());
    if (count <= 0) break;
    m_client->onBytes(std::as_bytes(std::span(m_buffer.constData(), static_cast<std::size_t>(count))), now());
  }
  advance();
}

void GameProcess::processEnded() {
  readOutput();
  if (m_launch.isActive()) return;  // the next collector is on its way
  QString said = lastLine(m_errors + m_collector.readAllStandardError());
  if (const QString name = QStringLiteral("faultline-collector: "); said.startsWith(name)) said = said.mid(name.size());
  QString sentence = said;
  if (said.isEmpty())
    sentence = m_collector.exitStatus() == QProcess::CrashExit
                   ? tr("The collector was killed.")
                   : tr("The collector ended with exit code %1.").arg(m_collector.exitCode());
  m_client->onCollectorEnd({said.toStdString(), sentence.toStdString()}, now());
  advance();
}

void GameProcess::advance() {
  m_due.stop();
  if (const auto due = m_client->due())
    m_due.start(std::max(std::chrono::ceil<std::chrono::milliseconds>(*due - now()), std::chrono::milliseconds(0)));
  Q_EMIT advanced();
}

}  // namespace faultline

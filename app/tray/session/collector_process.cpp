#include "app/tray/session/collector_process.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "platform/host/child_process.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

constexpr int kPatienceMs = 300;  // twice at most: the window stands still meanwhile
constexpr qsizetype kReadBytes = 256 << 10;
constexpr qsizetype kKeptErrorBytes = 2000;

}  // namespace

CollectorProcess::CollectorProcess(QString folder, QObject* parent)
    : QObject(parent), m_folder(std::move(folder)), m_buffer(kReadBytes, Qt::Uninitialized) {
  m_launch.setSingleShot(true);
  connect(&m_launch, &QTimer::timeout, this, &CollectorProcess::launch);
}

void CollectorProcess::connectProcess() {
  connect(m_process, &QProcess::readyReadStandardOutput, this, &CollectorProcess::readOutput);
  connect(m_process, &QProcess::readyReadStandardError, this, &CollectorProcess::readErrors);
  connect(m_process, &QProcess::finished, this, &CollectorProcess::processEnded);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      Q_EMIT refused(tr("The collector cannot be started: %1.").arg(m_process->errorString()));
  });
}

CollectorProcess::~CollectorProcess() {
  end();  // what has ended goes with us
}

Result<void> CollectorProcess::start(const std::vector<std::string>& arguments, bool elevated) {
  const std::filesystem::path folder(m_folder.toStdU16String());
  auto choice = folder.empty() ? chooseCollector(executableFolder(), grantedCollector()) : chooseCollector(folder, {});
  if (!choice) return tl::unexpected(std::move(choice.error()));
  m_choice = std::move(*choice);
  if (!folder.empty()) m_choice.enable = grantCommand(folder, m_choice.program);
  m_program = m_choice.program;
  m_arguments.clear();
  if (elevated) {
    auto starter = findProgram(folder.empty() ? executableFolder() : folder, "faultline-cli");
    if (!starter) return tl::unexpected(std::move(starter.error()));
    m_program = std::move(*starter);
    m_arguments << QStringLiteral("elevated") << QStringLiteral("--");
  }
  for (const std::string& argument : arguments) m_arguments << QString::fromStdString(argument);
  m_launch.start(0);
  return {};
}

void CollectorProcess::launch() {
  end();
  m_errors.clear();
  m_heard = steadyNow();
  m_memoryKills = memoryKills();
  m_process = new QProcess;
  connectProcess();
  m_process->start(QString::fromStdU16String(m_program.u16string()), m_arguments, QIODevice::ReadWrite);
  Q_EMIT launched();
}

// A collector with more rights than ours may not be killed by us, but ends when its reader is gone. A collector that
// takes longer than our patience, as on a busy machine, ends on its own: its QProcess stays until then, and tells us
// nothing.
void CollectorProcess::end() {
  m_launch.stop();
  QProcess* const old = std::exchange(m_process, nullptr);
  if (old == nullptr) return;
  old->disconnect(this);
  if (old->state() != QProcess::NotRunning) {
    old->closeReadChannel(QProcess::StandardOutput);
    const bool asked = askToEnd(static_cast<std::uint32_t>(old->processId()));
    if (!asked || !old->waitForFinished(kPatienceMs)) {
      old->kill();
      old->waitForFinished(kPatienceMs);
    }
  }
  if (old->state() != QProcess::NotRunning) {
    connect(old, &QProcess::finished, old, &QObject::deleteLater);
    return;
  }
  old->setParent(this);
  old->deleteLater();  // its own signal may have brought us here
}

void CollectorProcess::write(char byte) {
  if (m_process != nullptr && m_process->state() != QProcess::NotRunning) m_process->write(&byte, 1);
}

void CollectorProcess::readOutput() {
  m_process->setReadChannel(QProcess::StandardOutput);
  while (m_process != nullptr && m_process->bytesAvailable() > 0 && !m_launch.isActive()) {
    const qint64 count = m_process->read(m_buffer.data(), m_buffer.size());
    if (count <= 0) return;
    m_heard = steadyNow();
    Q_EMIT received(std::as_bytes(std::span(m_buffer.constData(), static_cast<std::size_t>(count))));
  }
}

void CollectorProcess::readErrors() {
  m_errors = (m_errors + m_process->readAllStandardError()).right(kKeptErrorBytes);
}

void CollectorProcess::processEnded() {
  readOutput();
  if (m_process == nullptr || m_launch.isActive()) return;  // ended meanwhile, or the next collector is on its way
  readErrors();
  const int code = m_process->exitCode();  // negative after a crash on Windows
  const bool bySignal = m_process->exitStatus() == QProcess::CrashExit && code > 0;
  const bool watches = !m_arguments.isEmpty() && m_arguments.first() == QStringLiteral("watch");
  const CollectorKill kill{.signal = bySignal ? code : 0,
                           .memoryWent = memoryKills() > m_memoryKills,
                           .silent = watches ? steadyNow() - m_heard : Nanoseconds(0)};
  Q_EMIT ended(collectorEnd(howEnded({.code = code, .signal = kill.signal}), m_errors.toStdString(), kill));
}

void wakeAt(QTimer& timer, std::optional<std::chrono::steady_clock::time_point> due) {
  timer.stop();
  if (due)
    timer.start(
        std::max(std::chrono::ceil<std::chrono::milliseconds>(*due - steadyNow()), std::chrono::milliseconds(0)));
}

}  // namespace faultline

#include "app/tray/session/live_source.h"

#include <algorithm>
#include <span>
#include <utility>

#include "app/tray/session/last_line.h"
#include "platform/host/programs.h"

namespace faultline {

namespace {

constexpr int kLongestWaitSeconds = 30;
constexpr qint64 kHealthyMs = 10'000;  // one that lived this long is tried again at once when it dies
constexpr qsizetype kReadBytes = 256 << 10;
constexpr qsizetype kKeptErrorBytes = 500;

}  // namespace

LiveSource::LiveSource(const QString& folder, QObject* parent)
    : QObject(parent), m_folder(folder), m_buffer(kReadBytes, Qt::Uninitialized) {
  m_second.setInterval(1000);
  m_silence.setSingleShot(true);
  connect(&m_second, &QTimer::timeout, this, &LiveSource::waited);
  connect(&m_silence, &QTimer::timeout, this,
          [this] { lose(tr("The collector has sent nothing for %1 s.").arg(m_silence.interval() / 1000)); });
  connect(&m_process, &QProcess::readyReadStandardOutput, this, &LiveSource::readOutput);
  connect(&m_process, &QProcess::readyReadStandardError, this, &LiveSource::readErrors);
  connect(&m_process, &QProcess::finished, this, &LiveSource::processEnded);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) lose(tr("The collector cannot be started: %1.").arg(m_process.errorString()));
  });
}

LiveSource::~LiveSource() {
  stop();
}

void LiveSource::start(const QStringList& arguments, std::chrono::milliseconds silence) {
  stop();
  m_arguments = arguments;
  m_silence.setInterval(silence);
  m_nextWaitSeconds = 1;
  launch();
}

void LiveSource::stop() {
  m_second.stop();
  m_reason.clear();
  kill();
}

QString LiveSource::trouble() const {
  if (m_reason.isEmpty()) return {};
  if (!m_second.isActive()) return tr("%1 Trying again now.").arg(m_reason);
  return tr("%1 Trying again in %2 s.").arg(m_reason).arg(m_waitSeconds);
}

void LiveSource::launch() {
  auto collector = m_folder.isEmpty() ? chooseCollector(executableFolder(), grantedCollector())
                                      : chooseCollector(std::filesystem::path(m_folder.toStdU16String()), {});
  if (!collector) {
    lose(tr("The program that measures is missing: %1").arg(QString::fromStdString(collector.error().message)));
    return;
  }
  m_collector = std::move(*collector);
  m_decoder = Decoder();
  m_errors.clear();
  m_sinceLaunch.start();
  m_silence.start();
  m_process.start(QString::fromStdU16String(m_collector.program.u16string()), m_arguments, QIODevice::ReadWrite);
  if (!m_active) passOnAttention();
}

void LiveSource::attend(bool active) {
  if (active == m_active) return;
  m_active = active;
  if (m_process.state() != QProcess::NotRunning) passOnAttention();
}

void LiveSource::passOnAttention() {
  m_process.write(m_active ? "+" : "-", 1);
}

// A collector with more rights than ours may not be killed by us, but ends when its reader is gone.
void LiveSource::kill() {
  m_silence.stop();
  if (m_process.state() == QProcess::NotRunning) return;
  const QSignalBlocker quiet(m_process);
  m_process.closeReadChannel(QProcess::StandardOutput);
  m_process.kill();
  m_process.waitForFinished(1000);
}

void LiveSource::readOutput() {
  m_process.setReadChannel(QProcess::StandardOutput);
  while (m_process.state() != QProcess::NotRunning || m_process.bytesAvailable() > 0) {
    const qint64 count = m_process.read(m_buffer.data(), m_buffer.size());
    if (count <= 0) return;
    m_decoder.feed(std::as_bytes(std::span(m_buffer.constData(), static_cast<std::size_t>(count))));
    decode();
  }
}

void LiveSource::decode() {
  while (m_process.state() != QProcess::NotRunning || m_decoder.bytesPending() > 0) {
    const Result<StreamEvent> event = m_decoder.next();
    if (!event) {
      if (m_decoder.failed()) return lose(QString::fromStdString(event.error().message));
      continue;  // damage is passed over
    }
    if (const auto* snapshotEvent = std::get_if<const Snapshot*>(&*event)) {
      m_silence.start();
      if (!m_reason.isEmpty()) {
        m_reason.clear();
        Q_EMIT troubleChanged();
      }
      Q_EMIT snapshot(**snapshotEvent);
    } else if (const auto* helloEvent = std::get_if<Hello>(&*event)) {
      Q_EMIT hello(*helloEvent);
    } else {
      return;  // hungry, or ended on purpose: then the process ends too
    }
  }
}

void LiveSource::readErrors() {
  m_errors += m_process.readAllStandardError();
  m_errors = m_errors.right(kKeptErrorBytes);
}

void LiveSource::processEnded() {
  readOutput();
  readErrors();
  const QString said = lastLine(m_errors);
  QString reason = m_process.exitStatus() == QProcess::CrashExit
                       ? tr("The collector was killed.")
                       : tr("The collector ended with exit code %1.").arg(m_process.exitCode());
  if (!said.isEmpty()) reason += QLatin1Char(' ') + tr("It said: “%1”").arg(said);
  lose(reason);
}

void LiveSource::lose(const QString& reason) {
  kill();
  m_reason = reason;
  if (m_sinceLaunch.isValid() && m_sinceLaunch.elapsed() >= kHealthyMs) m_nextWaitSeconds = 1;
  m_waitSeconds = m_nextWaitSeconds;
  m_nextWaitSeconds = std::min(2 * m_nextWaitSeconds, kLongestWaitSeconds);
  m_second.start();
  Q_EMIT troubleChanged();
}

void LiveSource::waited() {
  if (--m_waitSeconds <= 0) {
    m_second.stop();
    launch();
  }
  Q_EMIT troubleChanged();
}

}  // namespace faultline

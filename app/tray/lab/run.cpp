#include "app/tray/lab/run.h"

#include <QCoreApplication>

#include "app/tray/trial/program.h"
#include "core/lab/view/text.h"

namespace faultline {
namespace {

constexpr qsizetype kMostTrouble = 500;

}  // namespace

LabRun::LabRun(QString program, QObject* parent) : QObject(parent), m_program(std::move(program)) {
  m_process.setReadChannel(QProcess::StandardError);
  m_patience.setSingleShot(true);
  m_patience.setInterval(kEndPatienceMs);
  connect(&m_patience, &QTimer::timeout, &m_process, &QProcess::kill);
  connect(&m_process, &QProcess::readyReadStandardError, this, &LabRun::readLines);
  connect(&m_process, &QProcess::finished, this, &LabRun::processEnded);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      Q_EMIT ended({}, tr("The lab cannot be started: %1.").arg(m_process.errorString()));
  });
}

LabRun::~LabRun() {
  m_process.disconnect(this);
  endGently(m_process);
}

void LabRun::start(const QString& experiment, LabForm form) {
  if (running()) return;
  m_cancelled = false;
  m_trouble.clear();
  QStringList arguments{QStringLiteral("lab"),         experiment,
                        QStringLiteral("--format"),    QStringLiteral("json"),
                        QStringLiteral("--ends-with"), QString::number(QCoreApplication::applicationPid())};
  if (form != LabForm::Long) arguments << QStringLiteral("--quick");
  if (form == LabForm::Lanes) arguments << QStringLiteral("--lanes");
  m_process.start(terminalProgram(m_program), arguments, QIODevice::ReadOnly);
}

void LabRun::cancel() {
  if (!running() || m_cancelled) return;
  m_cancelled = true;
  m_process.terminate();
  m_patience.start();
}

void LabRun::readLines() {
  while (m_process.canReadLine()) takeLine(m_process.readLine().chopped(1));
}

void LabRun::takeLine(const QByteArray& line) {
  const QString sentence = withoutProgram(QString::fromUtf8(line));
  if (sentence.size() == QString::fromUtf8(line).size())
    if (const auto progress = parseLabProgress({line.constData(), static_cast<std::size_t>(line.size())}))
      return Q_EMIT progressed(*progress);
  m_trouble = (m_trouble + (m_trouble.isEmpty() ? QString() : QStringLiteral(" ")) + sentence).right(kMostTrouble);
}

void LabRun::processEnded(int code, QProcess::ExitStatus status) {
  m_patience.stop();
  readLines();
  if (m_cancelled) return Q_EMIT ended({}, {});
  const QByteArray document = m_process.readAllStandardOutput();
  std::vector<LabReport> reports;
  if (!document.isEmpty()) {
    auto read = parseLabJson({document.constData(), static_cast<std::size_t>(document.size())});
    if (read) reports = std::move(*read);
    else m_trouble = QString::fromStdString(read.error().message);
  }
  if (status == QProcess::CrashExit) m_trouble = tr("The lab was killed before it had a result.");
  else if (reports.empty() && m_trouble.isEmpty()) m_trouble = tr("The lab ended with code %1.").arg(code);
  Q_EMIT ended(reports, m_trouble);
}

}  // namespace faultline

#include "app/tray/trial/program.h"

#include "core/text/printable_text.h"
#include "platform/host/programs.h"

namespace faultline {

QString terminalProgram(const QString& wanted) {
  if (!wanted.isEmpty()) return wanted;
  const auto found = findProgram(executableFolder(), "faultline-cli");
  return found ? QString::fromStdU16String(found->u16string()) : QStringLiteral("faultline-cli");
}

QString withoutProgram(const QString& line) {
  const QString name = QStringLiteral("faultline-cli: ");
  return line.startsWith(name) ? line.mid(name.size()) : line;
}

QString saidBy(QProcess& process) {
  return withoutProgram(QString::fromStdString(lastLine(process.readAllStandardError().toStdString())));
}

void endGently(QProcess& process, int patienceMs) {
  if (process.state() == QProcess::NotRunning) return;
  process.terminate();
  if (process.waitForFinished(patienceMs)) return;
  process.kill();
  process.waitForFinished();
}

}  // namespace faultline

// The terminal program as a child process.
#pragma once

#include <QProcess>
#include <QString>

namespace faultline {

inline constexpr int kEndPatienceMs = 5000;  // faultline-cli itself waits 3 s for an experiment's end

// faultline-cli: `wanted`, or that beside this program, or that in PATH.
[[nodiscard]] QString terminalProgram(const QString& wanted);
// A line that it wrote to standard error, without the program's name.
[[nodiscard]] QString withoutProgram(const QString& line);
// The last line that a process has written to standard error.
[[nodiscard]] QString saidBy(QProcess& process);
// Asks a process that runs to end, waits, and kills it if it does not.
void endGently(QProcess& process, int patienceMs = kEndPatienceMs);

}  // namespace faultline

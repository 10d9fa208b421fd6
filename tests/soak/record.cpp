#include "tests/soak/record.h"

#include <QRegularExpression>
#include <cstdio>

namespace faultline::soak {
namespace {

Record* theRecord = nullptr;  // Qt's message handler has no argument of the user's

// A panel that dies takes the window into which the icon was embedded with it: Qt reports the X server's answer.
bool isOfDeadPanel(const QString& text) {
  return text.contains(QStringLiteral("QXcbConnection: XCB error: 3 (BadWindow)"));
}

// The monkey's own drag goes on where the window has become smaller.
bool isOfDrag(const QString& text) {
  return text.contains(QStringLiteral("occurs outside target window"));
}

// The session bus dies while Qt's icon waits for its answer, or registers.
bool isOfDeadBus(const QString& text) {
  return text.contains(QStringLiteral("QDBusTrayIcon encountered a D-Bus error")) ||
         (text.contains(QStringLiteral("failed to register")) && text.contains(QStringLiteral("StatusNotifierItem")));
}

// Qt takes a window for shown once the X server says so, also where it has been hidden since, and warns when it is
// shown again. The window is then shown as it should be.
bool isOfQuickHiding(const QString& text) {
  return text.contains(QStringLiteral("setNetWmStateOnUnmappedWindow() called on mapped window"));
}

bool isOfOthers(const QString& text) {
  return isOfDeadPanel(text) || isOfDeadBus(text) || isOfDrag(text) || isOfQuickHiding(text);
}

void take(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (type == QtDebugMsg || type == QtInfoMsg || isOfOthers(text)) return;
  const QString kind = QString(text).remove(QRegularExpression(QStringLiteral("0x[0-9a-f]+|[0-9]+")));
  theRecord->defect(QStringLiteral("Qt warns: ") + kind.left(80), qFormatLogMessage(type, context, text));
}

}  // namespace

Record::Record(const QString& file) : m_file(file) {
  if (!m_file.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
    std::fprintf(stderr, "monkey: cannot write %s\n", qPrintable(file));
}

void Record::act(const QString& what) {
  ++m_acts;
  ++m_kinds[what.section(u' ', 0, 0)];
  m_file.write(QStringLiteral("%1 %2\n").arg(m_acts).arg(what).toUtf8());
}

void Record::defect(const QString& kind, const QString& what) {
  if (m_defects[kind]++ > 0) return;
  m_file.write(QStringLiteral("DEFECT %1: %2\n").arg(kind, what).toUtf8());
  std::fprintf(stderr, "monkey: act %llu: %s: %s\n", static_cast<unsigned long long>(m_acts), qPrintable(kind),
               qPrintable(what));
}

void Record::printSummary() const {
  for (const auto& [kind, count] : m_kinds) std::printf("%8d %s\n", count, qPrintable(kind));
  for (const auto& [kind, count] : m_defects) std::printf("DEFECT %d times: %s\n", count, qPrintable(kind));
}

void recordWarnings(Record& record) {
  theRecord = &record;
  qInstallMessageHandler(take);
}

}  // namespace faultline::soak

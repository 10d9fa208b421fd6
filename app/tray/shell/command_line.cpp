#include "app/tray/shell/command_line.h"

#include <QCoreApplication>
#include <cstdio>
#include <cstdlib>

#include "platform/host/display.h"

namespace faultline {

void readCommandLine(QCommandLineParser& parser) {
  const QCommandLineOption help = parser.addHelpOption();
  const QCommandLineOption version = parser.addVersionOption();
  const bool understood = parser.parse(QCoreApplication::arguments());
  if (understood && !parser.isSet(help) && !parser.isSet(version)) return;
  if (!joinConsole()) parser.process(QCoreApplication::arguments());
  if (!understood) {
    std::fprintf(stderr, "faultline: %s\n", qPrintable(parser.errorText()));
    std::exit(EXIT_FAILURE);
  }
  const QString words = QStringLiteral("faultline " FAULTLINE_VERSION "\n");
  std::fputs(qPrintable(parser.isSet(help) ? parser.helpText() : words), stdout);
  std::exit(EXIT_SUCCESS);
}

}  // namespace faultline

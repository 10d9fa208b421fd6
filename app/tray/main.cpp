// faultline: the tray app. Parses the command line.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLocale>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "app/tray/shell/application.h"
#include "app/tray/shell/command_line.h"
#include "app/tray/shell/display_guard.h"
#include "app/tray/widgets/number_locale.h"
#include "platform/host/signals.h"

namespace {

// 0 if the option is not set. Ends the program if its value is not a whole number from 1 on.
unsigned countOf(const QCommandLineParser& arguments, const QCommandLineOption& option) {
  const QString text = arguments.value(option);
  const unsigned count = text.toUInt();
  if (count > 0 || !arguments.isSet(option)) return count;
  std::fprintf(stderr, "faultline: --%s must be a whole number from 1 on, not '%s'\n",
               qPrintable(option.names().constFirst()), qPrintable(text));
  std::exit(EXIT_FAILURE);
}

}  // namespace

int main(int argc, char** argv) {
  faultline::settleSignals();
  std::optional<faultline::DisplayGuard> guard(std::in_place, argc, argv);
  QApplication qt(argc, argv);
  guard.reset();
  faultline::writeNumbersLike(QLocale(), QApplication::layoutDirection());
  QApplication::setApplicationName(QStringLiteral("faultline"));
  QApplication::setApplicationDisplayName(QStringLiteral("Faultline"));
  QApplication::setApplicationVersion(QStringLiteral(FAULTLINE_VERSION));
  QApplication::setOrganizationName(QStringLiteral("faultline"));
  QApplication::setDesktopFileName(QStringLiteral("faultline"));
  QApplication::setQuitOnLastWindowClosed(false);
  QApplication::setWindowIcon(
      QIcon::fromTheme(QStringLiteral("faultline"), QIcon(QStringLiteral(":/icons/" FAULTLINE_ICON))));

  QCommandLineParser arguments;
  arguments.setApplicationDescription(
      QStringLiteral("A real-time zero-page and page-fault monitor that lives in the tray."));
  const QCommandLineOption synthetic(
      QStringLiteral("synthetic"), QStringLiteral("Show a synthetic machine (sine, step, burst) instead of this one."));
  const QCommandLineOption windows(QStringLiteral("synthetic-windows"),
                                   QStringLiteral("The same, with the numbers of Windows."));
  const QCommandLineOption hidden(QStringLiteral("hidden"), QStringLiteral("Start in the tray, without the window."));
  const QCommandLineOption screenshot(QStringLiteral("screenshot"),
                                      QStringLiteral("Render the window to a PNG file and exit."),
                                      QStringLiteral("file"));
  const QCommandLineOption after(QStringLiteral("after"),
                                 QStringLiteral("Take the screenshot after this many snapshots (default: 8)."),
                                 QStringLiteral("snapshots"), QStringLiteral("8"));
  const QCommandLineOption frames(
      QStringLiteral("frames"),
      QStringLiteral("Also show the frames of this process; with --synthetic, of a synthetic game. A screenshot then "
                     "shows the frames, after as many seconds as --after says."),
      QStringLiteral("pid"));
  const QCommandLineOption lab(QStringLiteral("lab"), QStringLiteral("Show the lab in place of the processes."));
  const QCommandLineOption labResult(QStringLiteral("lab-result"), QStringLiteral("Show this saved result of the lab."),
                                     QStringLiteral("file"));
  arguments.addOptions({synthetic, windows, hidden, screenshot, after, frames, lab, labResult});
  arguments.addPositionalArgument(QStringLiteral("recording"), QStringLiteral("A recording to open."),
                                  QStringLiteral("[recording]"));
  arguments.addPositionalArgument(QStringLiteral("beside"), QStringLiteral("Another one to show beside it."),
                                  QStringLiteral("[beside]"));
  faultline::readCommandLine(arguments);

  faultline::StartOptions options;
  options.windows = arguments.isSet(windows);
  options.synthetic = options.windows || arguments.isSet(synthetic);
  options.hidden = arguments.isSet(hidden);
  options.screenshot = arguments.value(screenshot);
  options.screenshotAfter = countOf(arguments, after);
  options.frames = countOf(arguments, frames);
  options.labResult = arguments.value(labResult);
  options.lab = arguments.isSet(lab) || arguments.isSet(labResult);
  options.recording = arguments.positionalArguments().value(0);
  options.beside = arguments.positionalArguments().value(1);
  return faultline::runApplication(options);
}

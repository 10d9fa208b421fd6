// faultline: the tray app. Wires session, window and tray icon together; everything else is in their own files.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLocale>
#include <optional>

#include "app/tray/shell/application.h"
#include "app/tray/shell/display_guard.h"
#include "app/tray/widgets/number_locale.h"

int main(int argc, char** argv) {
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
      QIcon::fromTheme(QStringLiteral("faultline"), QIcon(QStringLiteral(":/icons/faultline.svg"))));

  QCommandLineParser arguments;
  arguments.setApplicationDescription(
      QStringLiteral("A real-time zero-page and page-fault monitor that lives in the tray."));
  const QCommandLineOption synthetic(
      QStringLiteral("synthetic"), QStringLiteral("Show a synthetic machine (sine, step, burst) instead of this one."));
  const QCommandLineOption hidden(QStringLiteral("hidden"), QStringLiteral("Start in the tray, without the window."));
  const QCommandLineOption screenshot(QStringLiteral("screenshot"),
                                      QStringLiteral("Render the window to a PNG file and leave."),
                                      QStringLiteral("file"));
  const QCommandLineOption after(QStringLiteral("after"),
                                 QStringLiteral("Take the screenshot after that many snapshots (default 8)."),
                                 QStringLiteral("snapshots"), QStringLiteral("8"));
  const QCommandLineOption frames(
      QStringLiteral("frames"),
      QStringLiteral("Show the frames of that process, too; with --synthetic, those of a synthetic "
                     "game. A screenshot is then one of them, after that many seconds."),
      QStringLiteral("pid"));
  arguments.addOptions({synthetic, hidden, screenshot, after, frames});
  arguments.addPositionalArgument(QStringLiteral("recording"), QStringLiteral("A recording to open."),
                                  QStringLiteral("[recording]"));
  arguments.addHelpOption();
  arguments.addVersionOption();
  arguments.process(qt);

  faultline::StartOptions options;
  options.synthetic = arguments.isSet(synthetic);
  options.hidden = arguments.isSet(hidden);
  options.screenshot = arguments.value(screenshot);
  options.screenshotAfter = arguments.value(after).toInt();
  options.frames = arguments.value(frames).toUInt();
  options.recording = arguments.positionalArguments().value(0);
  return faultline::runApplication(options);
}

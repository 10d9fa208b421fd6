#include "app/tray/shell/display_guard.h"

#include <QApplication>
#include <QByteArray>
#include <QDir>
#include <QString>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "platform/host/display.h"

namespace faultline {
namespace {

bool showsNothing(std::string_view argument) {
  constexpr std::array<std::string_view, 5> kExact{"-h", "--help", "--help-all", "-v", "--version"};
  return std::ranges::find(kExact, argument) != kExact.end() || argument.starts_with("--screenshot");
}

bool hasPlugin(const QString& platform) {
  const QStringList folders = QCoreApplication::libraryPaths() << qEnvironmentVariable("QT_QPA_PLATFORM_PLUGIN_PATH");
  return std::ranges::any_of(folders, [&](const QString& folder) {
    const QStringList pattern{QStringLiteral("libq") + platform + QStringLiteral("*.so")};
    return !QDir(folder + QStringLiteral("/platforms")).entryList(pattern).isEmpty() ||
           (!folder.isEmpty() && !QDir(folder).entryList(pattern).isEmpty());
  });
}

void tellWithoutAborting(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (type != QtFatalMsg) {
    std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, context, text)));
    return;
  }
  const std::string_view why = whyNoWindow(hasPlugin(QStringLiteral("wayland")));
  std::fprintf(stderr, "faultline: %.*s. In a terminal, use: faultline-cli top\n", static_cast<int>(why.size()),
               why.data());
  std::_Exit(kNoDisplay);
}

}  // namespace

DisplayGuard::DisplayGuard(int argc, const char* const* argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  const bool silent = std::ranges::any_of(arguments, showsNothing);
  const DisplayChoice choice = displayChoice();
  const char* const platform = silent && !displayNamed() ? "offscreen" : choice.platform;
  if (platform != nullptr && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", platform);
  if (choice.style != nullptr) QApplication::setStyle(QString::fromLatin1(choice.style));
  if (silent) joinConsole();
  qInstallMessageHandler(tellWithoutAborting);
}

DisplayGuard::~DisplayGuard() {
  qInstallMessageHandler(nullptr);
}

}  // namespace faultline

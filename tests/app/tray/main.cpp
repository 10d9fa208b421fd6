// One QApplication without a display for all tests of the tray app, with a temporary home.
#include <QApplication>
#include <QTemporaryDir>
#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  const QTemporaryDir home;
  for (const char* variable : {"HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
    qputenv(variable, home.path().toUtf8());
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  int qtArgc = 1;
  const QApplication app(qtArgc, argv);
  return Catch::Session().run(argc, argv);
}

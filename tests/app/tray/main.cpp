// One QApplication without a display for all tests of the tray app.
#include <QApplication>
#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  int qtArgc = 1;
  const QApplication app(qtArgc, argv);
  return Catch::Session().run(argc, argv);
}

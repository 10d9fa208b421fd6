#include <QApplication>
#include <QClipboard>
#include <QTest>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/trial/try_dialog.h"

namespace faultline {

TEST_CASE("The command that tries an advice is shown with the game's own words, can be changed, and is copied") {
  TryDialog dialog(Advice{.kind = AdviceKind::Keep}, {"/games/my game", "--level", "3"});
  dialog.show();
  CHECK(dialog.command().endsWith(
      QStringLiteral("faultline-cli try --frames --with keep --with huge-keep -- '/games/my game' --level 3")));
  auto* const command = dialog.findChild<QPlainTextEdit*>();
  command->setPlainText(QStringLiteral("faultline-cli try --frames --with keep -- /games/other"));
  QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("copy")), Qt::LeftButton);
  CHECK(QApplication::clipboard()->text() == QStringLiteral("faultline-cli try --frames --with keep -- /games/other"));
  CHECK(dialog.findChild<QLabel*>(QStringLiteral("result"))->text() == QStringLiteral("Copied."));
}

TEST_CASE("The command that tries all remedies on a program has its own words") {
  const TryDialog dialog(std::vector<std::string>{"/usr/bin/sort", "a b"});
  CHECK(dialog.command().endsWith(QStringLiteral("faultline-cli try -- /usr/bin/sort 'a b'")));
  const TryDialog unknown(std::vector<std::string>{});
  CHECK(unknown.command().endsWith(QStringLiteral("faultline-cli try -- PROGRAM")));
}

}  // namespace faultline

#include <QApplication>
#include <QClipboard>
#include <QTest>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/trial/try_dialog.h"
#include "tests/app/tray/wait_until.h"

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

namespace {

// A dialog whose command was typed anew.
struct Typed {
  explicit Typed(const char* words) {
    dialog.findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral(FAULTLINE_BIN "/faultline-cli ") +
                                                      QString::fromUtf8(words));
    dialog.show();
  }
  [[nodiscard]] QString result() const { return dialog.findChild<QLabel*>(QStringLiteral("result"))->text(); }
  QPushButton& here() { return *dialog.findChild<QPushButton*>(QStringLiteral("here")); }

  TryDialog dialog{std::vector<std::string>{}};
};

}  // namespace

TEST_CASE("A trial runs in the window, which shows its progress, its advice, its gains and its report") {
  Typed f("try --with keep --rounds 7 -- true");
  f.here().click();
  auto& progress = *f.dialog.findChild<QProgressBar*>();
  CHECK(waitUntil([&] { return progress.isVisible() && progress.maximum() == 22; }));  // 4 rounds more for memory
  CHECK(f.here().text().remove(u'&') == QStringLiteral("Cancel"));
  REQUIRE(waitUntil([&] { return !progress.isVisible(); }));
  INFO(f.result().toStdString());
  CHECK(f.result().contains(QStringLiteral("remedy")));
  CHECK(f.dialog.findChild<GainChart*>()->isVisible());
  CHECK(f.dialog.findChild<GainChart*>()->spoken().startsWith(QStringLiteral("keep saves ")));
  const QString report = f.dialog.findChild<QTextBrowser*>()->toPlainText();
  CHECK(report.contains(QStringLiteral("7 of 7 rounds")));
  CHECK(report.contains(QStringLiteral("(none)")));
  CHECK(f.here().text().remove(u'&') == QStringLiteral("Run here"));
}

TEST_CASE("A trial in the window is cancelled, tells why it has no report, and runs no other command") {
  Typed f("try --with keep -- sleep 100");
  f.here().click();
  CHECK(waitUntil([&] { return f.dialog.findChild<QProgressBar*>()->isVisible(); }));
  f.here().click();
  REQUIRE(waitUntil([&] { return !f.dialog.findChild<QProgressBar*>()->isVisible(); }));
  CHECK(f.result() == QStringLiteral("Cancelled before a round was complete."));
  CHECK_FALSE(f.dialog.findChild<QTextBrowser*>()->isVisible());

  Typed missing("try --with keep -- /nowhere/program");
  missing.here().click();
  REQUIRE(waitUntil([&] { return !missing.dialog.findChild<QProgressBar*>()->isVisible(); }));
  CHECK(missing.result().contains(QStringLiteral("/nowhere/program")));

  CHECK(commandForWindow(QStringLiteral("rm -r x; faultline-cli try -- true")).isEmpty());
  CHECK(commandForWindow(QStringLiteral("faultline-cli top")).isEmpty());
  CHECK(commandForWindow(QStringLiteral("'/my tools/faultline-cli'  try\n -- true"))
            .startsWith(QStringLiteral("exec '/my tools/faultline-cli' try --format json --ends-with ")));
}

}  // namespace faultline

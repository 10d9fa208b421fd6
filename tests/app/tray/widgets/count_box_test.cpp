#include "app/tray/widgets/count_box.h"

#include <QLineEdit>
#include <QTest>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("A number is shown in groups of three, and may be typed with spaces or without") {
  CountBox box;
  box.setRange(1, 1'000'000'000);
  box.setSuffix(QStringLiteral(" minor faults/s"));
  box.setValue(50'000);
  CHECK(box.text() == QStringLiteral("50\u202f000 minor faults/s"));
  auto& line = *box.findChild<QLineEdit*>();
  const auto typed = [&](const char* text) {
    line.selectAll();
    QTest::keyClicks(&line, QString::fromUtf8(text));
    QTest::keyClick(&line, Qt::Key_Return);
    return box.value();
  };
  CHECK(typed("1234567") == 1'234'567);
  CHECK(box.text() == QStringLiteral("1\u202f234\u202f567 minor faults/s"));
  CHECK(typed("20 000") == 20'000);
  CHECK(typed("7 minor faults/s") == 7);
  CHECK(typed("much") == 7);
  line.setText(QStringLiteral("50\u202f000 minor faults/s"));
  line.setCursorPosition(6);
  QTest::keyClick(&line, Qt::Key_Backspace);  // a digit of a number shown in groups
  QTest::keyClick(&line, Qt::Key_Return);
  CHECK(box.value() == 5000);
}

#include "app/tray/frames/controls.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <vector>

namespace faultline {

namespace {

using namespace std::chrono_literals;

QComboBox* boxOf(const FrameControls& controls, const char* name) {
  for (QComboBox* const box : controls.findChildren<QComboBox*>())
    if (box->accessibleName() == QString::fromLatin1(name)) return box;
  throw std::out_of_range(name);
}

}  // namespace

TEST_CASE("The budget is the first number of the typed text, with a point or a comma") {
  CHECK(parseBudget(QStringLiteral("16.7 ms, 60 Hz")) == Nanoseconds(16'700us));
  CHECK(parseBudget(QStringLiteral(" 5 ")) == Nanoseconds(5ms));
  CHECK(parseBudget(QStringLiteral("6,9 ms")) == Nanoseconds(6'900us));
}

TEST_CASE("A budget is a number within the limits") {
  for (const char* text : {"", "much", "0", "-3", "0.01", "1000000", "ms 5"})
    CHECK_FALSE(parseBudget(QString::fromLatin1(text)).has_value());
}

TEST_CASE("The end of a frame is a mark, a function or a rate") {
  CHECK(parseFrameEnd(QStringLiteral("render")).mark == "render");
  CHECK(parseFrameEnd(QStringLiteral(" libSDL2:SDL_GL_SwapWindow ")).mark == "libSDL2:SDL_GL_SwapWindow");
  CHECK(parseFrameEnd(QStringLiteral("60 Hz")).rate == 60);
  CHECK(parseFrameEnd(QStringLiteral("144hz")).rate == 144);
  CHECK(parseFrameEnd(QStringLiteral("9999 Hz")).rate == 0);
  CHECK(parseFrameEnd(QStringLiteral("60 Hz")).mark.empty());
  CHECK(parseFrameEnd(QStringLiteral("automatic end")).mark.empty());
  CHECK(parseFrameEnd({}).mark.empty());
}

TEST_CASE("An end of a frame that is chosen or typed is told once") {
  FrameControls controls(SampleMode::None);
  controls.offerEnds({QStringLiteral("audio"), QStringLiteral("60 Hz")});
  controls.offerEnds({QStringLiteral("audio"), QStringLiteral("render")});
  QComboBox* const box = boxOf(controls, "End of a frame");
  CHECK(box->count() == 4);
  QStringList told;
  QObject::connect(&controls, &FrameControls::endTyped, [&](const QString& end) { told << end; });
  box->setCurrentText(QStringLiteral("audio"));
  QTest::keyClick(box->lineEdit(), Qt::Key_Return);
  QTest::keyClick(box->lineEdit(), Qt::Key_Return);
  CHECK(told == QStringList{QStringLiteral("audio")});
}

TEST_CASE("A delay of faults is chosen from a list, and none at first") {
  FrameControls controls(SampleMode::None);
  QComboBox* const box = boxOf(controls, "Delays of faults");
  CHECK(box->currentText() == QStringLiteral("no delay"));
  std::vector<qint64> told;
  QObject::connect(&controls, &FrameControls::delayChosen, [&](qint64 delay) { told.push_back(delay); });
  for (const int index : {box->findText(QStringLiteral("2 µs a fault")), 0}) Q_EMIT box->activated(index);
  CHECK(told == std::vector<qint64>{2000, 0});
}

}  // namespace faultline

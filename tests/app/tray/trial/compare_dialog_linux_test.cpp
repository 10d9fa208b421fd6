#include <QApplication>
#include <QClipboard>
#include <QTest>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/trial/compare_dialog.h"
#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

QByteArray framesCsv(int lateOf, int faults) {
  QByteArray csv = "frame,duration_ns,minor_faults,major_faults,fault_ns,late_by_faults,culprit\n";
  for (int i = 1; i <= 1000; ++i) {
    const bool late = i % lateOf == 0;
    csv += QByteArray::number(i) + (late ? ",30000000," : ",10000000,") +
           QByteArray::number(late ? 8192 : faults + i % 3) + ",0,50000," + (late ? "1,\n" : "0,\n");
  }
  return csv;
}

struct Compared {
  Compared(const QByteArray& before, const QByteArray& after)
      : dialog({QStringLiteral("monday"), folder.write("before.csv", before)},
               {QStringLiteral("now"), folder.write("after.csv", after)}, kBudget, nullptr,
               QStringLiteral(FAULTLINE_BIN "/faultline-cli")) {
    dialog.show();
  }
  [[nodiscard]] bool shows(const char* words) const {
    return waitUntil([&] {
      for (const QLabel* const label : dialog.findChildren<QLabel*>())
        if (label->text().contains(QString::fromUtf8(words))) return true;
      return false;
    });
  }
  QPushButton& button(const char* name) {
    for (QPushButton* const each : dialog.findChildren<QPushButton*>())
      if (each->text().remove(u'&') == QString::fromLatin1(name)) return *each;
    throw 0;
  }

  static constexpr Nanoseconds kBudget{16'700'000};
  const TestFolder folder;
  CompareDialog dialog;
};

}  // namespace

TEST_CASE("Two runs are compared in a dialog, with a bar of each cost, and can be swapped") {
  Compared f(framesCsv(500, 16), framesCsv(50, 32));
  REQUIRE(f.shows("Worse: 2.0 to 20.0 of 1000 frames late because of page faults"));
  CHECK(f.shows("Before: monday\nAfter: now"));
  auto& costs = *f.dialog.findChild<GainChart*>();
  CHECK(costs.isVisible());
  CHECK(costs.spoken().contains(QStringLiteral("Page faults of a usual frame: 9")));
  CHECK(f.dialog.report().contains(QStringLiteral("after: 1\u202f000 frames")));
  f.button("Copy").click();
  CHECK(QApplication::clipboard()->text().startsWith(QStringLiteral("Before: monday\nAfter: now\n")));
  f.button("Swap the runs").click();
  REQUIRE(f.shows("Better: 20.0 to 2.0 of 1000 frames late because of page faults"));
  CHECK(f.shows("Before: now\nAfter: monday"));
  CHECK(costs.spoken().contains(QStringLiteral("Page faults of a usual frame: 4")));
}

TEST_CASE("A file without frames is refused in the words of faultline-cli, and a missing one, too") {
  Compared none("not,frames\n", framesCsv(50, 16));
  CHECK(none.shows("is no file of 'faultline-cli frames --csv'"));
  CHECK_FALSE(none.dialog.findChild<GainChart*>()->isVisible());
  CHECK_FALSE(none.button("Copy").isEnabled());
  CompareDialog missing({{}, none.folder.path("a.csv")}, {{}, none.folder.path("b.csv")}, Compared::kBudget, nullptr,
                        none.folder.path("nowhere"));
  CHECK(waitUntil([&] { return missing.findChildren<QLabel*>().at(1)->text().contains(QStringLiteral("cannot")); }));
}

TEST_CASE("A comparison of anything but frames is none") {
  CHECK_FALSE(readCompareResult("").has_value());
  CHECK_FALSE(readCompareResult(R"({"compare": {"programs": []}})").has_value());
  const auto result = readCompareResult(
      R"({"compare": {"text": ["No."], "costs": [{"title": "A", "decides": true, "change": 0.5, "change_low": 0.4,
          "change_high": 0.6}, {"title": "B", "decides": false, "change": 1}, {"title": "C", "decides": true,
          "change": null}]}})");
  REQUIRE(result.has_value());
  REQUIRE(result->costs.size() == 1);
  CHECK(result->costs.front().share.low == -0.6);
}

}  // namespace faultline

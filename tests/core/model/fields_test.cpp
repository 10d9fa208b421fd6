// The field table is consistent, and the manual page lists the same metrics.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "core/model/metric.h"
#include "core/model/names.h"

using namespace faultline;

namespace {

// The manual page's list. No meaning begins with a dot or an apostrophe, as roff requests do.
template <class Fields>
std::string listed(const Fields& fields, bool rates) {
  std::string out;
  for (std::size_t number = 0; number < fields.size(); ++number) {
    const auto metric = static_cast<decltype(fields[0].metric)>(number);
    const auto& row = field(metric);
    out += ".TP\n.BR " + std::string(row.name);
    if (rates && row.kind == MetricKind::Counter) out += " , \" " + std::string(row.name) + "_per_s\"";
    out += "\n" + std::string(row.meaning);
    if (row.systems != Systems::All) out += row.systems == Systems::Linux ? " Linux only." : " Windows only.";
    if (row.needs == Needs::Privilege) out += " Needs the collector's capabilities.";
    out += "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("Names of metrics, of columns and of sort orders are unique") {
  std::set<std::string_view> names;
  std::set<std::string_view> titles;
  std::set<std::string_view> sorts;
  std::set<int> importances;
  for (const auto& row : kSystemFields) CHECK(names.insert(row.name).second);
  for (const auto& row : kProcessFields) {
    CHECK(names.insert(row.name).second);
    CHECK((row.rate.title.empty() || row.kind == MetricKind::Counter));
    CHECK((row.line.plot == Plot::None || row.kept));
    for (const MetricColumn* column : {&row.rate, &row.level}) {
      if (column->title.empty()) continue;
      CHECK(titles.insert(column->title).second);
      CHECK((column->sort.empty() || sorts.insert(column->sort).second));
      CHECK((column->width == 0 || importances.insert(column->importance).second));
    }
  }
}

TEST_CASE("History lists metrics that need no privilege first") {
  bool privileged = false;
  for (const ProcessMetric metric : kKeptMetrics) {
    CHECK(field(metric).kept);
    CHECK_FALSE((privileged && field(metric).needs == Needs::Nothing));
    privileged = field(metric).needs == Needs::Privilege;
  }
  CHECK(keptPlace(ProcessMetric::Threads) == kKeptCount);
}

TEST_CASE("The manual page lists the columns of the field table") {
  std::ostringstream page;
  page << std::ifstream(FAULTLINE_FIXTURES "/../../resources/man/faultline-cli.1").rdbuf();
  const std::string expected = ".SS Numbers of each process\n" + listed(kProcessFields, true) +
                               ".SS Numbers of the machine and the collector (JSON)\n" + listed(kSystemFields, true) +
                               ".SS Numbers of each frame\n";
  INFO(expected);
  CHECK(page.str().find(expected) != std::string::npos);
}

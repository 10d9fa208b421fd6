#include "app/cli/top/table.h"

#include <catch2/catch_test_macros.hpp>

#include "app/cli/text/width.h"
#include "tests/app/cli/staged_monitor.h"

using namespace faultline;

namespace {

std::string drawn(const Monitor& monitor, int columns, SortBy sort, const Paint& paint = Paint(false)) {
  const TopTable table(monitor, monitor.now(), columns, paint);
  std::string text = table.header(sort) + "|\n";
  for (const ProcessRow* row : orderedRows(monitor, monitor.now(), sort, "")) text += table.row(*row) + "|\n";
  return text;
}

}  // namespace

TEST_CASE("The table of top, character by character") {
  const Monitor monitor = test::stagedMonitor();
  CHECK(drawn(monitor, 130, SortBy{}) ==
        "    pid  process             ▾minor/s   major/s    peak/s  last minute              commit   resident     "
        "total minor  total major|\n"
        "     42  game                  8.19 k         0    8.19 k                     ▅   1.50 GiB   42.0 MiB         "
        "  9 192            0|\n"
        "     99  日本語の名前               0         0         0                              0 B   99.0 MiB         "
        "     12            0|\n"
        "      7  two\\nlines                 0         0         0                                –   7.00 MiB        "
        "      50            3|\n");
  CHECK(drawn(monitor, 60, SortBy{.metric = ProcessMetric::ResidentBytes}) ==
        "    pid  process                 minor/s   major/s    peak/s|\n"
        "     99  日本語の名前                  0         0         0|\n"
        "     42  game                     8.19 k         0    8.19 k|\n"
        "      7  two\\nlines                    0         0         0|\n");
  CHECK(drawn(monitor, 20, SortBy{SortBy::Column::Name}) ==
        "▾process     minor/s|\n"
        "game          8.19 k|\n"
        "two\\nlines         0|\n"
        "日本語の…          0|\n");
  CHECK(drawn(monitor, 19, SortBy{SortBy::Column::Name}) ==
        "▾process           |\n"
        "game               |\n"
        "two\\nlines         |\n"
        "日本語の名前       |\n");
}

TEST_CASE("Fault time and zeroed bytes have columns where they are measured, and ended processes are dim") {
  Monitor monitor;
  Hello hello = test::stagedHello();
  for (Quality& quality : hello.process) quality.grade = Grade::Exact;
  monitor.ingest(hello);
  Snapshot snapshot;
  snapshot.time = {std::chrono::seconds(10)};
  ProcessSample game{{42, 1}, "game", {}};
  ProcessSample compiler{{77, 10'100'000'000}, "cc1plus", {}};
  for (const ProcessMetric metric :
       {ProcessMetric::MinorFaults, ProcessMetric::FaultTime, ProcessMetric::ZeroedBytes}) {
    game.values.set(metric, 1000);
    compiler.values.set(metric, 3'000'000);
  }
  snapshot.processes = {game};
  monitor.ingest(snapshot);
  snapshot.time = {std::chrono::seconds(11)};
  snapshot.processes[0].values.set(ProcessMetric::FaultTime, 12'401'000);
  snapshot.exited = {compiler};
  monitor.ingest(snapshot);
  CHECK(drawn(monitor, 94, SortBy{.metric = ProcessMetric::FaultTime}) ==
        "    pid  process              minor/s   major/s    peak/s  ▾fault time/s   zeroed/s     commit|\n"
        "     42  game                       0         –         0        12.4 ms        0 B          –|\n"
        "     77  ◆ cc1plus · ended     3.00 M         –    3.00 M        3.00 ms   2.86 MiB          –|\n");
  CHECK(drawn(monitor, 94, SortBy{.metric = ProcessMetric::ZeroedBytes}).find("commit|\n     77") != std::string::npos);
}

TEST_CASE("The table is never wider than the terminal") {
  const Monitor monitor = test::stagedMonitor();
  const Paint plain(false);
  for (int columns = 1; columns <= 200; ++columns) {
    const TopTable table(monitor, monitor.now(), columns, plain);
    CHECK(textWidth(table.header(SortBy{})) <= columns);
    for (const ProcessRow& row : monitor.now().rows) CHECK(textWidth(table.row(row)) <= columns);
  }
}

TEST_CASE("Colours do not change the text") {
  const Monitor monitor = test::stagedMonitor();
  std::string coloured = drawn(monitor, 130, SortBy{}, Paint(true));
  for (std::size_t start = 0; (start = coloured.find('\x1b', start)) != std::string::npos;)
    coloured.erase(start, coloured.find('m', start) - start + 1);
  CHECK(coloured == drawn(monitor, 130, SortBy{}));
}

TEST_CASE("The filter matches part of a name in any case, or the start of a pid") {
  const Monitor monitor = test::stagedMonitor();
  const auto found = [&](std::string_view filter) {
    std::vector<std::uint32_t> pids;
    for (const ProcessRow* row : orderedRows(monitor, monitor.now(), SortBy{}, filter)) pids.push_back(row->key.pid);
    return pids;
  };
  CHECK(found("") == std::vector<std::uint32_t>{42, 99, 7});
  CHECK(found("GAM") == std::vector<std::uint32_t>{42});
  CHECK(found("9") == std::vector<std::uint32_t>{99});
  CHECK(found("本") == std::vector<std::uint32_t>{99});
  CHECK(found("nobody").empty());
}

#include "app/cli/top/view.h"

#include <catch2/catch_test_macros.hpp>

#include "app/cli/text/width.h"
#include "tests/app/cli/staged_monitor.h"

using namespace faultline;

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string screen(const TopScene& scene, const TopState& state, TerminalSize size) {
  return joined(topScreen(scene, state, size, Paint(false)));
}

}  // namespace

TEST_CASE("The screen of top, line by line") {
  test::liveInUtc();
  const Monitor monitor = test::stagedMonitor();
  const TopScene scene{.monitor = monitor, .moment = monitor.now(), .ownCpuShare = 0.001, .trouble = {}};
  CHECK(screen(scene, {}, {.columns = 100, .rows = 12}) ==
        "Faultline  ● live, every 1.00 s, 3 processes                                                22:13:31\n"
        "minor 8.19 k/s   major 0/s   machine 8.19 k/s   commit 5.00 GiB of 8.00 GiB\n"
        "exact: faults, resident · estimated: commit · no zeroing, fault time: see doctor · 2 late · 1 dropp…\n"
        "no spikes yet\n"
        "\n"
        "    pid  process            ▾minor/s   major/s    peak/s  last minute              commit   resident\n"
        "     42  game                 8.19 k         0    8.19 k                     ▅   1.50 GiB   42.0 MiB\n"
        "     99  日本語の名前              0         0         0                              0 B   99.0 MiB\n"
        "      7  two\\nlines                0         0         0                                –   7.00 MiB\n"
        "\n"
        "\n"
        "q quit   ? keys   p pause   s sort: minor   / filter   c command\n");
}

TEST_CASE("The screen of top shows pause, filter and the collector's message") {
  test::liveInUtc();
  const Monitor monitor = test::stagedMonitor();
  const TopScene scene{.monitor = monitor, .moment = monitor.now(), .ownCpuShare = {}, .trouble = "It is tired."};
  TopState state;
  state.paused = true;
  state.filter = "gam";
  CHECK(screen(scene, state, {.columns = 60, .rows = 9}) ==
        "Faultline  ‖ paused, every 1.00 s, 3 processes      22:13:31\n"
        "minor 8.19 k/s   major 0/s   machine 8.19 k/s\n"
        "exact: faults, resident · estimated: commit · no zeroing, f…\n"
        "! It is tired.\n"
        "\n"
        "    pid  process                ▾minor/s   major/s    peak/s\n"
        "     42  game                     8.19 k         0    8.19 k\n"
        "\n"
        "q quit   ? keys   p pause   s sort: minor   / filter   c co…\n");
  state.typing = true;
  CHECK(topScreen(scene, state, {.columns = 60, .rows = 9}, Paint(false)).back() ==
        "filter: gam▏ Enter keeps it, Esc clears it");
}

TEST_CASE("Top shows its keys, and command lines with their users, which take most of the width") {
  test::liveInUtc();
  const Monitor monitor = test::stagedMonitor();
  const TopScene scene{.monitor = monitor,
                       .moment = monitor.now(),
                       .ownCpuShare = 0.001,
                       .trouble = {},
                       .command = [](const ProcessRow& row) {
                         return std::string(row.key.pid == 42 ? "ada  ./game --level 3 --windowed --demo" : "");
                       }};
  TopState state;
  state.commands = true;
  const std::string shown = screen(scene, state, {.columns = 80, .rows = 12});
  CHECK(shown.find("user  service  command") != std::string::npos);
  CHECK(shown.find("42  ada  ./game --level 3 --windowed --demo") != std::string::npos);
  CHECK(shown.find("two\\nlines") != std::string::npos);  // nothing is known of this one
  CHECK(shown.find("▾minor/s") != std::string::npos);
  state.help = true;
  const std::string keys = screen(scene, state, {.columns = 80, .rows = 24});
  CHECK(keys.find("c             users, services and command lines in place of names\n") != std::string::npos);
  CHECK(keys.find("▾minor/s") == std::string::npos);
}

TEST_CASE("The text of top for a pipe, line by line") {
  test::liveInUtc();
  const Monitor monitor = test::stagedMonitor();
  TopState state;
  state.mostRows = 2;
  const TopScene scene{.monitor = monitor, .moment = monitor.now(), .ownCpuShare = 0.001, .trouble = {}};
  CHECK(topPlainText(scene, state, 90) ==
        "22:13:31  ● live, every 1.00 s, 3 processes\n"
        "minor 8.19 k/s   major 0/s   machine 8.19 k/s   commit 5.00 GiB of 8.00 GiB   self 0.3 % (collector 0.2 %, "
        "top 0.1 %)\n"
        "    pid  process                        ▾minor/s   major/s    peak/s     commit   resident\n"
        "     42  game                             8.19 k         0    8.19 k   1.50 GiB   42.0 MiB\n"
        "     99  日本語の名前                          0         0         0        0 B   99.0 MiB\n"
        "\n");
}

TEST_CASE("On a terminal of few lines the table keeps its rows longest") {
  test::liveInUtc();
  const Monitor monitor = test::stagedMonitor();
  const TopScene scene{.monitor = monitor, .moment = monitor.now(), .ownCpuShare = 0.001, .trouble = {}};
  CHECK(screen(scene, {}, {.columns = 60, .rows = 6}) ==
        "Faultline  ● live, every 1.00 s, 3 processes        22:13:31\n"
        "minor 8.19 k/s   major 0/s   machine 8.19 k/s\n"
        "    pid  process                ▾minor/s   major/s    peak/s\n"
        "     42  game                     8.19 k         0    8.19 k\n"
        "     99  日本語の名前                  0         0         0\n"
        "q quit   ? keys   p pause   s sort: minor   / filter   c co…\n");
  CHECK(screen(scene, {}, {.columns = 20, .rows = 5}) ==
        "Faultline  \n"
        "process     ▾minor/s\n"
        "game          8.19 k\n"
        "日本語の…          0\n"
        "q quit   ? keys   p…\n");
}

TEST_CASE("Top fits any terminal") {
  const Monitor monitor = test::stagedMonitor();
  const TopScene scene{.monitor = monitor, .moment = monitor.now(), .ownCpuShare = 0.001, .trouble = {}};
  for (int rows = 0; rows < 15; ++rows)
    for (const int columns : {1, 5, 20, 79, 300}) {
      for (const bool help : {false, true}) {
        TopState state;
        state.help = help;
        const auto lines = topScreen(scene, state, {.columns = columns, .rows = rows}, Paint(false));
        CHECK(lines.size() <= static_cast<std::size_t>(rows));
        for (const std::string& line : lines) CHECK(textWidth(line) <= columns);
      }
    }
}

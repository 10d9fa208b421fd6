// The table of lives: each way to watch a game, the sweep, a recording and a trial, with and without the grant, while
// the game lives it.
// Every cell is exact by the game's own counts, or unavailable for a reason; the test prints the table.
#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/sampling/linux/facts/privilege.h"
#include "tests/app/collector/capable_copy_linux.h"
#include "tests/app/collector/living_game_linux.h"
#include "tests/app/collector/running_collector.h"
#include "tests/app/collector/tried_game_linux.h"
#include "tests/support/function_place.h"

namespace faultline::test {
namespace {

constexpr uid_t kPlayer = 54321;

struct Life {
  const char* name;
  bool becomes = false;  // executes another program
};

constexpr std::array kLives{Life{"plain"},
                            Life{"exec", true},
                            Life{"execs", true},
                            Life{"exec by a thread", true},
                            Life{"first thread gone"},
                            Life{"first thread goes"},
                            Life{"fork"},
                            Life{"vfork"},
                            Life{"daemon"},
                            Life{"exit by a thread"},
                            Life{"killed"},
                            Life{"stopped"},
                            Life{"frozen"},
                            Life{"memory limit"},
                            Life{"namespace"},
                            Life{"setuid", true},
                            Life{"exec, short", true},
                            Life{"setuid, short", true},
                            Life{"pid used again"}};

enum class Watch : std::uint8_t { Marks, Function, Assumed };
constexpr std::array kWatches{Watch::Marks, Watch::Function, Watch::Assumed};

const char* nameOf(Watch watch) {
  constexpr std::array kNames{"own marks", "function", "assumed rate"};
  return kNames[static_cast<std::size_t>(watch)];
}

struct Cell {
  std::string text;
  bool right = true;
};

Cell wrong(std::string text) {
  return {.text = "WRONG: " + std::move(text), .right = false};
}

struct Seen {
  bool hello = false;
  Grade grade = Grade::Unavailable;
  std::vector<std::uint64_t> frames;  // minor faults
  std::uint64_t faults = 0;           // minor and major ones, of all frames
  std::optional<std::uint64_t> after;
  std::uint64_t lost = 0;
  GameState state = GameState::Running;
  int code = 0;
  std::string errors;
};

std::vector<std::string> commandOf(const LivingGame& game, Watch watch) {
  std::vector<std::string> command{"watch", std::to_string(game.pid())};
  const auto place = [&] { return std::to_string(ProgramFile(game.program()).placeOf("lifecyclePresent")); };
  if (watch == Watch::Marks) command.insert(command.end(), {"--mark", "life"});
  if (watch == Watch::Function) command.insert(command.end(), {"--probe", game.program(), place(), "lifecyclePresent"});
  if (watch == Watch::Assumed) command.insert(command.end(), {"--assume", "100"});
  return command;
}

Seen watchIt(LivingGame& game, Watch watch, const CollectorStart& start) {
  Seen seen;
  Collector collector(commandOf(game, watch), Collector::Input::Inherit, start);
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* const hello = std::get_if<Hello>(&event)) {
      seen.hello = true;
      seen.grade = hello->watched->faults.grade;
      game.openGate();
    }
    const auto* const batch = std::get_if<const GameFrameBatch*>(&event);
    if (batch == nullptr) return;
    for (const GameFrame& frame : (*batch)->frames) {
      seen.frames.push_back(frame.minorFaults());
      seen.faults += frame.faults();
    }
    seen.state = (*batch)->state;
    seen.lost = (*batch)->lost;
    if ((*batch)->faultsAfter) seen.after = (*batch)->faultsAfter;
  });
  seen.errors = collector.readErrors();
  seen.code = collector.exitCode();
  game.openGate();
  return seen;
}

// Estimated frames leave out faults inside the kernel.
bool isBelow(const std::vector<std::uint64_t>& frames, const std::vector<std::uint64_t>& truth,
             std::ptrdiff_t compared) {
  return std::equal(frames.rbegin(), frames.rbegin() + compared, truth.rbegin(), std::less_equal{});
}

// After a fork, the game may fault between the reading of its own count and the mark or the function's begin, which
// ends the frame: on its stack and on its variables. The game counts these faults for the next frame.
bool isMovedByTwo(const std::vector<std::uint64_t>& frames, const std::vector<std::uint64_t>& truth,
                  std::ptrdiff_t compared) {
  std::int64_t moved = 0;
  return std::equal(frames.rbegin(), frames.rbegin() + compared, truth.rbegin(), [&](auto told, auto known) {
    moved += static_cast<std::int64_t>(told) - static_cast<std::int64_t>(known);
    return std::abs(moved) <= 2;
  });
}

// What the frames of the first program should be: the differences of its counts, from some mark to its last.
std::vector<std::uint64_t> truthOf(const LifeLog& log) {
  std::vector<std::uint64_t> frames;
  for (std::uint32_t i = 1; i < log.marks && log.mark[i].image == 0; ++i)
    frames.push_back(log.mark[i].minorFaults - log.mark[i - 1].minorFaults);
  return frames;
}

// Its second program ends before a watcher without BPF programs looks for another one: the process is told as one.
bool isShort(const Life& life) {
  return std::string_view(life.name).ends_with("short");
}

Cell judgeFrames(const Life& life, LivingGame& game, const Seen& seen) {
  constexpr std::uint64_t kExec = 8;  // page faults of exec(2) itself
  constexpr std::size_t kLeast = 16;  // of the 20 after the gate; at a function the first call ends no frame
  const std::vector<std::uint64_t> truth = truthOf(game.log());
  const std::string count = std::to_string(seen.frames.size()) + " frames";
  // The first frame of all ends at the game's first count.
  if (seen.frames.size() < kLeast || seen.frames.size() > truth.size() + 1)
    return wrong(count + " of " + std::to_string(truth.size()));
  // On a machine that is too busy to begin in time, the game may not note frames for a while before the gate opens.
  const std::size_t most = seen.lost > 0 ? kLeast : seen.frames.size();
  const auto compared = static_cast<std::ptrdiff_t>(std::min(most, truth.size()));
  const auto [told, known] = std::mismatch(seen.frames.rbegin(), seen.frames.rbegin() + compared, truth.rbegin());
  const bool forks = life.name == std::string_view("fork");
  const bool exact = told == seen.frames.rbegin() + compared || (forks && isMovedByTwo(seen.frames, truth, compared));
  const bool estimated = !exact && seen.grade == Grade::Estimated && isBelow(seen.frames, truth, compared);
  if (!exact && !estimated)
    return wrong(count + ", the last but " + std::to_string(told - seen.frames.rbegin()) + " with " +
                 std::to_string(*told) + " faults, not " + std::to_string(*known));
  const bool left = seen.state == GameState::ProgramLeft;
  if (life.becomes && left) return {"exact until exec"};
  if (life.becomes && !isShort(life)) return wrong("exec not told");
  if (seen.state != GameState::Exited) return wrong("end not told");
  if (estimated) return {"estimated, without faults inside the kernel"};
  const auto total = game.faults();
  const LifeLog& log = game.log();
  if (!seen.after || !total) return {"exact, after the last frame unknown"};
  const LifeMark& mark = log.mark[log.marks - 1];
  const std::uint64_t last = mark.minorFaults + mark.majorFaults;
  if (isShort(life) && last + *seen.after <= log.faultsAtExec + kExec) return {"exact until exec, told as the end"};
  if (seen.grade == Grade::Estimated && last + *seen.after < *total)
    return {"exact, after the last frame without faults inside the kernel"};
  if (last + *seen.after != *total)
    return wrong("after the last frame " + std::to_string(*seen.after) + ", not " + std::to_string(*total - last));
  return {life.becomes ? "exact, of both programs as one" : "exact"};
}

Cell judgeSum(LivingGame& game, const Seen& seen) {
  const auto total = game.faults();
  if (!total) return wrong("truth unknown");
  const std::uint64_t truth = *total - game.log().faultsAtGate;
  if (seen.state != GameState::Exited) return wrong("end not told");
  if (seen.faults + seen.after.value_or(0) == truth) return {seen.after ? "exact" : "exact, end by the last reading"};
  const std::string sums = std::to_string(seen.faults) + " of " + std::to_string(truth) + " faults";
  if (seen.after || seen.faults > truth) return wrong(sums);
  // Without BPF programs the counts end with the last reading.
  return {"exact until the last reading"};
}

Cell judge(const Life& life, Watch watch, LivingGame& game, const Seen& seen) {
  if (seen.code < 0) return wrong("collector killed by signal " + std::to_string(-seen.code) + ": " + seen.errors);
  if (!seen.hello) {
    if (seen.code != 1 || seen.errors.empty()) return wrong("no reason, code " + std::to_string(seen.code));
    return {"unavailable: " + seen.errors.substr(0, seen.errors.find('\n'))};
  }
  return watch == Watch::Assumed ? judgeSum(game, seen) : judgeFrames(life, game, seen);
}

Cell watchLife(const Life& life, Watch watch, const CollectorStart& start) {
  LivingGame game(life.name, watch == Watch::Assumed, isRoot() ? std::optional(kPlayer) : std::nullopt);
  if (const std::string obstacle = game.obstacle(); !obstacle.empty()) return {"not here: " + obstacle};
  return judge(life, watch, game, watchIt(game, watch, start));
}

// The last counts that a sweep tells of the game are those at its end, if its parent or the kernel still has them.
Cell sweepLife(const Life& life, const std::vector<std::string>& command, const CollectorStart& start) {
  LivingGame game(life.name, true, isRoot() ? std::optional(kPlayer) : std::nullopt);
  if (const std::string obstacle = game.obstacle(); !obstacle.empty()) return {"not here: " + obstacle};
  Collector collector(command, Collector::Input::Inherit, start);
  std::optional<ProcessKey> key;
  std::uint64_t told = 0;
  int snapshots = 0;
  std::optional<std::uint64_t> truth;
  int after = 0;
  follow(collector, [&](const StreamEvent& event) {
    const auto* const snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    for (const auto* processes : {&(*snapshot)->processes, &(*snapshot)->exited})
      for (const ProcessSample& process : *processes) {
        if (!key && process.key.pid == static_cast<std::uint32_t>(game.pid())) key = process.key;
        if (process.key == key)
          told = process.values.get(ProcessMetric::MinorFaults).value_or(0) +
                 process.values.get(ProcessMetric::MajorFaults).value_or(0);
      }
    if (++snapshots == 2) game.openGate();
    if (!truth && snapshots > 2 && game.hasEnded()) truth = game.faults();
    if (truth && ++after == 3) collector.stop();
  });
  const std::string errors = collector.readErrors();
  if (const int code = collector.exitCode(); code != 0)
    return wrong("ended with " + std::to_string(code) + ": " + errors);
  if (!truth) return wrong("truth unknown");
  if (told == *truth) return {"exact"};
  const std::string sums = std::to_string(told) + " of " + std::to_string(*truth) + " faults";
  const bool reaped = life.name == std::string_view("pid used again") && start.user;
  return reaped && told < *truth ? Cell{"exact until the last reading"} : wrong(sums);
}

// Every run of a trial, whose program is a child of the trial's own: the samples come from the end of that child.
Cell tryLife(const Life& life, const CollectorStart& start) {
  if (life.name == std::string_view("pid used again")) return {"cannot be: the trial keeps the pid to the end"};
  constexpr std::uint64_t kExit = 8;           // the call that ends a process
  constexpr std::uint64_t kOrphan = 1500;      // a daemon ends with the run, at some page
  constexpr std::uint64_t kLimit = 64U << 8U;  // pages that the game wanted beyond its limit
  const std::string_view name = life.name;
  const std::uint64_t more = kExit + (name == "daemon" ? kOrphan : name == "memory limit" ? kLimit : 0);
  TriedGame game(life.name);
  std::vector<std::string> command{"try", "--with", "keep", "--rounds", "1", "-f", "json", "--"};
  for (std::string& word : game.command()) command.push_back(std::move(word));
  Collector trial(command, Collector::Input::Inherit, start);
  std::string text;
  for (auto bytes = trial.readOutput(); !bytes.empty(); bytes = trial.readOutput())
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string errors = trial.readErrors();
  if (const int code = trial.exitCode(); code != 0) return wrong("ended with " + std::to_string(code) + ": " + errors);
  if (!game.obstacle().empty()) return {"not here: " + game.obstacle()};
  const auto told = nlohmann::json::parse(text)["try"];
  std::vector<nlohmann::json> samples = told["plain"]["samples"];
  for (const auto& sample : told["remedies"][0]["samples"]) samples.push_back(sample);
  if (samples.size() != 2 || game.runs() < 3) return wrong(std::to_string(game.runs()) + " runs");
  for (const auto& sample : samples) {
    const auto faults = sample["minor_faults"].get<std::uint64_t>() + sample["major_faults"].get<std::uint64_t>();
    if (!game.hasRunWith(faults, more)) return wrong(std::to_string(faults) + " faults, not" + game.counts());
  }
  return {name == "daemon" ? "exact, and the daemon until it is ended" : "exact"};
}

void printRow(const Life& life, const std::string& what, const std::vector<Cell>& cells) {
  std::printf("| %s | %s |", life.name, what.c_str());
  for (const Cell& cell : cells) std::printf(" %s |", cell.text.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

// One test for each row of kLives, by its place there: a whole table takes minutes.
TEMPLATE_TEST_CASE_SIG("Of every life of a game each way to watch it tells the exact faults, or why it does not",
                       "[slow]", ((std::size_t Row), Row), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                       18) {
  static_assert(kLives.size() == 19);
  if (!isRoot()) SKIP("root gives and takes the collector's rights");
  const Life& life = kLives[Row];
  const CapableCopy copy;  // with no capability
  const CollectorStart granted{};
  const CollectorStart without{.program = copy.program(), .user = kPlayer};
  const auto judged = [&](const std::string& what, const std::vector<Cell>& cells) {
    printRow(life, what, cells);
    for (const Cell& cell : cells) {
      INFO(life.name << ", " << what << ": " << cell.text);
      CHECK(cell.right);
    }
  };
  for (const Watch watch : kWatches)
    judged(nameOf(watch), {watchLife(life, watch, granted), watchLife(life, watch, without)});
  const std::vector<std::string> sweep{"sweep", "--interval", "20ms"};
  judged("sweep", {sweepLife(life, sweep, granted), sweepLife(life, sweep, without)});
  const std::vector<std::string> record{"record", "-o", "-", "--interval", "20ms"};
  const std::string cli = FAULTLINE_BIN "/faultline-cli";
  const CollectorStart ours{.program = cli};
  const CollectorStart theirs{.program = cli, .user = kPlayer};
  judged("record", {sweepLife(life, record, ours), sweepLife(life, record, theirs)});
  judged("try", {tryLife(life, ours), tryLife(life, theirs)});
}

}  // namespace faultline::test

// faultline-cli join: add the faults of a recording to the frame times of another tool.
#include <fmt/format.h>

#include <fstream>

#include "app/cli/commands/command.h"
#include "app/cli/frames/files.h"
#include "app/cli/frames/join_place.h"
#include "app/cli/frames/times_log.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/frames/game_session.h"
#include "core/model/names.h"
#include "core/recording/recording.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kJoinFooter =
    "TIMES is a log with a row per frame: the CSV of PresentMon (1.x, 2.x), OCAT, CapFrameX (or its JSON),\n"
    "FrameView, MangoHud, Fraps (frametimes) or Unreal's CSV profiler. RECORDING covers the same time and comes\n"
    "from one of:\n"
    "  faultline-cli frames --record FILE    frames by marks, or of an assumed rate\n"
    "  faultline-cli frames --csv FILE       the same as CSV\n"
    "  faultline-cli record -o FILE          all processes; --pid selects the game\n"
    "Each frame of TIMES gets the faults inside the frame. The faults of a recorded interval that spans two\n"
    "frames are divided in proportion to time, and are then an estimate. --anchor gives the start of TIMES\n"
    "within RECORDING; without --anchor, the clock that both share or the durations of the frames do; else,\n"
    "roughly, the files' times. Of several processes and swap chains in TIMES, the recorded process and the\n"
    "swap chain with the most frames are taken; what is left out is told. --csv keeps the columns of TIMES.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli join game_2026-11-21_22-15-03.csv game.faultline\n"
    "  faultline-cli join --csv - --pid 4711 --anchor 2.5s times.csv all.faultline";

constexpr std::size_t kShown = 5;

struct JoinCommand {
  std::string times;
  std::string recording;
  std::uint32_t pid = 0;  // 0: taken from the files
  std::string swapChain;
  double ticksPerSecond = 0;
  std::string anchor;
  FrameFileNames files;
  FrameRules rules;
};

Result<RecordedFrames> readRecording(const JoinCommand& command, const std::vector<FrameTimes>& all) {
  std::ifstream file(pathFromUtf8(command.recording), std::ios::binary);
  if (!file) return fail(command.recording + " cannot be opened.");
  const bool one = std::ranges::all_of(
      all, [&](const FrameTimes& times) { return times.frames.empty() || times.pid == all.front().pid; });
  std::optional<std::uint32_t> pid;
  if (command.pid > 0) pid = command.pid;
  else if (one && all.front().pid > 0) pid = all.front().pid;
  auto recorded = readRecordedFrames(file, pid);
  if (!recorded) return fail(command.recording + " " + recorded.error().message);
  return recorded;
}

// Of numbers that are divided between frames.
void makeEstimated(const JoinedFrames& joined, Quality& quality) {
  if (joined.divided == 0 || quality.grade == Grade::Unavailable) return;
  quality.grade = Grade::Estimated;
  quality.how +=
      fmt::format("; the faults of {} frames are divided in proportion to time", formatCount(joined.divided));
}

WatchedGame described(const FrameTimes& log, const JoinedFrames& joined, const RecordedFrames& recorded) {
  WatchedGame game = recorded.watched;
  if (game.name.empty()) game.name = log.program;
  if (game.pid == 0) game.pid = log.pid;
  game.by = FrameEnd::Log;
  game.mark = log.tool;
  if (game.faults.how.empty()) game.faults = {Grade::Exact, "as recorded", {}, 64};
  for (const FrameQuality& row : kFrameQualities)
    if (row.quality != &WatchedGame::samples) makeEstimated(joined, game.*row.quality);
  game.path = unavailable("the log does not tell which thread ends a frame");
  game.delay.reset();
  return game;
}

struct Judged {
  FrameTally tally;
  std::string culprit;  // of the worst frame; empty if unknown
  SessionTotals totals{};
};

std::vector<std::string> report(const FrameTimes& log, const JoinedFrames& joined, const WatchedGame& game,
                                const JoinPlace& place, const Judged& judged) {
  const FrameTally& tally = judged.tally;
  std::vector<std::string> lines{summaryText(tally, judged.culprit)};
  for (std::size_t i = 0; i < std::min(kShown, tally.worst.size()); ++i)
    lines.push_back("  " + frameText(tally.worst[i]));
  const SampleEvidence& evidence = judged.totals.evidence;
  if (evidence.withSamples > 0)
    if (std::string missing = evidenceText(evidence); !missing.empty()) lines.push_back(std::move(missing));
  std::string frames = game.name.empty() ? "Frames of the game" : "Frames of " + printableName(game.name);
  if (game.pid > 0) frames += fmt::format(" ({})", game.pid);
  frames += fmt::format(" by the columns {} of {}.", log.columns, log.tool);
  if (joined.outside > 0)
    frames += fmt::format(" {} more frames lie outside the recording.", formatCount(joined.outside));
  if (log.sampled) frames += " The log holds only some of the frames: set log_interval to 0 to log all frames.";
  lines.push_back(frames);
  lines.push_back("Their place in the recording is " + place.how + ".");
  lines.push_back(fmt::format("Their faults are {}: {}.", gradeName(game.faults.grade), game.faults.how));
  return lines;
}

// Gives the recorded samples of the game's faults, if there are any.
void readSamples(const std::filesystem::path& recording, std::uint32_t pid, GameSession& session) {
  if (!recordsFrames(recording)) return;
  auto file = RecordingFile::open(recording);
  bool wanted = false;
  while (file) {
    const auto event = file->next();
    if (!event || std::holds_alternative<RecordingEnd>(*event)) return;
    if (const auto* hello = std::get_if<Hello>(&*event)) wanted = hello->watched && hello->watched->pid == pid;
    if (wanted && std::holds_alternative<const FaultSampleBatch*>(*event))
      static_cast<void>(session.take(streamEvent(*event)));
  }
}

Result<Judged> judgeAll(const JoinedFrames& joined, const WatchedGame& game, const JoinCommand& command,
                        const FrameTimes& log, const LogColumns& columns, FrameFiles& files) {
  GameSession session(command.rules);
  Hello hello;
  hello.watched = game;
  const GameFrameBatch batch{.frames = joined.frames};
  for (const StreamEvent& event : {StreamEvent(hello), StreamEvent(&batch), StreamEvent(StreamEnd{})})
    if (const auto taken = session.take(event); !taken) return tl::unexpected(taken.error());
  readSamples(pathFromUtf8(command.recording), game.pid, session);
  if (const auto begun = files.begin({game, FAULTLINE_VERSION, command.rules.budget, columns.names()}); !begun)
    return tl::unexpected(begun.error());
  Judged all{.tally = session.tally(), .culprit = {}, .totals = {}};
  all.totals.evidence = session.totals().evidence;
  for (const JudgedFrame& judged : session.drain()) {
    Culprits culprits;
    const auto samples = session.samplesOf(judged.frame.number);
    if (!samples.empty()) culprits = findCulprits(session.searchFor(judged, nullptr), samples, 0);
    if (!all.tally.worst.empty() && all.tally.worst.front().frame.number == judged.frame.number)
      all.culprit = culpritText(culprits, judged.frame.faults());
    const auto line = log.frames[judged.frame.number - 1].line;
    const std::string more = files.none() ? std::string() : columns.row(line);
    if (const auto added = files.add(judged, culprits, all.totals, samples, more); !added)
      return tl::unexpected(added.error());
  }
  if (const auto ended = files.end(); !ended) return tl::unexpected(ended.error());
  return all;
}

int tell(const std::vector<std::string>& lines, bool toStandardError) {
  std::string text;
  for (const std::string& line : lines) {
    if (toStandardError) say(line);
    else text += line + "\n";
  }
  StandardOutput out;
  const auto written = out.write(text);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

int runJoin(const JoinCommand& command) {
  const auto ticks = command.ticksPerSecond > 0 ? std::optional(command.ticksPerSecond) : std::nullopt;
  const auto times = readTimesLog(command.times, ticks);
  if (!times) return failed(times.error());
  const auto recorded = readRecording(command, times->all);
  if (!recorded) return failed(recorded.error());
  const TimesWanted wanted{command.pid > 0 ? command.pid : recorded->watched.pid, command.swapChain};
  const auto chosen = chooseTimes(times->all, wanted);
  if (!chosen) return failed(chosen.error());
  const FrameTimes& log = **chosen;
  const auto place =
      placeLog({log, pathFromUtf8(command.times), *recorded, pathFromUtf8(command.recording), command.anchor});
  if (!place) return failed(place.error());
  const JoinedFrames joined = joinFrames(log.frames, recorded->slots, place->options);
  if (joined.frames.empty())
    return failed({"All " + formatCount(joined.outside) + " frames lie outside the recording; their place is " +
                   place->how + "."});
  auto files = openFiles(command.files);
  if (!files) return failed(files.error());
  const WatchedGame game = described(log, joined, *recorded);
  const auto judged = judgeAll(joined, game, command, log, LogColumns(times->text, log.headLine), *files);
  if (!judged) return files->readerGone() ? ExitCode::kReaderGone : failed(judged.error());
  if (recorded->cut) say(command.recording + " is damaged or truncated; its readable part was joined.");
  const int told = tell(report(log, joined, game, *place, *judged), files->toStandardOutput());
  for (const std::string& text : leftOutTexts(*times, log, wanted)) say(text);
  return told == ExitCode::kOk && recorded->cut ? ExitCode::kIncomplete : told;
}

}  // namespace

void addJoin(Commands& commands) {
  auto command = std::make_shared<JoinCommand>();
  CLI::App* app =
      commands.app.add_subcommand("join", "Add recorded faults to frame times of PresentMon, MangoHud and others");
  app->footer(kJoinFooter);
  app->add_option("TIMES", command->times, "The other tool's log")->required();
  app->add_option("RECORDING", command->recording, "Faultline's recording of the same time")->required();
  app->add_option("--anchor", command->anchor,
                  "Start of TIMES: 1.5s or -1.5s after that of RECORDING, or local time ('2026-11-21 22:15:03')")
      ->type_name("TIME");
  app->add_option("-p,--pid", command->pid,
                  "The game (default: the process of RECORDING, or the only process in TIMES)")
      ->check(CLI::Range(1U, 4'000'000'000U))
      ->type_name("PID");
  app->add_option(
         "--swap-chain", command->swapChain,
         "Take this SwapChainAddress in TIMES, or this run of CapFrameX (default: the one with the most frames)")
      ->type_name("ADDRESS");
  app->add_option("--ticks-per-second", command->ticksPerSecond,
                  "Frequency of the performance counter in TIMES (default: found by the durations)")
      ->check(CLI::Range(1e3, 1e10))
      ->type_name("HZ");
  addFrameFiles(*app, command->files, FrameOutputs::Frames);
  addDuration(*app, "--budget", command->rules.budget, 100us, 10s,
              "The longest frame in time (default: the game's own cadence, or 16.7ms)");
  app->callback([&commands, command] {
    checkDistinct({command->files.begin(), command->files.end()});
    commands.run = [command] { return runJoin(*command); };
  });
}

}  // namespace faultline

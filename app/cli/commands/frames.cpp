// faultline-cli frames: find the frames of a running game that page faults made late, and export all frames.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "app/cli/commands/command.h"
#include "app/cli/frames/files.h"
#include "app/cli/frames/polled_game.h"
#include "app/cli/frames/watch.h"
#include "app/cli/stream/started_program.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"
#include "platform/host/signals.h"
#include "platform/host/stack_reader.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFramesFooter =
    "A frame ends at the game's own mark, if the game calls faultline_frame(\"render\") of faultline_frame.h;\n"
    "else at a call of the function that presents the picture, if the game has loaded a known one, such as\n"
    "SDL_GL_SwapWindow, glXSwapBuffers or vkQueuePresentKHR; else frames of equal length are assumed. Assumed\n"
    "frames show the time in faults, but not which of the game's own frames was late. On Windows PresentMon,\n"
    "where it is found, tells the frames of games without marks. The output names the choice.\n"
    "\n"
    "--mark NAME selects the game's own mark NAME. --mark FILE:FUNCTION selects the calls of a function. FILE\n"
    "is empty for the program (:present), a path, or the start of a library's name (libSDL2:SDL_RenderPresent).\n"
    "FUNCTION is a symbol, a symbol with its version (libGL:glXSwapBuffers@VERS), a C++ name\n"
    "(game:Renderer::present), or an address as printed by nm (game:0x1189). The first single colon separates\n"
    "FILE and FUNCTION. Watching calls needs a collector with privileges, see 'faultline-cli doctor'. Where\n"
    "kernel.perf_event_paranoid is 2 or less, any collector can watch programs of the same user, but without\n"
    "times and without faults in the kernel.\n"
    "\n"
    "The command watches until the game exits, --duration is over, or Ctrl-C, which also ends PROGRAM. The\n"
    "command then prints the summary and the frames that faults hurt most to standard output (to standard error\n"
    "if an export goes to standard output), and waits for PROGRAM to end. Exports overwrite their files; a\n"
    "recording is overwritten only with --force. The exit code is PROGRAM's if that is not 0 (128 + n if signal\n"
    "n killed PROGRAM); else 5 if no frame has ended, and 4 if memory took longer than --fail-over in a frame.\n"
    "--ring and SIGUSR1 are those of 'faultline-cli record'.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli frames -- ./game --level 3\n"
    "  faultline-cli frames --mark :Renderer::present 4711\n"
    "  faultline-cli frames --csv frames.csv --trace frames.json --duration 1min 4711\n"
    "  faultline-cli frames --fail-over 2ms -- ./benchmark\n"
    "  faultline-cli frames --record last.faultline --ring 10min -- ./game\n"
    "  faultline-cli frames compare before.csv after.csv";

constexpr std::string_view kNoFrame =
    "No frame has ended. Name the function that ends a frame (--mark FILE:FUNCTION), let the game call "
    "faultline_frame() of faultline_frame.h, or assume a rate, such as --assume 60.";

constexpr std::string_view kDoesNotEnd = "The collector does not end. Check it with 'faultline-cli doctor'.";

using Steady = std::chrono::steady_clock;

struct FramesOptions {
  std::optional<std::uint32_t> pid;
  std::vector<std::string> program;  // with its arguments
  std::string mark;
  std::filesystem::path presentMon;  // empty: as the system finds it
  FrameFileNames files;
  std::string record;
  bool force = false;
  Nanoseconds ring{0};   // of the recording; 0: all is kept
  unsigned assumed = 0;  // frames per second; 0: frames by marks or calls
  SampleMode samples = SampleMode::Spikes;
  FrameRules rules;
  Nanoseconds failOver{0};
  Nanoseconds duration{0};  // 0: no end
  Nanoseconds delay{0};     // of each fault; 0: none
};

constexpr auto kDaemonPatience = 10s;
constexpr auto kEndingPatience = 100ms;
constexpr Nanoseconds kLoaderPatience = 10s;
constexpr auto kStopPatience = 30s;  // for the last frames: a collector may have to remove programs of the kernel first
constexpr auto kTwice = 200ms;       // timeout(1) sends a signal twice, to its command and to the group
constexpr std::uint64_t kFirstFrame = 2;  // from the first call to the second

constexpr std::uint32_t kSyntheticPid = 1;  // any pid serves: the synthetic game is no process

std::uint32_t pidOf(const std::string& text) {
  std::uint32_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error == std::errc{} && end == text.data() + text.size()) return pid;
  throw CLI::ValidationError("'" + text + "' is not a process id. " + missingDashesHint("frames", text));
}

GameClientOptions clientOptions(const CommonOptions& common, const FramesOptions& options, std::uint32_t pid) {
  return {.pid = pid,
          .wishes = {.mark = options.mark,
                     .presentMon = nameInUtf8(options.presentMon),
                     .rate = options.assumed,
                     .started = !options.program.empty()},
          .samples = options.samples,
          .budget = options.rules.budget,
          .delay = options.delay,
          .synthetic = common.synthetic};
}

// Waits at once for the collector, the program, signals and the end of --duration.
class FrameSession {
 public:
  FrameSession(const CommonOptions& common, const FramesOptions& options, std::uint32_t pid, FrameFiles files,
               std::optional<StartedProgram> program, Signals signals)
      : m_options(options),
        m_game(common, clientOptions(common, options, pid), [this](const std::string& sentence) { remark(sentence); }),
        m_watch(options.rules, std::move(files),
                StreamRecord(options.record, options.force ? Existing::Overwrite : Existing::Keep, options.ring)),
        m_program(std::move(program)),
        m_signals(std::move(signals)) {
    m_watch.setProgram(options.program);
  }
  FrameSession(const FrameSession&) = delete;
  FrameSession& operator=(const FrameSession&) = delete;

  int run() {
    while (!m_game.ended() && !m_failure) step();
    release();
    m_watch.clearProgress();
    if (const auto finished = m_watch.finish(); !finished && !m_failure) m_failure = finished.error();
    if (m_failure && !m_watch.readerGone()) complain(m_failure->message);
    if (!m_failure || m_watch.tally().frames > 0) tell();
    waitForProgram();
    return exitCode();
  }

 private:
  void step() {
    const WaitHandle program = m_program && !m_programEnded ? m_program->ended() : kNoHandle;
    const std::array handles{m_game.ready(), m_signals.ready(), program};
    const std::uint32_t ready = waitAny(handles, pause());
    if (const auto left = timeLeft(); left && *left <= 0ns) stop();
    if (m_stopped && Steady::now() >= *m_stopped + kStopPatience) m_failure = Error{std::string(kDoesNotEnd)};
    if ((ready & 2U) != 0) onSignal();
    if ((ready & 4U) != 0) onProgramEnd();
    const auto done = m_game.step(Steady::now(), [this](const StreamEvent& event) { return m_watch.take(event); });
    if (!done) m_failure = done.error();
    if (!m_game.starting()) release();
    if (m_leftAlone && (m_game.begun() ? m_game.looking() : Steady::now() >= *m_leftAlone)) endProgram();
    m_watch.showProgress();
  }

  std::optional<Nanoseconds> pause() const {
    const auto left = m_stopped ? std::optional<Nanoseconds>(*m_stopped + kStopPatience - Steady::now()) : timeLeft();
    const auto due = m_game.quiet(Steady::now());
    return left && due ? std::min(*left, *due) : left ? left : due;
  }

  std::optional<Nanoseconds> timeLeft() const {
    if (m_options.duration == 0ns || m_stopped || !m_game.begun()) return std::nullopt;
    return *m_game.begun() + m_options.duration - Steady::now();
  }

  // A program that ran before the watch began has shown frames that nobody saw.
  void release() {
    if (!m_program || m_released) return;
    m_released = Steady::now();
    m_complete = m_program->held() && m_game.begun();
    m_program->release();
  }

  std::string missedText() const {
    const auto begun = m_game.begun();
    if (!begun || !m_released || m_watch.by() != FrameEnd::Function) return {};
    if (m_complete && m_watch.firstNumber().value_or(0) > kFirstFrame)
      return fmt::format(
          "The frames of {} before frame {} are missing: the first call of a function pays for its probe.",
          printableName(m_options.program.front()), *m_watch.firstNumber());
    if (m_complete) return {};
    const char* const why = gainsRights(pathFromUtf8(m_options.program.front()))
                                ? "a program that gains rights when it is executed (setuid, setgid or file "
                                  "capabilities) cannot be held until the watch begins"
                                : "the watch began after them";
    return fmt::format("Frames in the first {} of {} are missing: {}.", formatDuration(*begun - m_startedAt),
                       printableName(m_options.program.front()), why);
  }

  // The collector still sends its remaining data and the end of the stream.
  void stop() {
    if (!m_stopped) m_game.stop();
    if (!m_stopped) m_stopped = Steady::now();
  }

  void onSignal() {
    while (const auto signal = m_signals.next()) {
      if (*signal == Signal::Suspend) suspendSelf();
      if (*signal == Signal::Save) m_watch.record().copyRing();
      if (*signal == Signal::Suspend || *signal == Signal::Resize || *signal == Signal::Save) continue;
      if (m_program) m_program->pass(*signal);
      if (m_interrupted && Steady::now() - *m_stopped > kTwice)
        m_failure = Error{"Interrupted before the last frames came."};
      m_interrupted = true;
      stop();
    }
  }

  // A launcher may have left a game that runs on as a daemon.
  void onProgramEnd() {
    m_programEnded = true;
    if (m_game.begun() || adoptedProcesses(m_program->pid()).empty()) return endProgram();
    m_leftAlone = Steady::now() + kDaemonPatience;
    remark(fmt::format("{} has ended and left processes that run on: waiting up to 10 s for a game among them.",
                       printableName(m_options.program.front())));
  }

  void endProgram() {
    m_leftAlone.reset();
    m_game.programEnded();
  }

  void remark(const std::string& sentence) {
    m_watch.clearProgress();
    say(sentence);
  }

  void tell() {
    if (!m_watch.started()) return;
    std::string text;
    std::vector<std::string> lines = m_watch.report();
    if (std::string missed = missedText(); !missed.empty()) lines.push_back(std::move(missed));
    for (const std::string& line : lines) {
      if (m_watch.exportsToStandardOutput()) say(line);
      else text += line + "\n";
    }
    StandardOutput out;
    const auto written = out.write(text);
    if (written || m_failure) return;
    m_failure = written.error();
    m_readerGone = out.readerGone();
    if (!m_readerGone) complain(m_failure->message);
  }

  void waitForProgram() {
    if (!m_program) return;
    // A program that ends is gone for whoever looks at its memory before its end is told.
    const bool runs = waitAny(std::array{m_program->ended()}, m_failure ? kEndingPatience : 0ns) == 0;
    m_programEnded |= !runs;
    if (runs && !m_interrupted && (m_stopped || m_failure))
      say(fmt::format("Waiting for {} to end.", printableName(m_options.program.front())));
    m_program->waitFor(m_signals);
  }

  int exitCode() {
    const int code = m_program ? m_program->exitCode() : ExitCode::kOk;
    if (code != 0) return code;
    if (m_readerGone || m_watch.readerGone()) return ExitCode::kReaderGone;
    if (m_failure) return m_programEnded && !m_game.begun() ? ExitCode::kNoFrame : ExitCode::kFailure;
    if (m_watch.tally().frames == 0) {
      complain(kNoFrame);
      return ExitCode::kNoFrame;
    }
    if (m_options.failOver == 0ns) return ExitCode::kOk;
    const FrameTally& tally = m_watch.tally();
    const auto longest = tally.longestOnPath ? tally.longestOnPath : tally.longestInFaults;
    if (!longest) {
      complain("--fail-over cannot be checked: the time in page faults is unavailable here.");
      return ExitCode::kFailure;
    }
    return *longest > m_options.failOver ? ExitCode::kTooSlow : ExitCode::kOk;
  }

  const FramesOptions& m_options;
  PolledGame m_game;
  FrameWatch m_watch;
  std::optional<StartedProgram> m_program;
  Signals m_signals;
  std::optional<Error> m_failure;
  bool m_readerGone = false;
  std::optional<Steady::time_point> m_stopped;
  bool m_interrupted = false;
  bool m_programEnded = false;
  std::optional<Steady::time_point>
      m_leftAlone;  // the program has left processes: one is watched, or sought until then
  Steady::time_point m_startedAt = Steady::now();  // just after the program
  std::optional<Steady::time_point> m_released;
  bool m_complete = false;  // the program was held until the watch had begun
};

int runFrames(const CommonOptions& common, const FramesOptions& options) {
  auto signals = Signals::listen(options.ring > 0ns);
  if (!signals) return failed(signals.error());
  auto files = openFiles(options.files);
  if (!files) return failed(files.error());
  if (!options.record.empty()) {
    const auto mayBegin = options.ring > 0ns ? mayRecordRing : mayRecord;
    if (const auto may = mayBegin(pathFromUtf8(options.record), options.force); !may) return failed(may.error());
  }

  if (options.samples == SampleMode::All && !common.synthetic)
    if (const std::string warning = everyFaultWarning(); !warning.empty()) say(warning);
  std::optional<std::uint32_t> pid = common.synthetic ? std::optional(kSyntheticPid) : options.pid;
  std::optional<StartedProgram> program;
  if (!pid) {
    adoptOrphans();
    const Nanoseconds patience = options.duration > 0ns ? std::min(options.duration, kLoaderPatience) : kLoaderPatience;
    auto started =
        StartedProgram::start(options.program, files->toStandardOutput(),
                              StartedProgram::Hold{.loaderPatience = patience, .interrupt = signals->interrupt()});
    if (!started) {
      complain(started.error().message);
      return ExitCode::kNotStarted;
    }
    program = std::move(*started);
    pid = program->pid();
  }
  return FrameSession(common, options, *pid, std::move(*files), std::move(program), std::move(*signals)).run();
}

}  // namespace

void addFrames(Commands& commands) {
  auto options = std::make_shared<FramesOptions>();
  CLI::App* app = commands.app.add_subcommand("frames", "Find the frames of a game that page faults made late");
  app->footer(kFramesFooter);
  app->add_option("--mark", options->mark, "The mark or function that ends a frame (default: see below)")
      ->type_name("NAME|FILE:FUNCTION");
  if (canRunPresentMon())
    app->add_option_function<std::string>(
           "--presentmon",
           [options](const std::string& file) { options->presentMon = std::filesystem::absolute(pathFromUtf8(file)); },
           "The console program PresentMon, for games without marks (default: beside this program, or as installed)")
        ->type_name("FILE");
  app->add_option("--assume", options->assumed, "Assume frames of equal length, 1 to 1000 per second")
      ->check(CLI::Range(1, 1000))
      ->excludes("--mark")
      ->type_name("HZ");
  app->add_option_function<std::string>(
         "--stacks",
         [options](const std::string& name) { options->samples = sampleModeOf(name).value_or(SampleMode::Spikes); },
         "Call stacks to take: none, of faults in costly frames (default), of every 16th fault, of all faults")
      ->check(CLI::IsMember({"none", "spikes", "some", "all"}))
      ->type_name("WHICH");
  addFrameFiles(*app, options->files, FrameOutputs::Both);
  CLI::Option* const record =
      app->add_option("--record", options->record,
                      "Write a recording, with call stacks, for 'faultline FILE', 'export' and 'join'")
          ->type_name("FILE");
  addDuration(*app, "--ring", options->ring, 1s, 1000h,
              "Keep the last of this time alone, at least, in FILE and FILE.before")
      ->needs(record);
  app->add_flag("--force", options->force, "Overwrite the recording if it exists");
  addDuration(*app, "--budget", options->rules.budget, 100us, 10s,
              "The longest frame in time (default: the game's own cadence, or 16.7ms)");
  addDuration(*app, "--fail-over", options->failOver, 1us, 10s,
              "Exit with code 4 if faults and giving memory back took longer than this on the path of a frame");
  addDuration(
      *app, "--delay", options->delay, kShortestDelay, kLongestDelay,
      "Delay page faults by this, such as 2us, in half of the frames, to find out what they cost (default: no delay)");
  addDuration(*app, "-d,--duration", options->duration, 1ms, 1000h,
              "Stop after this time (default: when the game ends)");
  app->add_option_function<std::string>(
      "PID", [options](const std::string& text) { options->pid = pidOf(text); },
      "A process; or, after --, a program and its arguments");
  const CLI::App* const compare = addCompare(*app, commands);
  app->callback([&commands, options, compare] {
    if (compare->parsed()) return;
    const bool synthetic = commands.common->synthetic;
    options->program = commands.program;
    commands.takesProgram = true;
    if (options->record == "-") throw CLI::ValidationError("--record needs a file, not standard output.");
    std::vector<std::string> outputs(options->files.begin(), options->files.end());
    outputs.push_back(options->record);
    if (options->ring > 0ns) outputs.push_back(options->record + ".before");
    checkDistinct(outputs);
    const int games = (synthetic ? 1 : 0) + (options->pid ? 1 : 0) + (options->program.empty() ? 0 : 1);
    if (games > 1 && synthetic) throw CLI::ValidationError("--synthetic watches a synthetic game: name no other.");
    if (options->delay > 0ns && options->assumed > 0)
      throw CLI::ValidationError("--delay needs the true ends of frames, which --assume does not have.");
    if (games != 1) throw CLI::ValidationError("Name either a process id or, after --, a program and its arguments.");
    commands.run = [&commands, options] { return runFrames(*commands.common, *options); };
  });
}

}  // namespace faultline

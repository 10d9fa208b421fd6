// faultline-cli frames: which frames of a game its page faults made late, while it runs and in files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>

#include "app/cli/commands/command.h"
#include "app/cli/frames/files.h"
#include "app/cli/frames/game_watch.h"
#include "app/cli/frames/stream_record.h"
#include "app/cli/frames/watch.h"
#include "app/cli/stream/started_program.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/text/duration.h"
#include "core/text/quantity.h"
#include "platform/host/signals.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFooter =
    "What ends a frame is the game's own mark if it calls faultline_frame(\"render\") of faultline_frame.h; else the\n"
    "function that shows the picture, if one that usually does is among its libraries, such as SDL_GL_SwapWindow,\n"
    "glXSwapBuffers or vkQueuePresentKHR; else frames of equal length are assumed, which tells what faults took in\n"
    "each, but not which of the game's own frames was late. It is said which of them it is.\n"
    "\n"
    "--mark NAME takes the game's own mark of that name, --mark FILE:FUNCTION the calls of a function: of the program\n"
    "(:present), of a library by the beginning of its name (libSDL2:SDL_RenderPresent) or by its path, with its C++\n"
    "name (game:Renderer::present), a version (libGL:glXSwapBuffers@VERS) or an address as nm prints it\n"
    "(game:0x1189). The first colon that stands alone parts the two. Calls of functions are seen by a collector with\n"
    "privileges, see 'faultline-cli doctor', and in one's own programs by any, where kernel.perf_event_paranoid is 2 "
    "or\n"
    "less; then without faults that the kernel takes for the game, and without times.\n"
    "\n"
    "A PROGRAM that runs longer than --duration is waited for, as it may not like to be ended; Ctrl-C ends both.\n"
    "Exports replace their files; a recording does so only with --force.\n"
    "\n"
    "Watches until the game exits, --duration is over, or Ctrl-C; then the summary and the frames that faults hurt "
    "most\n"
    "go to standard output (to standard error if an export goes there). Ends with PROGRAM's exit code if that is not "
    "0\n"
    "(128 + n when signal n killed it), else with 4 if faults took longer than --fail-over in some frame.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli frames -- ./game --level 3\n"
    "  faultline-cli frames --mark :Renderer::present 4711\n"
    "  faultline-cli frames --csv frames.csv --trace frames.json --duration 1min 4711\n"
    "  faultline-cli frames --fail-over 2ms -- ./benchmark";

using Steady = std::chrono::steady_clock;

struct FramesOptions {
  std::optional<std::uint32_t> pid;
  std::vector<std::string> program;  // and its arguments
  std::string mark;
  std::string csv;
  std::string json;
  std::string trace;
  std::string folded;
  std::string record;
  bool force = false;
  unsigned assumed = 0;  // frames a second; 0: the game marks them
  SampleMode samples = SampleMode::Spikes;
  FrameRules rules;
  Nanoseconds failOver{0};
  Nanoseconds duration{0};  // 0: no end
};

const std::map<std::string, SampleMode> kSampleModes{
    {"none", SampleMode::None}, {"spikes", SampleMode::Spikes}, {"some", SampleMode::Some}, {"all", SampleMode::All}};

constexpr std::uint32_t kMadeUp = 1;  // whose place the made-up game takes does not matter

std::uint32_t pidOf(const std::string& text) {
  std::uint32_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error == std::errc{} && end == text.data() + text.size()) return pid;
  throw CLI::ValidationError("'" + text + "' is no process id. " + programsPlace("frames", text));
}

Result<FrameFiles> openFiles(const FramesOptions& options) {
  FrameFiles files;
  const std::array wanted{std::pair(&options.csv, FrameFormat::Csv), std::pair(&options.json, FrameFormat::Json),
                          std::pair(&options.trace, FrameFormat::Trace)};
  for (const auto& [file, format] : wanted) {
    if (file->empty()) continue;
    if (const auto opened = files.open(*file, format); !opened) return tl::unexpected(opened.error());
  }
  if (!options.folded.empty())
    if (const auto opened = files.openFolded(options.folded); !opened) return tl::unexpected(opened.error());
  return files;
}

GameWatchOptions watchOptions(const FramesOptions& options, bool started) {
  const bool madeUp = !options.pid && options.program.empty();  // nobody looks for what ends its frames
  return {.wishes = {.mark = options.mark, .rate = madeUp ? kAssumedRate : options.assumed, .started = started},
          .samples = options.samples,
          .budget = options.rules.budget};
}

// Waits for the collector, the end of time and signals at once.
class Session {
 public:
  Session(const CommonOptions& common, const FramesOptions& options, std::uint32_t pid, FrameFiles files,
          std::optional<StartedProgram> program, Signals signals)
      : m_options(options),
        m_game(common, watchOptions(options, program.has_value()), pid,
               [this](const std::string& sentence) { remark(sentence); }),
        m_watch(options.rules, std::move(files)),
        m_record(options.record),
        m_program(std::move(program)),
        m_signals(std::move(signals)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int run() {
    while (!m_game.ended() && !m_failure) step();
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
    if ((ready & 2U) != 0) onSignal();
    if ((ready & 4U) != 0) onProgramEnd();
    const auto done = m_game.step(Steady::now(), [this](const StreamEvent& event) { return receive(event); });
    if (!done) m_failure = done.error();
    m_watch.showProgress();
  }

  std::optional<Nanoseconds> pause() const {
    const auto left = timeLeft();
    const auto quiet = m_game.quiet(Steady::now());
    return left && quiet ? std::min(*left, *quiet) : left ? left : quiet;
  }

  std::optional<Nanoseconds> timeLeft() const {
    if (m_options.duration == 0ns || m_stopped || !m_game.begun()) return std::nullopt;
    return *m_game.begun() + m_options.duration - Steady::now();
  }

  // The collector still sends what it has, and then the end.
  void stop() {
    if (!m_stopped) m_game.stop();
    m_stopped = true;
  }

  void onSignal() {
    while (const auto signal = m_signals.next()) {
      if (*signal == Signal::Suspend) suspendSelf();
      if (*signal == Signal::Suspend || *signal == Signal::Resize) continue;
      if (m_program) m_program->pass(*signal);
      m_interrupted = true;
      stop();
    }
  }

  Result<void> receive(const StreamEvent& event) {
    if (const auto taken = m_watch.take(event); !taken) return taken;
    return m_record.take(event);
  }

  void onProgramEnd() {
    m_programEnded = true;
    m_game.programEnded();
  }

  void remark(const std::string& sentence) {
    m_watch.clearProgress();
    say(sentence);
  }

  void tell() {
    if (!m_watch.started()) return;
    std::string text;
    for (const std::string& line : m_watch.report()) {
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
    if (!m_interrupted && (m_stopped || m_failure))
      say(fmt::format("{} runs on, and is waited for.", printableName(m_options.program.front())));
    m_program->waitFor(m_signals);
  }

  int exitCode() {
    const int code = m_program ? m_program->exitCode() : ExitCode::kOk;
    if (code != 0) return code;
    if (m_readerGone || m_watch.readerGone()) return ExitCode::kReaderGone;
    if (m_failure) return ExitCode::kFailure;
    if (m_options.failOver == 0ns) return ExitCode::kOk;
    if (!m_watch.tally().longestInFaults) {
      complain("The time inside faults is not known here, so --fail-over cannot be held to.");
      return ExitCode::kFailure;
    }
    return *m_watch.tally().longestInFaults > m_options.failOver ? ExitCode::kTooSlow : ExitCode::kOk;
  }

  const FramesOptions& m_options;
  GameWatch m_game;
  FrameWatch m_watch;
  StreamRecord m_record;
  std::optional<StartedProgram> m_program;
  Signals m_signals;
  std::optional<Error> m_failure;
  bool m_readerGone = false;
  bool m_stopped = false;
  bool m_interrupted = false;
  bool m_programEnded = false;
};

int runFrames(const CommonOptions& common, const FramesOptions& options) {
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  auto files = openFiles(options);
  if (!files) return failed(files.error());
  if (!options.record.empty())
    if (const auto may = mayRecord(fileNamed(options.record), options.force); !may) return failed(may.error());

  std::optional<std::uint32_t> pid = common.demo ? std::optional(kMadeUp) : options.pid;
  std::optional<StartedProgram> program;
  if (!pid) {
    auto started = StartedProgram::start(options.program, files->toStandardOutput());
    if (!started) {
      complain(started.error().message);
      return ExitCode::kNotStarted;
    }
    program = std::move(*started);
    pid = program->pid();
  }
  return Session(common, options, *pid, std::move(*files), std::move(program), std::move(*signals)).run();
}

}  // namespace

void addFrames(Commands& commands) {
  auto options = std::make_shared<FramesOptions>();
  CLI::App* app = commands.app.add_subcommand("frames", "Which frames of a game page faults made late");
  app->footer(kFooter);
  app->add_option("--mark", options->mark, "What ends a frame (default: the best there is)")
      ->type_name("NAME|FILE:FUNCTION");
  app->add_option("--assume", options->assumed, "Take frames of equal length: so many a second, 1 to 1000")
      ->check(CLI::Range(1, 1000))
      ->excludes("--mark")
      ->type_name("HZ");
  app->add_option_function<std::string>(
         "--stacks", [options](const std::string& name) { options->samples = kSampleModes.at(name); },
         "Call stacks of faults: none, of those that hurt (the default), of every 16th, of all")
      ->check(CLI::IsMember(kSampleModes))
      ->type_name("WHICH");
  app->add_option("--csv", options->csv, "A row per frame; - is standard output")->type_name("FILE");
  app->add_option("--json", options->json, "All frames as one JSON document")->type_name("FILE");
  app->add_option("--trace", options->trace, "Trace events for Perfetto and chrome://tracing")->type_name("FILE");
  app->add_option("--folded", options->folded, "Call stacks of the frames that faults have hurt, for flame graphs")
      ->type_name("FILE");
  app->add_option("--record", options->record, "A recording, for 'faultline-cli join'")->type_name("FILE");
  app->add_flag("--force", options->force, "Overwrite the recording if it exists");
  addDuration(*app, "--budget", options->rules.budget, 100us, 10s, "What a frame may last (default 16.7ms)");
  addDuration(*app, "--fail-over", options->failOver, 1us, 10s,
              "End with code 4 if faults took longer than this in some frame");
  addDuration(*app, "-d,--duration", options->duration, 1ms, 1000h,
              "Stop after this time (default: when the game ends)");
  app->add_option_function<std::string>(
      "PID", [options](const std::string& text) { options->pid = pidOf(text); },
      "A process; or, after --, a program and its arguments");
  app->callback([&commands, options] {
    const bool demo = commands.common->demo;
    options->program = commands.program;
    commands.takesProgram = true;
    if (options->record == "-") throw CLI::ValidationError("A recording for 'faultline-cli join' goes into a file.");
    checkDistinct({options->csv, options->json, options->trace, options->folded, options->record});
    const int games = (demo ? 1 : 0) + (options->pid ? 1 : 0) + (options->program.empty() ? 0 : 1);
    if (games > 1 && demo) throw CLI::ValidationError("With --demo there is a made-up game, and no other.");
    if (games != 1) throw CLI::ValidationError("Name either a process id or, after --, a program and its arguments.");
    commands.run = [&commands, options] { return runFrames(*commands.common, *options); };
  });
}

}  // namespace faultline

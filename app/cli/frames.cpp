// faultline-cli frames: which frames of a game its page faults made late, while it runs and in files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "app/cli/command.h"
#include "app/cli/exit_code.h"
#include "app/cli/frame_files.h"
#include "app/cli/frame_watch.h"
#include "app/cli/live_stream.h"
#include "app/cli/say.h"
#include "app/cli/stream_record.h"
#include "core/text/duration.h"
#include "core/text/quantity.h"
#include "platform/desktop/signals.h"
#include "platform/desktop/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFooter =
    "The game marks its frames itself: it calls faultline_frame(\"render\") of faultline_frame.h once per frame.\n"
    "For a game that does not, --assume takes frames of equal length: what faults took in each is told, but not which\n"
    "of the game's own frames was late.\n"
    "Watches until the game exits, --duration is over, or Ctrl-C; then the summary and the frames that faults hurt "
    "most\n"
    "go to standard output (to standard error if an export goes there). Ends with PROGRAM's exit code if that is not "
    "0\n"
    "(128 + n when signal n killed it), else with 4 if faults took longer than --fail-over in some frame.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli frames -- ./game --level 3\n"
    "  faultline-cli frames --csv frames.csv --trace frames.json --duration 1min 4711\n"
    "  faultline-cli frames --fail-over 2ms -- ./benchmark";

constexpr Nanoseconds kProgramPatience = 10s;  // for the first mark of a program that we start
constexpr Nanoseconds kPatience = 500ms;       // of one that runs already

using Steady = std::chrono::steady_clock;

struct FramesOptions {
  std::vector<std::string> target;
  std::string mark;
  std::string csv;
  std::string json;
  std::string trace;
  std::string record;
  unsigned assumed = 0;  // frames a second; 0: the game marks them
  FrameRules rules;
  Nanoseconds failOver{0};
  Nanoseconds duration{0};  // 0: no end
};

// The pid, if it is one process and no program that was asked for.
std::optional<std::uint32_t> pidOf(const FramesOptions& options) {
  const std::string& text = options.target.front();
  if (options.target.size() > 1 || text.empty() || text.size() > 9) return std::nullopt;
  if (text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return static_cast<std::uint32_t>(std::stoul(text));
}

Result<FrameFiles> openFiles(const FramesOptions& options) {
  FrameFiles files;
  const std::array wanted{std::pair(&options.csv, FrameFormat::Csv), std::pair(&options.json, FrameFormat::Json),
                          std::pair(&options.trace, FrameFormat::Trace)};
  for (const auto& [file, format] : wanted) {
    if (file->empty()) continue;
    if (const auto opened = files.open(*file, format); !opened) return tl::unexpected(opened.error());
  }
  return files;
}

Result<LiveStream> startWatching(const CommonOptions& common, const FramesOptions& options, std::uint32_t pid,
                                 Nanoseconds patience) {
  std::vector<std::string> arguments{"watch", std::to_string(pid), "--wait", durationText(patience)};
  if (options.assumed > 0) arguments.insert(arguments.end(), {"--assume", std::to_string(options.assumed)});
  if (!options.mark.empty()) arguments.insert(arguments.end(), {"--mark", options.mark});
  return LiveStream::start(common, std::move(arguments), patience);
}

// Waits for the collector, the end of time and signals at once.
class Session {
 public:
  Session(const FramesOptions& options, LiveStream stream, FrameFiles files, std::optional<ChildProcess> program,
          Signals signals)
      : m_options(options),
        m_stream(std::move(stream)),
        m_watch(options.rules, std::move(files)),
        m_record(options.record),
        m_program(std::move(program)),
        m_signals(std::move(signals)) {}

  int run() {
    while (!m_watch.ended() && !m_failure) step();
    m_watch.clearProgress();
    if (const auto finished = m_watch.finish(); !finished && !m_failure) m_failure = finished.error();
    if (m_failure) complain(m_failure->message);
    tell();
    return exitCode();
  }

 private:
  void step() {
    const std::array handles{m_stream.ready(), m_signals.ready()};
    const std::uint32_t ready = waitAny(handles, timeLeft());
    if (ready == 0) stop();
    if ((ready & 2U) != 0) onSignal();
    if ((ready & 1U) != 0) receive();
    m_watch.showProgress();
  }

  std::optional<Nanoseconds> timeLeft() const {
    if (m_options.duration == 0ns || m_stopped || !m_watch.started()) return std::nullopt;
    return *m_watch.started() + m_options.duration - Steady::now();
  }

  // The collector still sends what it has, and then the end.
  void stop() {
    if (!m_stopped) m_stream.stop();
    m_stopped = true;
  }

  void onSignal() {
    while (const auto signal = m_signals.next()) {
      if (*signal == Signal::Suspend) suspendSelf();
      if (*signal == Signal::Terminate && m_program) m_program->terminate();
      if (*signal == Signal::Interrupt || *signal == Signal::Terminate) stop();
    }
  }

  void receive() {
    m_stream.receive();
    for (;;) {
      const auto event = m_stream.next();
      if (!event) m_failure = event.error();
      if (!event || std::holds_alternative<NeedMoreBytes>(*event)) break;
      if (const auto taken = m_watch.take(*event); !taken) m_failure = taken.error();
      if (const auto taken = m_record.take(*event); !taken) m_failure = taken.error();
    }
    if (m_stream.ended() && !m_watch.ended() && !m_failure) m_failure = whyNothing();
  }

  // Before the first frame the collector's own sentence is all that is to be said.
  Error whyNothing() {
    m_stream.stop();
    const Error why = m_stream.whyEnded();
    if (m_watch.started()) return why;
    constexpr std::string_view kSaid = "faultline-collector: ";
    const std::size_t said = why.message.find(kSaid);
    const std::size_t end = why.message.rfind(" Start this again");
    if (said == std::string::npos || end == std::string::npos || end < said) return why;
    return {why.message.substr(said + kSaid.size(), end - said - kSaid.size())};
  }

  void tell() {
    if (!m_watch.started()) return;
    std::string text;
    for (const std::string& line : m_watch.report()) text += line + "\n";
    if (m_watch.exportsToStandardOutput()) fmt::print(stderr, "{}", text);
    else if (const auto written = StandardOutput().write(text); !written) m_failure = written.error();
  }

  int exitCode() {
    const int code = m_program ? m_program->wait().shellCode() : ExitCode::kOk;
    if (code != 0) return code;
    if (m_failure) return ExitCode::kFailure;
    if (m_options.failOver == 0ns) return ExitCode::kOk;
    if (!m_watch.tally().longestInFaults) {
      complain("The time inside faults is not known here, so --fail-over cannot be held to.");
      return ExitCode::kFailure;
    }
    return *m_watch.tally().longestInFaults > m_options.failOver ? ExitCode::kTooSlow : ExitCode::kOk;
  }

  const FramesOptions& m_options;
  LiveStream m_stream;
  FrameWatch m_watch;
  StreamRecord m_record;
  std::optional<ChildProcess> m_program;
  Signals m_signals;
  std::optional<Error> m_failure;
  bool m_stopped = false;
};

int runFrames(const CommonOptions& common, const FramesOptions& options) {
  if (common.demo) return failed({"The invented machine has no frames. Leave --demo out."});
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  auto files = openFiles(options);
  if (!files) return failed(files.error());

  std::optional<std::uint32_t> pid = pidOf(options);
  std::optional<ChildProcess> program;
  if (!pid) {
    auto started = ChildProcess::start(
        {.program = options.target.front(),
         .arguments = {options.target.begin() + 1, options.target.end()},
         .output = files->toStandardOutput() ? ChildStream::ToStandardError : ChildStream::Inherit});
    if (!started) {
      complain(started.error().message);
      return ExitCode::kNotStarted;
    }
    program = std::move(*started);
    pid = program->pid();
  }
  auto stream = startWatching(common, options, *pid, program ? kProgramPatience : kPatience);
  if (!stream) return failed(stream.error());
  return Session(options, std::move(*stream), std::move(*files), std::move(program), std::move(*signals)).run();
}

}  // namespace

void addFrames(Commands& commands) {
  auto options = std::make_shared<FramesOptions>();
  CLI::App* app = commands.app.add_subcommand("frames", "Which frames of a game page faults made late");
  app->footer(kFooter);
  app->add_option("--mark", options->mark, "Which of the game's frame marks (default: the first it has set)")
      ->type_name("NAME");
  app->add_option("--assume", options->assumed, "For a game without marks: frames a second, 1 to 1000")
      ->check(CLI::Range(1, 1000))
      ->type_name("HZ");
  app->add_option("--csv", options->csv, "A row per frame; - is standard output")->type_name("FILE");
  app->add_option("--json", options->json, "All frames as one JSON document")->type_name("FILE");
  app->add_option("--trace", options->trace, "Trace events for Perfetto and chrome://tracing")->type_name("FILE");
  app->add_option("--record", options->record, "A recording, for 'faultline-cli join'")->type_name("FILE");
  addDuration(*app, "--budget", options->rules.budget, 100us, 10s, "What a frame may last (default 16.7ms)");
  addDuration(*app, "--fail-over", options->failOver, 1us, 10s,
              "End with code 4 if faults took longer than this in some frame");
  addDuration(*app, "-d,--duration", options->duration, 1ms, 1000h,
              "Stop after this time (default: when the game ends)");
  app->add_option("TARGET", options->target, "A process id; or, after --, a program and its arguments")->required();
  app->callback(
      [&commands, options] { commands.run = [&commands, options] { return runFrames(*commands.common, *options); }; });
}

}  // namespace faultline

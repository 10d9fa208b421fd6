// faultline-cli record: write the collector's stream to a file for a time, until Ctrl-C, or while a program runs.
#include <algorithm>
#include <array>
#include <chrono>

#include "app/cli/commands/command.h"
#include "app/cli/stacks/process_stacks.h"
#include "app/cli/stream/recorder.h"
#include "app/cli/stream/started_program.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "platform/host/recorded_file.h"
#include "platform/host/signals.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kRecordFooter =
    "Records all processes until Ctrl-C, until --duration is over, or until PROGRAM ends. The exit code is then\n"
    "that of PROGRAM (128 + n if signal n killed it). If --duration is over first, the command waits for\n"
    "PROGRAM to end. With '-o -' the recording goes to standard output, and the output of PROGRAM to standard\n"
    "error. With --force, FILE is overwritten after the first snapshot has arrived and PROGRAM has started.\n"
    "With --ring, FILE is renamed to FILE.before each time it holds TIME, in place of the one before it: both\n"
    "hold the last TIME to twice TIME, also after a crash, and 'cat FILE.before FILE' is one recording.\n"
    "SIGUSR1 then copies what both hold to a recording beside them, named by the time as FILE-DATE-TIME.faultline.\n"
    "Without -o, the recording is faultline-DATE-TIME.faultline in the current folder, by local time.\n"
    "\n"
    "With --stacks, in place of a recording, the call stacks of the page faults of one process (-p), not of those\n"
    "that it starts, are written at the end. Faults whose call stack is not known count as [no call stack], so\n"
    "that all together are those that the kernel has counted. Of many faults, some stand for the others.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli record --duration 60s\n"
    "  faultline-cli record -o build.faultline --interval 100ms -- make -j8\n"
    "  faultline-cli record -o - --duration 10s | faultline-cli export - --format csv\n"
    "  faultline-cli record -o day.faultline --ring 1h --interval auto --duration 8h\n"
    "  faultline-cli record --stacks -p 4711 -d 10s --pprof faults.pb.gz";

using Steady = std::chrono::steady_clock;

struct RecordOptions {
  std::string file;
  Nanoseconds duration{0};  // 0: no end
  Nanoseconds interval = 500ms;
  bool faster = false;  // while a spike runs
  Nanoseconds ring{0};  // 0: all is kept
  bool force = false;
  std::vector<std::string> program;
  bool stacks = false;    // in place of a recording
  std::uint32_t pid = 0;  // of --stacks
  FrameFileNames files;   // the same
};

Result<void> mayBegin(const RecordOptions& options) {
  if (options.ring > 0ns) return mayRecordRing(pathFromUtf8(options.file), options.force);
  return mayRecordTo(options.file, options.force);
}

// One recording. Waits at once for the collector, the program, signals and the end of --duration.
class Session {
 public:
  Session(const RecordOptions& options, Recorder recorder, Signals signals)
      : m_options(options), m_signals(std::move(signals)), m_recorder(std::move(recorder)) {}

  int run() {
    record();
    if (!m_failure) {
      if (const auto finished = m_recorder.finish(m_signals.interrupt()); !finished) m_failure = finished.error();
    }
    for (const std::string& line : m_recorder.complaints()) say(line);
    tell();
    if (m_program) m_program->waitFor(m_signals);
    return exitCode();
  }

 private:
  void record() {
    m_heard = Steady::now();
    while (!m_done && !m_failure) {
      const std::array handles{m_recorder.ready(), m_signals.ready(), m_program ? m_program->ended() : kNoHandle};
      const auto left = timeLeft();
      const Nanoseconds patience = m_heard + m_recorder.patience() - Steady::now();
      const std::uint32_t ready = waitAny(handles, std::min(left.value_or(patience), patience));
      if (ready == 0 && left && *left <= patience) m_done = true;
      else if (ready == 0) m_failure = m_recorder.sentNothing();
      if ((ready & 1U) != 0) receive();
      if ((ready & 2U) != 0) onSignal();
      if ((ready & 4U) != 0) m_done = true;
    }
  }

  std::optional<Nanoseconds> timeLeft() const {
    if (m_options.duration == 0ns || !m_start) return std::nullopt;
    return *m_start + m_options.duration - Steady::now();
  }

  void receive() {
    m_heard = Steady::now();
    if (const auto received = m_recorder.receive(); !received) m_failure = received.error();
    else if (!m_start && m_recorder.monitor().snapshots() > 0) begin();
  }

  // The program starts after the first snapshot, so that the recording covers the whole run.
  void begin() {
    m_start = Steady::now();
    if (!m_options.program.empty()) {
      auto program = StartedProgram::start(m_options.program, m_options.file == "-");
      if (program) m_program = std::move(*program);
      else m_notStarted = program.error();
      m_done = !program;
    }
    if (m_done) return;
    if (const auto begun = m_recorder.begin(); !begun) m_failure = begun.error();
  }

  // The first signal ends the recording, or is passed to the program, whose end ends the recording. The second signal
  // ends the recording in either case.
  void onSignal() {
    while (const auto signal = m_signals.next()) {
      if (*signal == Signal::Suspend) suspendSelf();
      if (*signal == Signal::Save) saveRing();
      if (*signal == Signal::Suspend || *signal == Signal::Resize || *signal == Signal::Save) continue;
      if (m_program) m_program->pass(*signal);
      m_done |= !m_program || m_program->abandoned();
    }
  }

  void saveRing() const {
    if (m_options.ring == 0ns) return say("SIGUSR1 copies the recording only with --ring: all is kept already.");
    if (m_recorder.bytes() == 0) return say("Nothing is recorded yet.");
    copyRingBeside(pathFromUtf8(m_options.file));
  }

  void tell() {
    if (m_recorder.readerGone()) return;
    if (m_failure) complain(m_failure->message);
    if (m_notStarted) complain(m_notStarted->message);
    if (m_recorder.bytes() == 0) return;
    for (const std::string& line : m_recorder.summary()) say(line);
    sayLeftOut(m_recorder.leftOut());
    if (!m_program) return;
    const auto cost = m_recorder.costOf(m_program->pid());
    say(cost ? *cost + "."
             : m_options.program.front() + " ended between two sweeps and was not measured. Use a shorter --interval.");
  }

  int exitCode() {
    if (m_notStarted) return ExitCode::kNotStarted;
    const int code = m_program ? m_program->exitCode() : ExitCode::kOk;
    if (code != 0) return code;
    if (m_failure) return m_recorder.readerGone() ? ExitCode::kReaderGone : ExitCode::kFailure;
    return m_recorder.bytes() > 0 ? ExitCode::kOk : ExitCode::kInterrupted;
  }

  const RecordOptions& m_options;
  Signals m_signals;  // outlives the recorder, which waits for the end of its collector
  Recorder m_recorder;
  std::optional<StartedProgram> m_program;
  std::optional<Steady::time_point> m_start;
  Steady::time_point m_heard{};  // the collector
  std::optional<Error> m_failure;
  std::optional<Error> m_notStarted;
  bool m_done = false;
};

int runRecord(const CommonOptions& common, const RecordOptions& options) {
  auto signals = Signals::listen(true);
  if (!signals) return failed(signals.error());
  if (const auto may = mayBegin(options); !may) return failed(may.error());
  auto stream = CollectorStream::startWithServices(common, {.interval = options.interval, .faster = options.faster});
  if (!stream) return failed(stream.error());
  const Existing existing = options.force ? Existing::Overwrite : Existing::Keep;
  Recorder recorder(std::move(*stream), pathFromUtf8(options.file), existing, common, options.ring);
  return Session(options, std::move(recorder), std::move(*signals)).run();
}

int runStacks(const CommonOptions& common, const RecordOptions& options) {
  constexpr std::uint32_t kSyntheticPid = 1;  // any pid serves: the synthetic game is no process
  auto files = openFiles(options.files);
  if (!files) return failed(files.error());
  return recordStacks(common, options.pid == 0 ? kSyntheticPid : options.pid, options.duration, std::move(*files));
}

void addStackOptions(CLI::App& app, RecordOptions& options) {
  app.add_flag("--stacks", options.stacks, "Write the call stacks of the page faults of a process");
  app.add_option("-p,--pid", options.pid, "The process of --stacks")
      ->check(CLI::Range(1U, 1U << 30U))
      ->type_name("PID");
  addFrameFiles(app, options.files, FrameOutputs::CallStacks);
}

void checkStacks(const CLI::App& app, const RecordOptions& options, bool synthetic) {
  const std::vector<std::string> files(options.files.begin(), options.files.end());
  const bool none = std::ranges::all_of(files, &std::string::empty);
  if (!options.stacks && (!none || options.pid != 0))
    throw CLI::ValidationError("A process and files of call stacks are for --stacks.");
  if (!options.stacks) return;
  if (!options.program.empty() || (options.pid == 0 && !synthetic))
    throw CLI::ValidationError("--stacks is for a running process: name it with -p. Of a program, use stat --stacks.");
  for (const char* const name : {"--output", "--force", "--ring", "--interval"})
    if (app.count(name) > 0) throw CLI::ValidationError(std::string(name) + " does not apply to --stacks.");
  if (none) throw CLI::ValidationError("Name a file for the call stacks: --folded, --pprof or --speedscope.");
  checkDistinct(files);
}

}  // namespace

void addRecord(Commands& commands) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* app =
      commands.app.add_subcommand("record", "Record all processes to a file, for a time or while a program runs");
  app->footer(kRecordFooter);
  app->add_option("-o,--output", options->file,
                  "The recording to write; - is standard output (default: a file named by date and time)")
      ->type_name("FILE");
  app->add_flag("--force", options->force, "Overwrite FILE if it exists");
  addDuration(*app, "-d,--duration", options->duration, 1ms, 1000h, "Stop after this time (default: never)");
  CLI::Option* ring = addDuration(*app, "--ring", options->ring, 1s, 1000h,
                                  "Keep the last of this time alone, at least, in FILE and FILE.before");
  addInterval(*app, options->interval, options->faster);
  addStackOptions(*app, *options);
  addProgram(*app);
  app->callback([&commands, options, ring, app] {
    if (options->file.empty()) options->file = nameByTime("faultline");
    if (ring->count() > 0 && options->file == "-") throw CLI::ValidationError("--ring needs a file: name one with -o");
    options->program = commands.program;
    commands.takesProgram = true;
    checkStacks(*app, *options, commands.common->synthetic);
    commands.run = [&commands, options] {
      return options->stacks ? runStacks(*commands.common, *options) : runRecord(*commands.common, *options);
    };
  });
}

}  // namespace faultline

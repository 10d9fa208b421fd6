// faultline-cli now, save: ask the Faultline that runs for the present numbers of a process, which is done in
// milliseconds, or for what just happened, as a recording.
#include <fmt/format.h>

#include <sstream>

#include "app/cli/commands/command.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/recording/recent.h"
#include "core/recording/recording.h"
#include "core/text/quantity.h"
#include "platform/host/answers.h"
#include "platform/host/recorded_file.h"
#include "platform/host/standard_output.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kNowFooter =
    "Asks a Faultline of this user that measures already: the tray app, else 'faultline-cli serve'. It answers at\n"
    "once with the numbers of its last sample, for a prompt, a script, or MangoHud's line exec=. --format json has\n"
    "two lines, as those of 'snapshot --format json', with this process alone.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli now -p 4711\n"
    "  faultline-cli now -p 4711 --format json";

int runNow(std::uint32_t pid, bool json) {
  const auto answer = askRunning(std::to_string(pid) + (json ? " json" : ""));
  if (!answer) return failed(answer.error());
  StandardOutput out;
  const auto written = out.write(*answer);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

constexpr const char* kSaveFooter =
    "Asks the tray app of this user, which keeps the last hour of all that it measures in memory, at most 32 MiB.\n"
    "'faultline-cli serve' keeps no past. 'faultline-cli record --ring 1h' keeps it on disk: SIGUSR1 copies it.\n"
    "Without -o, the recording is faultline-DATE-TIME.faultline in the current folder, by local time.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli save\n"
    "  faultline-cli save --last 1min -o stutter.faultline\n"
    "  faultline-cli save --last 1h -o - | faultline-cli export - --format csv";

constexpr AnswerLimits kAnswerLimits{.within = 60s, .bytes = std::size_t{256} << 20U};

struct SaveOptions {
  std::string file;
  Nanoseconds last = 10min;
  bool force = false;
};

// Writes a recording once it has begun, and sums it up.
class Saved {
 public:
  explicit Saved(const SaveOptions& options) : m_options(options) {}

  Result<void> take(const RecordingEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) return m_writer ? m_writer->add(*hello) : begin(*hello);
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr || !m_writer) return {};
    if (!m_from) m_from = (*snapshot)->time;
    m_to = (*snapshot)->time;
    return m_writer->add(**snapshot);
  }

  Result<void> finish() {
    if (!m_writer) return fail("The tray app has sent no recording.");
    if (const auto finished = m_writer->finish(); !finished) return finished;
    say(fmt::format("Saved {} in {} snapshots{}: {}.", formatDuration(m_from ? m_to - *m_from : 0ns),
                    m_writer->snapshots(), m_options.file == "-" ? "" : " to " + m_options.file,
                    formatBytes(m_writer->bytes())));
    return {};
  }

  [[nodiscard]] bool readerGone() const { return m_writer && m_writer->readerGone(); }

 private:
  Result<void> begin(const Hello& hello) {
    auto writer = beginRecording(pathFromUtf8(m_options.file), m_options.force ? Existing::Overwrite : Existing::Keep,
                                 m_standardOutput, hello);
    if (!writer) return tl::unexpected(writer.error());
    m_writer = std::move(*writer);
    return {};
  }

  const SaveOptions& m_options;
  StandardOutputBuffer m_standardOutput;
  std::optional<RecordingWriter> m_writer;
  std::optional<MonotonicTime> m_from;
  MonotonicTime m_to;
};

Result<void> save(const std::string& recording, Saved& saved) {
  std::stringbuf bytes(recording, std::ios::in);
  RecordingFile file = RecordingFile::read(bytes, "The answer");
  while (true) {
    const auto event = file.next();
    if (!event) return tl::unexpected(event.error());
    if (std::holds_alternative<RecordingEnd>(*event)) return saved.finish();
    if (const auto taken = saved.take(*event); !taken) return taken;
  }
}

int runSave(const SaveOptions& options) {
  if (const auto may = mayRecordTo(options.file, options.force); !may) return failed(may.error());
  const auto recording = askRunning(recentQuestion(options.last), kAnswerLimits);
  if (!recording) return failed(recording.error());
  Saved saved(options);
  const auto done = save(*recording, saved);
  if (done) return ExitCode::kOk;
  return saved.readerGone() ? ExitCode::kReaderGone : failed(done.error());
}

}  // namespace

void addNow(Commands& commands) {
  struct Now {
    std::uint32_t pid = 0;
    std::string format = "text";
  };
  auto options = std::make_shared<Now>();
  CLI::App* app = commands.app.add_subcommand("now", "Ask the Faultline that runs about a process");
  app->footer(kNowFooter);
  app->add_option("-p,--pid", options->pid, "The process")->check(CLI::Range(1U, 1U << 30U))->type_name("PID");
  app->add_option("--format", options->format, "text or json (default text)")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app->callback([&commands, options] {
    if (options->pid == 0) throw CLI::ValidationError("now requires a process: -p PID.");
    commands.run = [options] { return runNow(options->pid, options->format == "json"); };
  });
}

void addSave(Commands& commands) {
  auto options = std::make_shared<SaveOptions>();
  CLI::App* app = commands.app.add_subcommand("save", "Save what just happened, as the tray app has measured it");
  app->footer(kSaveFooter);
  app->add_option("-o,--output", options->file,
                  "The recording to write; - is standard output (default: a file named by date and time)")
      ->type_name("FILE");
  addDuration(*app, "--last", options->last, 1s, 1h, "How much of the past to save (default 10min)");
  app->add_flag("--force", options->force, "Overwrite FILE if it exists");
  app->callback([&commands, options] {
    if (options->file.empty()) options->file = nameByTime("faultline");
    commands.run = [options] { return runSave(*options); };
  });
}

}  // namespace faultline

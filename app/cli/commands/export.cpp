// faultline-cli export: write a recording as CSV or JSON, with one moment in memory at a time.
#include <algorithm>
#include <iostream>
#include <utility>

#include "app/cli/commands/command.h"
#include "app/cli/frames/watch.h"
#include "app/cli/stream/moment_filter.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/progress.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/monitor/own_processes.h"
#include "core/recording/recording.h"
#include "platform/host/standard_output.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kExportFooter =
    "Writes one row (CSV) or one element of \"processes\" (JSON) per process and sweep. Of a recording of\n"
    "'frames --record', writes one row or element per frame, with its culprit. The readable part of a truncated\n"
    "or damaged recording is exported, with exit code 3.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli export build.faultline --format csv > build.csv\n"
    "  faultline-cli export build.faultline --from 10s --to 20s --process cc1plus\n"
    "  ssh host faultline-cli record -o - -d 10s | faultline-cli export - -f jsonl";

constexpr std::size_t kWriteBytes = std::size_t{256} << 10U;

struct ExportOptions {
  std::string file;
  std::string format = "csv";
  MomentFilter filter;
  FrameRules rules;
};

template <class Formats>
auto* formatOf(const Formats& formats, const std::string& name) {
  const auto found = std::ranges::find(formats, name, [](const auto& format) { return format.name; });
  return found == formats.end() ? nullptr : &*found;
}

template <class Formats>
std::string formatNames(const Formats& formats) {
  std::string names;
  for (const auto& format : formats) names.append(names.empty() ? "" : ", ").append(format.name);
  return names;
}

template <class Formats>
std::string namesOnlyOf(const Formats& formats, const auto& others) {
  std::string names;
  for (const auto& format : formats)
    if (std::ranges::find(others, format.name, [](const auto& other) { return other.name; }) == std::end(others))
      names.append(names.empty() ? "" : " and ").append(format.name);
  return names;
}

// Derives each moment from the last two snapshots, and appends the rows that pass the filter to a document.
class MomentSource {
 public:
  MomentSource(const ExportOptions& options, const MomentFormat& format)
      : m_filter(options.filter),
        m_writer(format.make()),
        m_escapesNames(format.name == "csv" && isTerminal(StandardStream::Output)) {}

  void add(const Hello& hello, std::string& out) {
    m_hasPrevious = m_hasPrevious && isOfSameCollector(hello, m_hello);
    m_hello = hello;
    m_helloSeen = true;
    m_writer->begin(hello, out);
  }

  void add(const Snapshot& snapshot, std::string& out) {
    if (!m_helloSeen) add(Hello(), out);  // the recording's Hello may be damaged
    if (!m_start) m_start = snapshot.time;
    derive(m_hello, m_hasPrevious ? &m_previous : nullptr, snapshot, m_moment);
    m_own.leaveOut(m_hello, m_moment);
    m_previous = snapshot;
    m_leftOut = std::max(m_leftOut, snapshot.system.get(SystemMetric::ProcessesLeftOut).value_or(0));
    m_hasPrevious = true;
    if (!m_filter.wants(snapshot.time - *m_start)) return;
    if (!m_filter.anyProcess())
      std::erase_if(m_moment.rows, [this](const ProcessRow& row) { return !m_filter.wants(row); });
    if (m_escapesNames) makeNamesPrintable(m_moment);
    m_writer->add(m_moment, out);
    m_rows += m_moment.rows.size();
  }

  [[nodiscard]] std::uint64_t rows() const { return m_rows; }
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }

  void finish(std::string& out) { m_writer->end(out); }

 private:
  MomentFilter m_filter;
  std::unique_ptr<MomentExporter> m_writer;
  bool m_escapesNames;
  Hello m_hello;
  Snapshot m_previous;
  bool m_helloSeen = false;
  bool m_hasPrevious = false;
  std::optional<MonotonicTime> m_start;
  Moment m_moment;
  OwnProcesses m_own;
  std::uint64_t m_rows = 0;
  std::uint64_t m_leftOut = 0;
};

Result<RecordingFile> openRecording(const std::string& file) {
  if (file == "-") return RecordingFile::read(*std::cin.rdbuf(), "standard input");
  return RecordingFile::open(pathFromUtf8(file));
}

// Copies a recording to standard output until the recording ends or a write fails. Its first Hello tells whether it
// holds sweeps or the frames of a game.
class Export {
 public:
  Export(RecordingFile reader, const ExportOptions& options)
      : m_options(options),
        m_file(options.file == "-" ? "Standard input" : options.file),
        m_reader(std::move(reader)),
        m_progress(m_reader.bytesTotal()) {}

  int run() {
    while (!m_ended) {
      readOne();
      if (m_ended && m_moments) m_moments->finish(m_text);
      if (m_ended && m_frames) checkFrames(m_frames->finish());
      if (!m_ended && m_text.size() < kWriteBytes) continue;
      if (const auto written = m_out.write(m_text); !written) {
        m_progress.clear();
        return failedWrite(m_out, written.error());
      }
      m_text.clear();
      m_progress.show(m_reader.bytesRead());
    }
    m_progress.clear();
    if (m_frames && m_frames->readerGone()) return ExitCode::kReaderGone;
    if (m_moments) sayLeftOut(m_moments->leftOut());
    if (m_moments && m_moments->rows() == 0 && m_reader.snapshots() > 0)
      say("No process in this recording matches the filter.");
    const bool some = m_reader.snapshots() + m_reader.gameFrames() > 0;
    if (m_trouble.empty() && !some) m_trouble = m_file + " holds neither sweeps of processes nor frames of a game.";
    if (m_trouble.empty()) return ExitCode::kOk;
    complain(m_trouble);
    return some && !m_failed ? ExitCode::kIncomplete : ExitCode::kFailure;
  }

 private:
  void readOne() {
    const auto event = m_reader.next();
    if (!event) return check(tl::unexpected(event.error()));
    const auto* const hello = std::get_if<Hello>(&*event);
    const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
    if (!m_moments && !m_frames && (hello != nullptr || snapshot != nullptr)) {
      if (const auto begun = hello != nullptr && hello->watched ? beginFrames() : beginMoments(); !begun) {
        m_failed = true;
        return check(begun);
      }
    }
    if (m_frames) checkFrames(m_frames->take(streamEvent(*event)));
    else if (hello != nullptr) m_moments->add(*hello, m_text);
    else if (snapshot != nullptr) m_moments->add(**snapshot, m_text);
    if (!std::holds_alternative<RecordingEnd>(*event)) return;
    if (const std::string remark = m_reader.remark(); !remark.empty()) m_trouble = m_file + ": " + remark;
    m_ended = true;
  }

  Result<void> beginMoments() {
    const MomentFormat* const format = formatOf(kMomentFormats, m_options.format);
    if (format == nullptr)
      return fail(m_file + " holds sweeps of processes, whose formats are " + formatNames(kMomentFormats) + ".");
    m_moments.emplace(m_options, *format);
    return {};
  }

  Result<void> beginFrames() {
    const FrameFormat* const format = formatOf(kFrameFormats, m_options.format);
    if (format == nullptr)
      return fail(m_file + " holds the frames of a game, whose formats are " + formatNames(kFrameFormats) + ".");
    if (!m_options.filter.anyProcess()) return fail(m_file + " holds the frames of a game: --process does not apply.");
    FrameFiles files;
    if (const auto opened = files.open("-", *format); !opened) return opened;
    m_frames = std::make_unique<FrameWatch>(m_options.rules, std::move(files));
    m_frames->replay(pathFromUtf8(m_file), m_options.filter.from, m_options.filter.to);
    return {};
  }

  void check(const Result<void>& done) {
    if (done) return;
    m_trouble = done.error().message;
    m_ended = true;
  }

  void checkFrames(const Result<void>& done) {
    m_failed = m_failed || !done;
    check(done);
  }

  const ExportOptions& m_options;
  std::string m_file;
  RecordingFile m_reader;
  std::optional<MomentSource> m_moments;
  std::unique_ptr<FrameWatch> m_frames;
  ProgressBar m_progress;
  StandardOutput m_out;
  std::string m_text;
  std::string m_trouble;
  bool m_failed = false;  // to write, or because the options do not fit the recording
  bool m_ended = false;
};

int runExport(const ExportOptions& options) {
  auto reader = openRecording(options.file);
  return reader ? Export(std::move(*reader), options).run() : failed(reader.error());
}

void addFilterOptions(CLI::App& app, const std::shared_ptr<ExportOptions>& options) {
  MomentFilter& filter = options->filter;
  addDuration(app, "--from", filter.from, 0ns, 1000h, "Start at this time since the start of the recording");
  addDuration(app, "--to", filter.to, 0ns, 1000h, "Stop at this time since the start of the recording");
  app.add_option_function<std::string>(
         "-p,--process", [options](const std::string& text) { filterByProcess(text, options->filter); },
         "Only processes with this pid, this text in their name or, after unit:, in their service")
      ->type_name("PID|NAME");
  app.final_callback([options] {
    if (options->filter.to < options->filter.from) throw CLI::ValidationError("--to is earlier than --from.");
  });
}

}  // namespace

void addExport(Commands& commands) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* app = commands.app.add_subcommand("export", "Write a recording to standard output as CSV or JSON");
  app->footer(kExportFooter);
  app->add_option("FILE", options->file, "The recording; - is standard input")->required();
  std::vector<std::string> names;
  const auto name = [&](const auto& formats) {
    for (const auto& format : formats)
      if (std::ranges::find(names, format.name) == names.end()) names.emplace_back(format.name);
  };
  name(kMomentFormats);
  name(kFrameFormats);
  app->add_option("-f,--format", options->format,
                  "Of sweeps all but " + namesOnlyOf(kFrameFormats, kMomentFormats) + "; of frames all but " +
                      namesOnlyOf(kMomentFormats, kFrameFormats) + "; default csv")
      ->check(CLI::IsMember(names))
      ->type_name("FORMAT");
  addDuration(*app, "--budget", options->rules.budget, 100us, 10s,
              "The longest frame in time (default: the game's own cadence, or 16.7ms)");
  addFilterOptions(*app, options);
  app->parse_complete_callback([&commands, options] { commands.run = [options] { return runExport(*options); }; });
}

}  // namespace faultline

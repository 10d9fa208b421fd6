// faultline-cli export: write a recording as CSV or JSON, with one moment in memory at a time.
#include <algorithm>
#include <iostream>
#include <utility>

#include "app/cli/commands/command.h"
#include "app/cli/stream/moment_filter.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/progress.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/recording/recording.h"
#include "platform/host/standard_output.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFooter =
    "Writes one row (CSV) or one element of \"processes\" (JSON) per process and sweep. The readable part of a\n"
    "truncated or damaged recording is exported, with exit code 3.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli export build.faultline --format csv > build.csv\n"
    "  faultline-cli export build.faultline --from 10s --to 20s --process cc1plus\n"
    "  ssh host faultline-cli record -o - --duration 10s | faultline-cli export - --format jsonl";

constexpr std::size_t kWriteBytes = std::size_t{256} << 10U;

struct ExportOptions {
  std::string file;
  const MomentFormat* format = nullptr;
  MomentFilter filter;
};

// Derives each moment from the last two snapshots, and appends the rows that pass the filter to a document.
class MomentSource {
 public:
  explicit MomentSource(const ExportOptions& options)
      : m_filter(options.filter),
        m_writer(options.format->make()),
        m_escapesNames(options.format->name == "csv" && isTerminal(StandardStream::Output)) {}

  void add(const Hello& hello, std::string& out) {
    m_hello = hello;
    m_helloSeen = true;
    m_hasPrevious = false;
    m_writer->begin(hello, out);
  }

  void add(const Snapshot& snapshot, std::string& out) {
    if (!m_helloSeen) add(Hello(), out);  // the recording's Hello may be damaged
    if (!m_start) m_start = snapshot.time;
    derive(m_hello, m_hasPrevious ? &m_previous : nullptr, snapshot, m_moment);
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
  std::uint64_t m_rows = 0;
  std::uint64_t m_leftOut = 0;
};

Result<RecordingFile> openRecording(const std::string& file) {
  if (file == "-") return RecordingFile::read(*std::cin.rdbuf(), "standard input");
  return RecordingFile::open(pathFromUtf8(file));
}

// Copies a recording to standard output until the recording ends or a write fails.
class Export {
 public:
  Export(RecordingFile reader, const ExportOptions& options)
      : m_file(options.file == "-" ? "Standard input" : options.file),
        m_reader(std::move(reader)),
        m_exporter(options),
        m_progress(m_reader.bytesTotal()) {}

  int run() {
    while (!m_ended) {
      readOne();
      if (m_ended) m_exporter.finish(m_text);
      else if (m_text.size() < kWriteBytes) continue;
      if (const auto written = m_out.write(m_text); !written) {
        m_progress.clear();
        return failedWrite(m_out, written.error());
      }
      m_text.clear();
      m_progress.show(m_reader.bytesRead());
    }
    m_progress.clear();
    sayLeftOut(m_exporter.leftOut());
    if (m_exporter.rows() == 0 && m_reader.snapshots() > 0) say("No process in this recording matches the filter.");
    if (m_trouble.empty() && m_reader.snapshots() == 0)
      m_trouble = m_file + " holds no sweep of processes. 'faultline-cli join' reads recordings of 'frames --record'.";
    if (m_trouble.empty()) return ExitCode::kOk;
    complain(m_trouble);
    return m_reader.snapshots() > 0 ? ExitCode::kIncomplete : ExitCode::kFailure;
  }

 private:
  void readOne() {
    const auto event = m_reader.next();
    if (!event) {
      m_trouble = event.error().message;
      m_ended = true;
    } else if (const auto* hello = std::get_if<Hello>(&*event)) {
      m_exporter.add(*hello, m_text);
    } else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) {
      m_exporter.add(**snapshot, m_text);
    } else if (std::holds_alternative<RecordingEnd>(*event)) {
      if (const std::string remark = m_reader.remark(); !remark.empty()) m_trouble = m_file + ": " + remark;
      m_ended = true;
    }
  }

  std::string m_file;
  RecordingFile m_reader;
  MomentSource m_exporter;
  ProgressBar m_progress;
  StandardOutput m_out;
  std::string m_text;
  std::string m_trouble;
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
         "Only processes with this pid, or with this text in their name")
      ->type_name("PID|NAME");
  app.final_callback([options] {
    if (options->filter.to < options->filter.from) throw CLI::ValidationError("--to is earlier than --from.");
  });
}

}  // namespace

void addExport(Commands& commands) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* app = commands.app.add_subcommand("export", "Write a recording to standard output as CSV or JSON");
  app->footer(kFooter);
  app->add_option("FILE", options->file, "The recording; - is standard input")->required();
  addFormat(*app, options->format);
  addFilterOptions(*app, options);
  app->parse_complete_callback([&commands, options] { commands.run = [options] { return runExport(*options); }; });
}

}  // namespace faultline

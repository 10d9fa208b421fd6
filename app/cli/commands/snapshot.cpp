// faultline-cli snapshot: sweep twice and write the second sweep, with the rates since the first.
#include <fstream>

#include "app/cli/commands/command.h"
#include "app/cli/stream/calibrated.h"
#include "app/cli/stream/collector.h"
#include "app/cli/stream/moment_filter.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/monitor/monitor.h"
#include "platform/host/standard_output.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kSnapshotFooter =
    "Sweeps twice, --interval apart, and writes one row (CSV) or one element of \"processes\" (JSON) per\n"
    "process, with rates over that interval. An empty field (null in JSON) is an unavailable value, not zero.\n"
    "CSV prefixes an apostrophe to a name that a spreadsheet would run as a formula, or that begins with an\n"
    "apostrophe; JSON has each name exactly. Both write a byte that is not UTF-8 as \\xff; JSON then also has\n"
    "the bytes of the name in hexadecimal, in \"name_hex\".\n"
    "\n"
    "Examples:\n"
    "  faultline-cli snapshot --output now.csv\n"
    "  faultline-cli snapshot --process firefox\n"
    "  faultline-cli snapshot --format json | jq '.moments[0].processes[0]'";

struct SnapshotOptions {
  std::string file;  // empty: standard output
  MomentFilter filter;
  const MomentFormat* format = nullptr;
  Nanoseconds interval = 500ms;
};

Result<void> sweepTwice(CollectorStream& stream, Monitor& monitor, const CommonOptions& common) {
  while (monitor.snapshots() < 2) {
    const auto event = stream.waitForEvent();
    if (!event) return tl::unexpected(event.error());
    if (const auto* hello = std::get_if<Hello>(&*event)) ingestCalibrated(monitor, *hello, common);
    else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) monitor.ingest(**snapshot);
    else return tl::unexpected(stream.whyEnded());
  }
  return {};
}

int writeFile(const std::string& name, const std::string& document) {
  std::ofstream file(pathFromUtf8(name), std::ios::binary);
  file << document;
  return file.flush() ? ExitCode::kOk : failed(Error{name + " cannot be written."});
}

int runSnapshot(const CommonOptions& common, const SnapshotOptions& options) {
  if (!options.file.empty() && options.file != "-")
    if (const auto may = mayWrite(pathFromUtf8(options.file)); !may) return failed(may.error());
  auto stream = CollectorStream::startWithServices(common, {.interval = options.interval});
  if (!stream) return failed(stream.error());
  Monitor monitor;
  const auto swept = sweepTwice(*stream, monitor, common);
  for (const std::string& line : stream->complaints()) say(line);
  if (!swept) return failed(swept.error());
  sayLeftOut(monitor.now().system.get(SystemMetric::ProcessesLeftOut).value_or(0));

  std::string document;
  const auto writer = options.format->make();
  writer->begin(monitor.hello(), document);
  Moment moment = monitor.now();
  std::erase_if(moment.rows, [&](const ProcessRow& row) { return !options.filter.wants(row); });
  if (moment.rows.empty() && !options.filter.anyProcess()) say("No process matches --process.");
  const bool toOutput = options.file.empty() || options.file == "-";
  if (options.format->name == "csv" && toOutput && isTerminal(StandardStream::Output)) makeNamesPrintable(moment);
  writer->add(moment, document);
  writer->end(document);
  if (!toOutput) return writeFile(options.file, document);
  StandardOutput out;
  const auto written = out.write(document);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

}  // namespace

void addSnapshot(Commands& commands) {
  auto options = std::make_shared<SnapshotOptions>();
  CLI::App* app = commands.app.add_subcommand("snapshot", "Write every process once, with rates, as CSV or JSON");
  app->footer(kSnapshotFooter);
  addFormat(*app, options->format);
  addInterval(*app, options->interval);
  app->add_option("-o,--output", options->file, "The file to write, which is overwritten (default: standard output)")
      ->type_name("FILE");
  app->add_option_function<std::string>(
         "-p,--process", [options](const std::string& text) { filterByProcess(text, options->filter); },
         "Only processes with this pid, this text in their name or, after unit:, in their service")
      ->type_name("PID|NAME");
  app->callback([&commands, options] {
    commands.run = [&commands, options] { return runSnapshot(*commands.common, *options); };
  });
}

}  // namespace faultline

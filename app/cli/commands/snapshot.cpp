// faultline-cli snapshot: two sweeps, so that there are rates, and the second as data.
#include "app/cli/commands/command.h"
#include "app/cli/stream/live_stream.h"
#include "app/cli/stream/moment_writer.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/monitor/monitor.h"
#include "platform/host/standard_output.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFooter =
    "Sweeps twice, so that there are rates, and writes one row (CSV) or one element of \"processes\" (JSON) per "
    "process.\n"
    "An empty field (null in JSON) is a value that is not available, which is not zero.\n"
    "In CSV a name that a spreadsheet would take for a formula, or that begins with an apostrophe, gets a leading "
    "one;\n"
    "JSON has every name exactly. A byte that is no UTF-8 is shown as \\xff in both; JSON has the bytes of such a "
    "name\n"
    "beside it, as hexadecimal digits in \"name_hex\".\n"
    "\n"
    "Examples:\n"
    "  faultline-cli snapshot --format csv > now.csv\n"
    "  faultline-cli snapshot --format json --interval 2s | jq '.moments[0].processes[0]'";

struct SnapshotOptions {
  DataFormat format = DataFormat::Csv;
  Nanoseconds interval = 500ms;
};

Result<void> takeTwo(LiveStream& stream, Monitor& monitor) {
  while (monitor.snapshots() < 2) {
    const auto event = stream.waitForEvent();
    if (!event) return tl::unexpected(event.error());
    if (const auto* hello = std::get_if<Hello>(&*event)) monitor.ingest(*hello);
    else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) monitor.ingest(**snapshot);
    else return tl::unexpected(stream.whyEnded());
  }
  return {};
}

int runSnapshot(const CommonOptions& common, const SnapshotOptions& options) {
  auto stream = LiveStream::start(common, options.interval);
  if (!stream) return failed(stream.error());
  Monitor monitor;
  const auto taken = takeTwo(*stream, monitor);
  for (const std::string& line : stream->complaints()) say(line);
  if (!taken) return failed(taken.error());
  sayLeftOut(monitor.now().system.get(SystemMetric::ProcessesLeftOut).value_or(0));

  std::string document;
  MomentWriter writer(options.format);
  writer.begin(monitor.hello(), document);
  writer.add(monitor.now(), document);
  writer.finish(document);
  StandardOutput out;
  const auto written = out.write(document);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

}  // namespace

void addSnapshot(Commands& commands) {
  auto options = std::make_shared<SnapshotOptions>();
  CLI::App* app = commands.app.add_subcommand("snapshot", "Every process once, with rates, as CSV or JSON");
  app->footer(kFooter);
  addFormat(*app, options->format);
  addInterval(*app, options->interval);
  app->callback([&commands, options] {
    commands.run = [&commands, options] { return runSnapshot(*commands.common, *options); };
  });
}

}  // namespace faultline

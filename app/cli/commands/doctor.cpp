// faultline-cli doctor: the quality of each number, the reason where a number is unavailable, and the remedy.
#include "app/cli/commands/command.h"
#include "app/cli/commands/doctor_threads.h"
#include "app/cli/frames/own_frames.h"
#include "app/cli/stream/collector.h"
#include "app/cli/text/doctor_report.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/monitor/monitor.h"
#include "core/text/quantity.h"
#include "platform/host/costs/conditions.h"
#include "platform/host/standard_output.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kDoctorFooter =
    "Starts the collector for a few sweeps, and tells in about ten lines which numbers there are, which are\n"
    "missing, the line to type that enables them, and what measuring costs. With --all, or for the numbers whose\n"
    "title or column has NUMBER in it, prints the quality of each: exact, estimated (and how), or unavailable\n"
    "(why, and what enables the number). Put the output of --all into a bug report.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli doctor\n"
    "  faultline-cli doctor zeroed\n"
    "  faultline-cli doctor --all > report.txt";

constexpr std::uint64_t kSweeps = 4;
constexpr int kWidestText = 110;

struct DoctorOptions {
  bool json = false;
  bool all = false;
  std::string number;  // part of a number's name; empty: the summary, or all
  bool threads = false;
  Nanoseconds interval = 250ms;
};

Result<Findings> examine(CollectorStream& stream) {
  Monitor monitor;
  Findings findings{.collector = stream.collector(), .hello = {}, .collectorCpuShare = {}, .frames = {}};
  std::optional<MonotonicTime> start;
  while (findings.sweeps < kSweeps) {
    const auto event = stream.waitForEvent();
    if (!event) return tl::unexpected(event.error());
    if (const auto* hello = std::get_if<Hello>(&*event)) monitor.ingest(*hello);
    const auto* sweep = std::get_if<const Snapshot*>(&*event);
    if (sweep == nullptr) continue;
    const Snapshot& snapshot = **sweep;
    monitor.ingest(snapshot);
    if (!start) start = snapshot.time;
    if (++findings.sweeps > 1)
      findings.achievedInterval = (snapshot.time - *start) / static_cast<std::int64_t>(findings.sweeps - 1);
    findings.scan = snapshot.scan;
    findings.processes = snapshot.processes.size();
    findings.missedDeadlines = snapshot.system.get(SystemMetric::MissedDeadlines).value_or(0);
    findings.droppedSnapshots = snapshot.system.get(SystemMetric::DroppedSnapshots).value_or(0);
  }
  findings.hello = monitor.hello();
  findings.collectorCpuShare = monitor.collectorCpuShare();
  return findings;
}

// The report contains colour sequences and cannot be escaped as a whole: escape each text in it.
void makePrintable(Quality& quality) {
  quality.how = printableName(quality.how);
  quality.enable = printableName(quality.enable);
}

void makePrintable(Findings& findings) {
  Hello& hello = findings.hello;
  for (Quality& quality : hello.process) makePrintable(quality);
  for (Quality& quality : hello.system) makePrintable(quality);
  for (std::string* text : {&hello.version, &hello.source, &hello.clock, &hello.machine.system,
                            &hello.machine.processor, &findings.costSettings, &findings.costWarning})
    *text = printableName(*text);
  for (FrameFindings& frames : findings.frames) {
    frames.why = printableName(frames.why);
    if (!frames.game) continue;
    for (const FrameQuality& row : kFrameQualities) makePrintable((*frames.game).*row.quality);
  }
}

int runDoctor(const CommonOptions& common, const DoctorOptions& options) {
  if (options.threads) return runThreadCheck(common);
  auto stream = CollectorStream::start(common, {.interval = options.interval});
  if (!stream) return failed(stream.error());
  auto findings = examine(*stream);
  for (const std::string& line : stream->complaints()) say(line);
  if (!findings) return failed(findings.error());
  if (!common.synthetic) {
    findings->frames = examineFrames(common);
    findings->costSettings = costSettings();
    findings->costWarning = costWarning();
  }
  const int columns = std::min(
      terminalSize(StandardStream::Output).value_or(TerminalSize{.columns = kWidestText}).columns, kWidestText);
  StandardOutput out;
  if (isTerminal(StandardStream::Output)) makePrintable(*findings);
  const Paint paint = Paint::forStream(StandardStream::Output);
  const std::string text = options.json              ? reportJson(*findings)
                           : !options.number.empty() ? numberText(*findings, options.number, paint, columns)
                           : options.all             ? reportText(*findings, paint, columns)
                                                     : summaryText(*findings, columns);
  if (text.empty()) {
    complain("No number has '" + options.number + "' in its name. 'faultline-cli doctor --all' lists them.");
    return ExitCode::kUsage;
  }
  const auto written = options.json ? out.write(text) : out.writeUnescaped(text);
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

}  // namespace

void addDoctor(Commands& commands) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* app = commands.app.add_subcommand("doctor", "List the numbers available here, and why others are not");
  app->footer(kDoctorFooter);
  app->add_option_function<std::string>(
         "-f,--format", [options](const std::string& name) { options->json = name == "json"; },
         "text (default) or json, which has all numbers")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app->add_option("NUMBER", options->number, "Only the numbers with this text in their name");
  app->add_flag("--all", options->all, "Every number, and how it is measured");
  app->add_flag("--zeroing-threads", options->threads,
                "On Windows: ask for pages, touch and free them, and print which threads of the system work then,\n"
                "in place of the report");
  addInterval(*app, options->interval);
  app->callback(
      [&commands, options] { commands.run = [&commands, options] { return runDoctor(*commands.common, *options); }; });
}

}  // namespace faultline

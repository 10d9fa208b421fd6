#include "app/cli/lab/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

#include "app/cli/lab/trace.h"
#include "app/cli/stream/collector.h"
#include "app/cli/text/say.h"
#include "core/lab/memory_need.h"
#include "core/lab/view/progress.h"
#include "core/lab/view/text.h"
#include "platform/host/child_process.h"
#include "platform/host/lab/isolation.h"
#include "platform/host/lab/memory.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct Faults {
  std::uint64_t own = 0;
  std::uint64_t children = 0;  // ended ones
};

std::optional<Faults> parseFaults(std::string_view text) {
  Faults faults;
  const char* const end = text.data() + text.size();
  const auto own = std::from_chars(text.data(), end, faults.own);
  if (own.ec != std::errc() || own.ptr == end) return std::nullopt;
  if (std::from_chars(own.ptr + 1, end, faults.children).ec != std::errc()) return std::nullopt;
  return faults;
}

std::optional<LaneRun> parseRun(std::string_view text) {
  std::array<std::int64_t, 2> times{};
  for (std::int64_t& time : times) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (error != std::errc() || end == text.data() + text.size()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  }
  return LaneRun{.name = std::string(text), .from = {Nanoseconds(times[0])}, .to = {Nanoseconds(times[1])}};
}

// Reads the lines of an experiment's process.
class LabReader {
 public:
  explicit LabReader(std::string name) : m_name(std::move(name)) {}

  [[nodiscard]] Result<void> take(std::string_view bytes) {
    m_text += bytes;
    for (std::size_t end = 0; (end = m_text.find('\n')) != std::string::npos; m_text.erase(0, end + 1))
      if (const auto taken = takeLine(std::string_view(m_text).substr(0, end)); !taken) return taken;
    return {};
  }
  [[nodiscard]] bool complete() const { return m_report && m_faults; }
  [[nodiscard]] LabReport report() {
    m_report->ownFaults = m_faults->own;
    return std::move(*m_report);
  }
  [[nodiscard]] std::uint64_t childFaults() const { return m_faults->children; }
  [[nodiscard]] const std::vector<LaneRun>& runs() const { return m_runs; }

 private:
  Result<void> takeLine(std::string_view line) {
    const char kind = line.empty() ? ' ' : line.front();
    const std::string_view rest = line.size() > 2 ? line.substr(2) : std::string_view();
    if (kind == 'P' && !m_report) say(labProgressLine(m_name, rest));
    if (kind == 'S')
      if (auto run = parseRun(rest)) m_runs.push_back(std::move(*run));
    if (kind == 'R') {
      auto reports = parseLabJson(rest);
      if (!reports) return tl::unexpected(reports.error());
      if (!reports->empty()) m_report = std::move(reports->front());
    }
    if (kind == 'F') m_faults = parseFaults(rest);
    return {};
  }

  std::string m_name;
  std::string m_text;
  std::optional<LabReport> m_report;
  std::optional<Faults> m_faults;
  std::vector<LaneRun> m_runs;
};

bool endRequested(Signals& signals) {
  bool requested = false;
  while (const auto signal = signals.next()) {
    if (*signal == Signal::Suspend) suspendSelf();
    requested |= *signal == Signal::Interrupt || *signal == Signal::Terminate;
  }
  return requested;
}

// The faults of process `pid`, as a collector sees them after the experiment: a collector that ran beside the
// experiment would take its time.
Result<std::uint64_t> faultsSeen(std::uint32_t pid, CommonOptions common, LabEnd& end) {
  common.faultTime = false;
  auto stream = CollectorStream::start(common, 50ms);
  if (!stream) return tl::unexpected(stream.error());
  for (;;) {
    const auto event = stream->waitForEvent();
    if (!event) return tl::unexpected(event.error());
    if (const auto* hello = std::get_if<Hello>(&*event)) {
      end.machine = hello->machine;
      end.report.machine = fmt::format("{}, {}, {} processors", hello->machine.system, hello->machine.processor,
                                       hello->machine.processors);
    }
    const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
    if (snapshot == nullptr) continue;
    for (const ProcessSample& process : (*snapshot)->processes) {
      if (process.key.pid != pid) continue;
      std::uint64_t faults = 0;
      for (const ProcessMetric metric : {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults})
        faults += process.values.get(metric).value_or(0);
      return faults;
    }
    return fail("The collector did not see the experiment's process.");
  }
}

Result<ChildProcess> startChild(const LabExperiment& experiment, bool quick, bool traced) {
  const auto program = findProgram(executableFolder(), "faultline-cli");
  if (!program) return tl::unexpected(program.error());
  ChildCommand command{.program = *program,
                       .arguments = {"lab", std::string(experiment.name), "--child-of", std::to_string(ownProcess())},
                       .output = ChildStream::Pipe,
                       .quietInput = true,
                       .held = traced,
                       .ownGroup = true};
  if (quick) command.arguments.emplace_back("--quick");
  if (traced) command.arguments.emplace_back("--traced");
  return ChildProcess::start(command);
}

}  // namespace

Result<LabEnd> runExperiment(const LabExperiment& experiment, bool quick, const CommonOptions& common, Signals& signals,
                             const std::string& trace) {
  const std::uint64_t needs = quick ? experiment.needsQuick : experiment.needs;
  if (const auto enough = enoughMemory(experiment.name, needs, availableMemory()); !enough)
    return tl::unexpected(enough.error());
  auto child = startChild(experiment, quick, !trace.empty());
  if (!child) return tl::unexpected(child.error());
  std::optional<LabTrace> lanes;
  if (!trace.empty()) {
    auto started = LabTrace::start(common, child->pid(), trace);
    if (!started) return tl::unexpected(started.error());
    lanes.emplace(std::move(*started));
  }
  say(labProgressLine(experiment.name, labProcessText(child->pid())));
  LabReader reader{std::string(experiment.name)};
  std::vector<std::byte> buffer(std::size_t{1} << 16U);
  while (!reader.complete()) {
    const std::uint32_t ready =
        waitAny(std::array{child->outputReady(), signals.ready(), lanes ? lanes->ready() : kNoHandle}, std::nullopt);
    if ((ready & 2U) != 0 && endRequested(signals)) return LabEnd{.interrupted = true};
    if ((ready & 4U) != 0)
      if (const auto received = lanes->receive(); !received) return tl::unexpected(received.error());
    if (lanes && lanes->watching() && child->held()) child->release();
    if ((ready & 1U) == 0) continue;
    const std::size_t size = child->readOutput(buffer);
    if (size == 0) {
      const ExitStatus status = child->wait();
      return fail(fmt::format("The process of experiment {} ended with {} {} before it had a result.", experiment.name,
                              status.signal == 0 ? "code" : "signal",
                              status.signal == 0 ? status.code : status.signal));
    }
    const auto taken = reader.take({reinterpret_cast<const char*>(buffer.data()), size});
    if (!taken) return tl::unexpected(taken.error());
  }
  LabEnd end{.report = reader.report()};
  if (reader.childFaults() > 0)
    end.report.remarks.push_back(
        fmt::format("Its child processes had {} page faults more, by its own count.", reader.childFaults()));
  if (lanes) {
    for (const LaneRun& run : reader.runs()) lanes->add(run);
    auto told = lanes->finish();
    if (!told) return tl::unexpected(told.error());
    std::ranges::move(*told, std::back_inserter(end.report.remarks));
  }
  const auto seen = faultsSeen(child->pid(), common, end);
  if (seen) end.report.seenFaults = *seen;
  else end.report.notSeen = seen.error().message;
  return end;
}

}  // namespace faultline

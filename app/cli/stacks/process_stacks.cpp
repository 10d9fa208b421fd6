#include "app/cli/stacks/process_stacks.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <utility>

#include "app/cli/stacks/fault_watch.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/text/quantity.h"
#include "platform/host/signals.h"
#include "platform/host/stack_reader.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;
using Counts = FaultWatch::Counts;

constexpr std::size_t kAtOnce = 512;  // samples with their call stacks

void watchUntilDone(FaultWatch& watch, Nanoseconds duration, Signals& signals) {
  const auto end = Steady::now() + duration;
  while (!watch.ended()) {
    const std::array handles{watch.ready(), signals.ready()};
    auto pause = watch.pause();
    if (const Nanoseconds left = end - Steady::now(); duration > 0ns) pause = std::min(pause.value_or(left), left);
    const std::uint32_t ready = waitAny(handles, pause);
    watch.step();
    if (((ready & 2U) != 0 && signals.interrupt().now()) || (duration > 0ns && Steady::now() >= end)) break;
  }
  while (signals.next()) continue;  // a further one ends the wait for the last faults
  watch.stop();
  watch.finish(signals.interrupt());
}

// Writes samples as frames that faults have hit: files of call stacks sum them up.
class StackFiles {
 public:
  StackFiles(FrameFiles& files, const FaultWatch& watch) : m_files(files) {
    m_written = m_files.begin({*watch.watched(), FAULTLINE_VERSION, kDefaultBudget, {}, watch.pageBytes()});
  }

  void add(FaultSample sample) {
    (sample.major ? m_counts.major : m_counts.minor) += sample.weight;
    (sample.major ? m_all.major : m_all.minor) += sample.weight;
    if (!sample.calls) m_withoutStack += sample.weight;
    ++m_samples;
    m_waiting.push_back(std::move(sample));
    if (m_waiting.size() >= kAtOnce) write();
  }

  // `counted`: of the process. Those that were not sampled have no call stack.
  [[nodiscard]] Result<void> finish(const Counts& counted) {
    write();
    m_counts = {counted.minor - std::min(counted.minor, m_all.minor),
                counted.major - std::min(counted.major, m_all.major)};
    m_withoutStack += m_counts.faults();
    m_all = {m_all.minor + m_counts.minor, m_all.major + m_counts.major};
    write();
    return m_written ? m_files.end() : m_written;
  }

  [[nodiscard]] const Counts& all() const { return m_all; }
  [[nodiscard]] std::uint64_t samples() const { return m_samples; }
  [[nodiscard]] std::uint64_t withoutStack() const { return m_withoutStack; }

 private:
  void write() {
    JudgedFrame judged;
    judged.frame.values.setFaults(m_counts.minor, m_counts.major);
    judged.verdict.costly = true;
    if (m_written) m_written = m_files.add(judged, findCulprits(m_waiting, nullptr), {.samples = 1}, m_waiting);
    m_waiting.clear();
    m_counts = {};
  }

  FrameFiles& m_files;
  Result<void> m_written;
  std::vector<FaultSample> m_waiting;
  Counts m_counts;  // not written yet
  Counts m_all;
  std::uint64_t m_samples = 0;
  std::uint64_t m_withoutStack = 0;
};

void tell(const FaultWatch& watch, const StackFiles& files) {
  const auto& [minor, major] = files.all();
  say(fmt::format("{} page faults of {} ({}) in {}: {} minor, {} major.", formatCount(minor + major),
                  printableName(watch.watched()->name), watch.watched()->pid, formatDuration(watch.length()),
                  formatCount(minor), formatCount(major)));
  const std::uint64_t known = minor + major - files.withoutStack();
  if (files.samples() < known)
    say(fmt::format("{} call stacks were read, and stand for {} page faults.", formatCount(files.samples()),
                    formatCount(known)));
  if (files.withoutStack() == 0) return;
  const Quality& samples = watch.watched()->samples;
  const std::string lost =
      watch.lost() == 0 ? "" : fmt::format(" For {} there was no room.", formatCount(watch.lost()));
  const char* const executed =
      watch.executed() ? " Those of the first moments after it has executed another program are among them." : "";
  const std::string why = watch.stackTrouble().empty() ? samples.how + "." : watch.stackTrouble();
  say(fmt::format("{} page faults have no call stack.{}{} {}", formatCount(files.withoutStack()), lost, executed, why));
  if (!samples.enable.empty()) say("For more: " + samples.enable);
}

}  // namespace

int recordStacks(const CommonOptions& common, std::uint32_t pid, Nanoseconds duration, FrameFiles files) {
  auto signals = Signals::listen();
  if (!signals) return failed(signals.error());
  if (const std::string warning = everyFaultWarning(); !warning.empty() && !common.synthetic) say(warning);
  FaultWatch watch(common, {.pid = pid});
  watch.begin(signals->interrupt());
  if (watch.begun() && watch.whyNot().empty())
    say(fmt::format("Reading the page faults of {} ({}).", printableName(watch.watched()->name), watch.watched()->pid));
  watchUntilDone(watch, duration, *signals);
  if (const std::string why = watch.whyNot(); !why.empty()) return failed({why});
  StackFiles out(files, watch);
  watch.read([&](FaultSample sample) { out.add(std::move(sample)); });
  if (const auto finished = out.finish(watch.counted()); !finished)
    return files.readerGone() ? ExitCode::kReaderGone : failed(finished.error());
  tell(watch, out);
  return ExitCode::kOk;
}

}  // namespace faultline

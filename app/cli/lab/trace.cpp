#include "app/cli/lab/trace.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "app/cli/stream/writable.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"
#include "core/watch/options.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kRate = 10;  // frames are not used; faults come every 10 ms in any case
constexpr std::size_t kWriteBytes = std::size_t{1} << 20U;

}  // namespace

Result<LabTrace> LabTrace::start(const CommonOptions& common, std::uint32_t pid, const std::string& file) {
  if (!file.empty())
    if (const auto may = mayWrite(pathFromUtf8(file)); !may) return tl::unexpected(may.error());
  const WatchOptions options{.pid = pid, .assumedRate = kRate, .samples = SampleMode::All, .stacks = false};
  auto stream = CollectorStream::start(common, watchArguments(options), 1s);
  if (!stream) return tl::unexpected(stream.error());
  return LabTrace(std::move(*stream), file);
}

Result<void> LabTrace::begin(const WatchedGame& watched) {
  for (const Quality* const needed : {&watched.samples, &watched.faultTime})  // perf events sample without durations
    if (needed->grade == Grade::Unavailable)
      return fail(fmt::format("Single page faults cannot be traced: {}. {}", needed->how, needed->enable));
  m_lanes.emplace(watched.pid, watched.name);
  if (m_file.empty()) return {};
  const auto unblocked = signalsWhileOpening(pathFromUtf8(m_file));
  errno = 0;
  m_out.open(pathFromUtf8(m_file), std::ios::binary | std::ios::trunc);
  if (m_out) return {};
  return fail(fmt::format("{} cannot be written: {}.", m_file, std::generic_category().message(errno)));
}

Result<void> LabTrace::receive() {
  m_stream.receive();
  for (;;) {
    const auto event = m_stream.next();
    if (!event) return tl::unexpected(event.error());
    if (std::holds_alternative<NeedMoreBytes>(*event)) break;
    if (const auto* const hello = std::get_if<Hello>(&*event); hello != nullptr && hello->watched && !m_lanes)
      if (const auto begun = begin(*hello->watched); !begun) return begun;
    const auto* const batch = std::get_if<const FaultSampleBatch*>(&*event);
    if (batch == nullptr || !m_lanes) continue;
    m_lost = (*batch)->lost;
    for (const FaultSample& sample : (*batch)->samples) m_lanes->add(sample, text());
  }
  if (m_stream.ended() && !m_lanes) return tl::unexpected(m_stream.whyEnded());
  return write(false);
}

Result<void> LabTrace::write(bool last) {
  if (m_file.empty() || (m_text.size() < kWriteBytes && !last)) return {};
  errno = 0;
  m_out << m_text;
  m_text.clear();
  if (last) m_out.close();
  if (m_out) return {};
  return fail(fmt::format("{} cannot be written any further: {}.", m_file, std::generic_category().message(errno)));
}

Result<void> LabTrace::finish(LabReport& report, const Interrupt& interrupt) {
  m_stream.stop();
  while (!m_stream.ended()) {
    if (const auto come = m_stream.waitForData(interrupt); !come) return come;
    if (const auto received = receive(); !received) return received;
  }
  if (!m_lanes) return tl::unexpected(m_stream.whyEnded());
  report.lanes = m_lanes->finish(m_runs, text());
  report.remarks.push_back(
      fmt::format("{} page faults{}, a lane for each thread. Watching made each of them dearer; each way ran once.",
                  (m_file.empty() ? "The lanes hold " : m_file + " holds ") + formatCount(m_lanes->faults()),
                  m_lost > 0 ? fmt::format(" ({} more were lost)", formatCount(m_lost)) : ""));
  return write(true);
}

}  // namespace faultline

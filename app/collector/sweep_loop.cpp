#include "app/collector/sweep_loop.h"

#include <algorithm>
#include <utility>

#include "app/collector/ended_processes.h"
#include "app/collector/pace.h"
#include "app/collector/running_spikes.h"
#include "core/stream/encoder.h"

namespace faultline {
namespace {

constexpr Nanoseconds kLeastApart = std::chrono::milliseconds(10);  // of samples that the reader asks for

class SweepLoop {
 public:
  SweepLoop(Sampler& sampler, Outlet& outlet, const Clock& clock, const SweepOptions& options)
      : m_sampler(sampler),
        m_outlet(outlet),
        m_clock(clock),
        m_options(options),
        m_due(clock.now()),
        m_pace(options.interval) {}

  SweepReport run(const Hello& hello) {
    m_hello = hello;
    if (m_options.faster && m_options.interval > kFastest) m_spikes.emplace(hello);
    m_outlet.serve(m_sampler.errand());
    bool goOn = send(m_encoder.hello(hello));
    while (goOn && m_report.samples != m_options.count) goOn = waitForTurn() && sampleAndSend();
    if (m_report.end == SweepEnd::Counted || m_report.end == SweepEnd::Stopped) finish();
    return m_report;
  }

 private:
  bool waitForTurn() {
    auto wake = m_outlet.waitUntil(m_options.fast ? m_clock.now() : m_due);
    while (wake && *wake == Wake::Asked) {
      m_due = std::min(m_due, std::max(m_clock.now(), m_snapshot.time + kLeastApart));
      wake = m_outlet.waitUntil(m_due);
    }
    if (!wake) return end(SweepEnd::CannotWrite, wake.error().message);
    if (*wake == Wake::Stop) return stop();
    if (*wake == Wake::ReaderGone) return end(SweepEnd::ReaderGone);
    if (!m_options.fast) planNext();
    return true;
  }

  // Takes a last sample off the grid, so that the stream covers the time up to the stop.
  bool stop() {
    if (m_options.fast || sampleAndSend()) end(SweepEnd::Stopped);
    return false;
  }

  // The next deadline is the first on the grid after now.
  void planNext() {
    const auto late = (m_clock.now() - m_due) / m_interval;
    m_report.missed += static_cast<std::uint64_t>(late);
    m_due = m_due + (late + 1) * m_interval;
  }

  void passOnAttention() {
    if (!m_options.attention) return;
    const Attention now = m_options.attention();
    const Attention before = std::exchange(m_attention, now);
    if (now.active != before.active) m_sampler.attend(now.active);
  }

  void choosePace() {
    if (!m_spikes) return;
    const bool spike = m_spikes->add(m_snapshot);
    const Nanoseconds next =
        m_pace.next(m_snapshot.time, m_snapshot.system.get(SystemMetric::CollectorCpu), spike || m_attention.watching);
    if (next == m_interval) return;
    m_due = m_due - m_interval + next;
    m_interval = next;
    m_sampler.pace(next);
  }

  bool sampleAndSend() {
    passOnAttention();
    if (const auto sampled = m_sampler.sample(m_snapshot); !sampled)
      return end(SweepEnd::CannotMeasure, sampled.error().message);
    m_helloDue |= m_sampler.helloChanged();
    if (m_helloDue && !retell()) return false;
    m_snapshot.system.set(SystemMetric::SweepInterval, static_cast<std::uint64_t>(m_interval.count()));
    choosePace();
    m_snapshot.system.set(SystemMetric::MissedDeadlines, m_report.missed);
    m_snapshot.system.set(SystemMetric::DroppedSnapshots, m_report.dropped);
    m_snapshot.system.set(SystemMetric::ProcessesLeftOut, 0);  // replaced by the encoder if necessary
    m_ended.completeExits(m_snapshot);
    ++m_report.samples;
    const std::uint64_t dropped = m_report.dropped;
    const bool goOn = send(m_encoder.snapshot(m_snapshot));
    // All other values are cumulative and come again with the next snapshot.
    if (m_report.dropped > dropped) m_ended.dropped(m_snapshot);
    else m_ended.sent(m_snapshot);
    return goOn;
  }

  bool retell() {
    Hello hello = m_sampler.hello();
    hello.version = m_hello.version;
    hello.interval = m_hello.interval;
    hello.collectorPid = m_hello.collectorPid;
    hello.quality(SystemMetric::SweepInterval) = m_hello.quality(SystemMetric::SweepInterval);
    if (m_spikes) m_spikes->changed(hello);
    const std::uint64_t dropped = m_report.dropped;
    const bool goOn = send(m_encoder.hello(hello));
    m_helloDue = std::exchange(m_report.dropped, dropped) > dropped;  // a Hello is no snapshot
    return goOn;
  }

  bool send(std::span<const std::byte> packet) {
    const auto sent = m_outlet.send(packet);
    if (!sent) return end(SweepEnd::CannotWrite, sent.error().message);
    if (*sent == Sent::ReaderGone) return end(SweepEnd::ReaderGone);
    if (*sent == Sent::Dropped) {
      m_encoder.dropped();
      ++m_report.dropped;
    }
    return true;
  }

  void finish() {
    const auto sent = m_outlet.finish(m_encoder.end());
    if (!sent) end(SweepEnd::CannotWrite, sent.error().message);
  }

  bool end(SweepEnd why, std::string trouble = {}) {
    m_report.end = why;
    m_report.trouble = std::move(trouble);
    return false;
  }

  Sampler& m_sampler;
  Outlet& m_outlet;
  const Clock& m_clock;
  const SweepOptions& m_options;
  MonotonicTime m_due;
  Encoder m_encoder;
  Snapshot m_snapshot;
  EndedProcesses m_ended;
  Hello m_hello;
  bool m_helloDue = false;
  Attention m_attention;
  Pace m_pace;
  Nanoseconds m_interval = m_options.interval;
  std::optional<RunningSpikes> m_spikes;  // if sweeps may be faster
  SweepReport m_report;
};

}  // namespace

SweepReport runSweep(const Hello& hello, Sampler& sampler, Outlet& outlet, const Clock& clock,
                     const SweepOptions& options) {
  return SweepLoop(sampler, outlet, clock, options).run(hello);
}

}  // namespace faultline

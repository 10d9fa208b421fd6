#include "core/watch/sweep_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr int kLongestPause = 30;  // in seconds
constexpr auto kHealthy = 10s;     // after a run of this length the first pause is short again
constexpr auto kRenewed = 10s;     // the least life of a collector that is replaced by a fresh one

}  // namespace

void SweepClient::begin(const SweepRequest& request, Nanoseconds silence, Time now) {
  stop();
  m_request = request;
  m_silence = silence;
  m_nextPause = 1;
  launch(now);
}

void SweepClient::stop() {
  m_running = false;
  m_secondsLeft = 0;
  m_renewal.reset();
  m_why.clear();
  m_owner.endCollector();
}

void SweepClient::launch(Time now) {
  m_decoder = m_request.synthetic ? Decoder() : Decoder(m_complete);
  m_renewal.reset();
  m_countsCycles = false;
  m_launched = m_heard = now;
  m_running = true;
  if (const auto started = m_owner.startCollector(sweepArguments(m_request)); !started)
    lose("The program that measures is missing: " + started.error().message, now);
}

void SweepClient::onBytes(std::span<const std::byte> bytes, Time now) {
  if (!m_running) return;
  m_decoder.feed(bytes);
  while (m_running) {
    const Result<StreamEvent> event = m_decoder.next();
    if (!event && m_decoder.failed()) return lose(event.error().message, now);
    if (!event) continue;  // the decoder has passed over damage
    if (std::holds_alternative<NeedMoreBytes>(*event) || std::holds_alternative<StreamEnd>(*event)) return;
    pass(*event, now);
  }
}

void SweepClient::pass(const StreamEvent& event, Time now) {
  if (std::holds_alternative<const Snapshot*>(event)) {
    m_heard = now;
    if (!std::exchange(m_why, {}).empty()) m_owner.noteTrouble();
  }
  if (const auto* const hello = std::get_if<Hello>(&event)) judge(*hello, now);
  m_owner.take(event);
}

void SweepClient::judge(const Hello& hello, Time now) {
  const bool counts = hello.quality(SystemMetric::ZeroThreadCycles).grade != Grade::Unavailable;
  if (counts) m_renewal.reset();
  else if (m_countsCycles) m_renewal = std::max(now, m_launched + kRenewed);
  m_countsCycles = counts;
}

void SweepClient::onCollectorEnd(const CollectorEnd& end, Time now) {
  if (m_running) lose(end.sentence, now);
}

void SweepClient::lose(std::string why, Time now) {
  m_running = false;
  m_renewal.reset();
  m_owner.endCollector();
  m_why = std::move(why);
  if (now - m_launched >= kHealthy) m_nextPause = 1;
  m_secondsLeft = std::exchange(m_nextPause, std::min(2 * m_nextPause, kLongestPause));
  m_tick = now + 1s;
  m_owner.noteTrouble();
}

void SweepClient::onTime(Time now) {
  if (!due() || now < *due()) return;
  if (m_renewal && now >= *m_renewal) {
    m_owner.endCollector();
    return launch(now);
  }
  if (m_running) return lose("The collector has sent nothing for " + formatDuration(m_silence) + ".", now);
  m_tick += 1s;
  if (--m_secondsLeft == 0) launch(now);
  m_owner.noteTrouble();
}

std::optional<SweepClient::Time> SweepClient::due() const {
  if (m_secondsLeft > 0) return m_tick;
  if (m_running) {
    const Time silent = m_heard + std::chrono::ceil<Time::duration>(m_silence);
    return m_renewal ? std::min(*m_renewal, silent) : silent;
  }
  return std::nullopt;
}

std::string SweepClient::trouble() const {
  if (m_why.empty()) return {};
  if (m_secondsLeft == 0) return m_why + " Trying again now.";
  return fmt::format("{} Trying again in {} s.", m_why, m_secondsLeft);
}

}  // namespace faultline

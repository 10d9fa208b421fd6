#include "core/frames/sample_keeper.h"

#include <algorithm>

namespace faultline {
namespace {

std::size_t bytesOf(const FaultSample& sample) {
  return sizeof(FaultSample) + sample.registers.size() * sizeof(std::uint64_t) + sample.stack.size() +
         sample.threadName.size() + (sample.mapping ? sample.mapping->name.size() : 0);
}

bool holds(const GameFrame& frame, MonotonicTime time) {
  return time >= frame.start && time - frame.start < frame.duration;
}

}  // namespace

void SampleKeeper::add(const FaultSample& sample) {
  if (sample.time < m_end) return addLate(sample);
  if (m_every > 1 && !m_waiting.empty() && m_chance() % m_every != 0) {
    m_waiting.back().weight += sample.weight;
    return;
  }
  m_waiting.push_back(sample);
  m_waitingBytes += bytesOf(sample);
  while (m_waitingBytes > m_bytes / 2 && m_waiting.size() > 1) thinOut();
}

void SampleKeeper::thinOut() {
  std::vector<FaultSample> fewer;
  m_waitingBytes = 0;
  for (FaultSample& sample : m_waiting) {
    if (!fewer.empty() && m_chance() % 2 != 0) {
      fewer.back().weight += sample.weight;
      continue;
    }
    m_waitingBytes += bytesOf(sample);
    fewer.push_back(std::move(sample));
  }
  m_waiting = std::move(fewer);
  m_every *= 2;
}

void SampleKeeper::addLate(const FaultSample& sample) {
  const auto kept = std::ranges::find_if(m_kept.rbegin(), m_kept.rend(),
                                         [&](const Kept& one) { return holds(one.judged.frame, sample.time); });
  if (kept == m_kept.rend()) return;
  const std::size_t bytes = bytesOf(sample);
  if (!kept->samples.empty() && kept->bytes + bytes > m_bytes / 2) {
    kept->samples.back().weight += sample.weight;
    return;
  }
  const auto place = std::ranges::upper_bound(kept->samples, sample.time, {}, &FaultSample::time);
  kept->samples.insert(place, sample);
  kept->bytes += bytes;
  m_keptBytes += bytes;
  makeRoom();
}

void SampleKeeper::add(const JudgedFrame& judged) {
  Kept kept{.judged = judged, .samples = {}, .bytes = sizeof(Kept)};
  m_end = std::max(m_end, judged.frame.end());
  m_waitingBytes = 0;
  std::erase_if(m_waiting, [&](FaultSample& sample) {
    if (sample.time >= m_end) {
      m_waitingBytes += bytesOf(sample);
      return false;
    }
    if (judged.flagged() && holds(judged.frame, sample.time)) {
      kept.bytes += bytesOf(sample);
      kept.samples.push_back(std::move(sample));
    }
    return true;
  });
  if (m_waiting.empty()) m_every = 1;
  if (!judged.flagged()) return;
  std::ranges::sort(kept.samples, {}, &FaultSample::time);
  m_keptBytes += kept.bytes;
  m_kept.push_back(std::move(kept));
  makeRoom();
}

void SampleKeeper::makeRoom() {
  while (m_keptBytes > m_bytes / 2) {
    const auto least =
        std::ranges::max_element(m_kept, [](const Kept& a, const Kept& b) { return worseThan(a.judged, b.judged); });
    m_keptBytes -= least->bytes;
    m_kept.erase(least);
  }
}

// If two frames have the same number, because the game executed another program, returns the later one.
std::vector<SampleKeeper::Kept>::const_iterator SampleKeeper::find(std::uint64_t frame) const {
  const auto kept =
      std::find_if(m_kept.rbegin(), m_kept.rend(), [&](const Kept& one) { return one.judged.frame.number == frame; });
  return kept == m_kept.rend() ? m_kept.end() : std::prev(kept.base());
}

std::span<const FaultSample> SampleKeeper::of(std::uint64_t frame) const {
  const auto kept = find(frame);
  return kept == m_kept.end() ? std::span<const FaultSample>() : std::span(kept->samples);
}

std::vector<std::span<const FaultSample>> SampleKeeper::before(std::uint64_t frame) const {
  std::vector<std::span<const FaultSample>> earlier;
  const auto end = find(frame);
  for (auto kept = m_kept.begin(); end != m_kept.end() && kept != end; ++kept) earlier.emplace_back(kept->samples);
  return earlier;
}

}  // namespace faultline

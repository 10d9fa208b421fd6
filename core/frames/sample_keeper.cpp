#include "core/frames/sample_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "core/culprits/causes.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kFew = 16;                                     // samples that tell a frame's culprits
constexpr Nanoseconds kSamplesComeWithin = std::chrono::seconds(2);  // after their frame

// Of a frame.
template <class Frame>
bool holds(const Frame& frame, MonotonicTime time) {
  return time >= frame.start && time - frame.start < frame.duration;
}

}  // namespace

std::size_t SampleKeeper::bytes() const {
  return m_store.bytes() + m_kept.size() * sizeof(Kept);
}

void SampleKeeper::add(const FaultSample& sample) {
  if (sample.time < m_end) return addLate(sample);
  if (m_every > 1 && !m_waiting.empty() && m_chance() % m_every != 0) {
    m_waiting.back().weight += sample.weight;
    ++m_evidence.merged;
    return;
  }
  m_waiting.push_back(m_store.pack(sample));
  m_waitingBytes += m_waiting.back().bytes;
  while (m_waitingBytes > m_bytes / 2 && m_waiting.size() > 1) {
    m_evidence.merged += thin(m_waiting, m_waiting.size() / 2);
    m_waitingBytes = 0;
    for (const PackedSample& left : m_waiting) m_waitingBytes += left.bytes;
    m_every *= 2;
  }
}

// Returns how many were dropped. Of neighbours, a random one stands for all; each as likely as it has weight.
std::uint64_t SampleKeeper::thin(Samples& samples, std::size_t most) {
  if (samples.size() <= most) return 0;
  for (std::size_t group = 0; group < most; ++group) {
    const auto all = std::span(samples).subspan(group * samples.size() / most);
    const auto some = all.first((group + 1) * samples.size() / most - group * samples.size() / most);
    std::uint64_t weight = 0;
    for (const PackedSample& sample : some) weight += sample.weight;
    auto chosen = some.begin();
    for (std::uint64_t place = m_chance() % std::max<std::uint64_t>(weight, 1);
         place >= chosen->weight && chosen + 1 != some.end();)
      place -= (chosen++)->weight;
    for (const PackedSample& sample : some)
      if (&sample != &*chosen) m_store.drop(sample);
    chosen->weight = weight;
    if (&samples[group] != &*chosen) samples[group] = std::move(*chosen);
  }
  const std::uint64_t dropped = samples.size() - most;
  samples.resize(most);
  samples.shrink_to_fit();
  return dropped;
}

void SampleKeeper::thin(Kept& kept, std::size_t most) {
  const std::uint64_t dropped = thin(kept.samples, most);
  if (!kept.used) m_evidence.merged += dropped;
}

void SampleKeeper::leaveOut(Kept& kept) {
  if (!kept.used && !kept.samples.empty()) ++m_evidence.leftOut;
  for (const PackedSample& sample : kept.samples) {
    m_store.drop(sample);
    if (!kept.used) m_evidence.faultsLeftOut += sample.weight;
  }
  kept.samples.clear();
  kept.samples.shrink_to_fit();
}

void SampleKeeper::addLate(const FaultSample& sample) {
  auto kept = m_kept.rbegin();
  while (kept != m_kept.rend() && sample.time < kept->start) ++kept;
  if (kept == m_kept.rend() || !holds(*kept, sample.time)) return;
  if (kept->used) {
    m_evidence.late += sample.weight;
    return;
  }
  if (!std::exchange(kept->had, true)) ++m_evidence.withSamples;
  else if (kept->samples.empty()) {
    m_evidence.faultsLeftOut += sample.weight;
    return;
  }
  const auto place = std::ranges::upper_bound(kept->samples, sample.time, {}, &PackedSample::time);
  kept->samples.insert(place, m_store.pack(sample));
  makeRoom();
}

void SampleKeeper::add(const JudgedFrame& judged) {
  const FrameVerdict& verdict = judged.verdict;
  Kept kept{.number = judged.frame.number,
            .start = judged.frame.start,
            .duration = judged.frame.duration,
            .hurt = {verdict.lateByFaults, verdict.lateByTeardown, faultWeight(judged), judged.frame.duration},
            .samples = {}};
  m_end = std::max(m_end, judged.frame.end());
  std::erase_if(m_waiting, [&](PackedSample& sample) {
    if (sample.time >= m_end) return false;
    m_waitingBytes -= sample.bytes;
    if (judged.flagged() && holds(judged.frame, sample.time)) kept.samples.push_back(std::move(sample));
    else m_store.drop(sample);
    return true;
  });
  if (m_waiting.empty()) m_every = 1;
  if (!judged.flagged()) return;
  ++m_evidence.frames;
  kept.had = !kept.samples.empty();
  if (kept.had) ++m_evidence.withSamples;
  std::ranges::sort(kept.samples, {}, &PackedSample::time);
  kept.samples.shrink_to_fit();
  m_kept.push_back(std::move(kept));
  makeRoom();
}

void SampleKeeper::judgeAnew(const SampleEvidence& before) {
  m_evidence.frames = before.frames;
  m_evidence.withSamples = before.withSamples;
  m_evidence.leftOut = before.leftOut;
}

void SampleKeeper::addAgain(const JudgedFrame& judged) {
  if (!judged.flagged()) return;
  ++m_evidence.frames;
  const auto kept = find(judged.frame.number);
  if (kept != m_kept.end() && !kept->samples.empty()) ++m_evidence.withSamples;
}

void SampleKeeper::setUsed(std::uint64_t frame) {
  const auto kept = find(frame);
  if (kept != m_kept.end()) m_kept[static_cast<std::size_t>(kept - m_kept.begin())].used = true;
}

// Makes more room than is needed, to look at all frames seldom.
void SampleKeeper::makeRoom() {
  if (!full(m_bytes / 2)) return;
  std::erase_if(m_kept, [&](const Kept& kept) { return isOver(kept); });
  const std::size_t wanted = m_bytes / 2 - m_bytes / 16;
  std::vector<Kept*> frames;
  for (Kept& kept : m_kept) frames.push_back(&kept);
  std::ranges::stable_sort(frames, [](const Kept* a, const Kept* b) { return a->hurt < b->hurt; });
  const std::size_t others = frames.size() - std::min(kWorstFrames, frames.size() / 2);
  const auto end = frames.begin() + static_cast<std::ptrdiff_t>(others);
  const auto used = std::stable_partition(frames.begin(), end, [](const Kept* kept) { return kept->used; });
  const auto thinAll = [&](std::span<Kept* const> some) {
    std::size_t most = 0;
    for (const Kept* kept : some) most = std::max(most, kept->samples.size());
    while (most > kFew && full(wanted)) {
      most = std::max(most / 2, kFew);
      for (Kept* kept : some) thin(*kept, most);
    }
  };
  thinAll({frames.begin(), used});
  thinAll({used, end});
  thinAll({end, frames.end()});
  std::size_t over = 0;
  for (auto kept = frames.begin(); kept != frames.end() && full(wanted + over); ++kept) {
    leaveOut(**kept);
    if (isOver(**kept)) over += sizeof(Kept);
  }
  std::erase_if(m_kept, [&](const Kept& kept) { return isOver(kept); });
}

// Has no samples, and none will come.
bool SampleKeeper::isOver(const Kept& kept) const {
  return kept.samples.empty() && m_end - kept.start - kept.duration > kSamplesComeWithin;
}

// In older recordings frames have the same number where the game executed another program: the later one.
std::vector<SampleKeeper::Kept>::const_iterator SampleKeeper::find(std::uint64_t frame) const {
  const auto kept = std::find_if(m_kept.rbegin(), m_kept.rend(), [&](const Kept& one) { return one.number == frame; });
  return kept == m_kept.rend() ? m_kept.end() : std::prev(kept.base());
}

std::vector<FaultSample> SampleKeeper::of(std::uint64_t frame) const {
  std::vector<FaultSample> samples;
  const auto kept = find(frame);
  if (kept == m_kept.end()) return samples;
  samples.reserve(kept->samples.size());
  for (const PackedSample& sample : kept->samples) samples.push_back(m_store.unpack(sample));
  return samples;
}

std::size_t SampleKeeper::countOf(std::uint64_t frame) const {
  const auto kept = find(frame);
  return kept == m_kept.end() ? 0 : kept->samples.size();
}

void SampleKeeper::visitBefore(std::uint64_t frame, std::size_t most,
                               const std::function<void(const FaultSample&)>& visit) const {
  const auto end = find(frame);
  if (end == m_kept.end()) return;
  auto first = end;
  for (std::size_t room = most; first != m_kept.begin() && std::prev(first)->samples.size() <= room; --first)
    room -= std::prev(first)->samples.size();
  std::vector<std::uint64_t> blocks;
  for (const PackedSample& sample : end->samples) blocks.push_back(sample.address >> kBlockBits);
  std::ranges::sort(blocks);
  FaultSample visited;
  for (; first != end; ++first) {
    for (const PackedSample& sample : first->samples) {
      if (!std::ranges::binary_search(blocks, sample.address >> kBlockBits)) continue;
      visited.time = sample.time;
      visited.address = sample.address;
      visit(visited);
    }
  }
}

std::string evidenceText(const SampleEvidence& evidence) {
  const std::uint64_t known = evidence.withSamples - evidence.leftOut;
  std::string text;
  if (known < evidence.frames) {
    text = fmt::format("Culprits of {} of {} frames hit by faults", formatCount(known), formatCount(evidence.frames));
    if (evidence.leftOut > 0) text += fmt::format("; {} left out to save memory", formatCount(evidence.leftOut));
    const std::uint64_t without = evidence.frames - evidence.withSamples;
    if (without > 0) text += fmt::format("; {} without a sampled fault in time", formatCount(without));
    text += ".";
  }
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : " ", formatCount(count), what);
  };
  add(evidence.merged, "single faults are represented by their neighbours, to save memory.");
  add(evidence.late, "single faults came after the culprits of their frame had been found.");
  return text;
}

}  // namespace faultline

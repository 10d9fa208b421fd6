#include "app/tray/frames/recent.h"

#include <algorithm>
#include <span>

namespace faultline {
namespace {

constexpr std::uint64_t kFramesInTurn = 64;

void append(std::span<const std::byte> packet, std::string& out) {
  out.append(reinterpret_cast<const char*>(packet.data()), packet.size());
}

}  // namespace

void UnreadSamples::add(std::vector<FaultSample> samples, const std::shared_ptr<StackReader>& reader) {
  for (FaultSample& sample : samples) m_samples.push_back({std::move(sample), reader});
}

std::optional<FaultSample> UnreadSamples::next() {
  auto& [sample, reader] = m_samples.front();
  if (reader != nullptr && !sample.calls && !reader->ready(sample)) return std::nullopt;
  FaultSample read = resolved(std::move(sample), reader.get());
  m_samples.pop_front();
  return read;
}

RecentFrames::RecentFrames(GameWatch& watch, MonotonicTime from)
    : m_watch(&watch),
      m_place(std::max(watch.sessionBegin(), watch.history().placeAt(from))),
      m_end(watch.history().end()) {}

Piece RecentFrames::next(std::string& out) {
  if (!m_watch) return end(out);
  if (!std::exchange(m_begun, true)) append(m_encoder.hello(m_watch->hello()), out);
  if (!m_samples.empty()) return takeSample(out);
  m_place = std::max({m_place, m_watch->history().begin(), m_watch->sessionBegin()});
  if (m_place >= m_end) return end(out);
  takeFrames(out);
  return Piece::More;
}

void RecentFrames::takeFrames(std::string& out) {
  GameFrameBatch batch;
  const std::uint64_t end = std::min(m_end, m_place + kFramesInTurn);
  for (; m_place < end; ++m_place) {
    batch.frames.push_back(m_watch->history().at(m_place).frame);
    m_samples.add(m_watch->samplesAt(m_place), m_watch->reader());
  }
  append(m_encoder.recordedFrames(batch), out);
}

Piece RecentFrames::takeSample(std::string& out) {
  const auto sample = m_samples.next();
  if (!sample) return Piece::Later;
  std::span<const FaultSample> one(&*sample, 1);
  append(m_encoder.recordedSamples(m_watch->totals().lostSamples, one), out);
  return Piece::More;
}

Piece RecentFrames::end(std::string& out) {
  append(m_encoder.end(), out);
  return Piece::Last;
}

}  // namespace faultline

#include "core/recording/overview.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr std::uint64_t kSpread = 500;                     // places in the first pass
constexpr Nanoseconds kReadWhole = std::chrono::hours(1);  // older time is kept in minutes anyway

// Usual time between two places.
Nanoseconds stepOf(const std::vector<KeyPlace>& places) {
  std::vector<Nanoseconds> steps;
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].time > places[i - 1].time) steps.push_back(places[i].time - places[i - 1].time);
  return median(std::move(steps)).value_or(Nanoseconds(0));
}

}  // namespace

Result<Overview> Overview::open(const std::filesystem::path& path) {
  auto index = KeyIndex::open(path);
  if (!index) return tl::unexpected(std::move(index.error()));
  auto file = RecordingFile::open(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return Overview(std::move(*index), std::move(*file));
}

Overview::Overview(KeyIndex index, RecordingFile file) : m_index(std::move(index)), m_file(std::move(file)) {}

OverviewEvent Overview::next() {
  if (m_place) return readPlace();
  return m_readsRest ? readRest() : nextPlace();
}

OverviewEvent Overview::nextPlace() {
  const auto& places = m_index.keys();
  if (m_pass == Pass::Spread) {
    while (m_next < places.size() && places[m_next].offset < m_due) ++m_next;
    if (m_next == places.size() && m_index.readMore()) return StillReading{};
  }
  if (m_next < places.size() && (m_pass == Pass::Spread || m_next <= m_last)) begin(places[m_next++]);
  else if (places.empty()) return endPass();
  else m_readsRest = true;
  return StillReading{};
}

void Overview::begin(const KeyPlace& place) {
  m_due = place.offset + m_index.bytesTotal() / kSpread;
  m_place = place;
  m_readsHello = place.hello && place.hello != m_hello;
  m_hello = place.hello;
  m_file.seek(m_readsHello ? *place.hello : place.offset);
}

// After a seek no more than the packet has been read, so the first event is of it, or it is damaged.
OverviewEvent Overview::readPlace() {
  auto event = m_file.next();
  if (std::exchange(m_readsHello, false)) {
    m_file.seek(m_place->offset);
    auto* const hello = event ? std::get_if<Hello>(&*event) : nullptr;
    return hello != nullptr ? OverviewEvent(std::move(*hello)) : StillReading{};
  }
  m_place.reset();
  const Snapshot* const* const snapshot = event ? std::get_if<const Snapshot*>(&*event) : nullptr;
  if (snapshot == nullptr) return StillReading{};
  m_newest = (*snapshot)->time;
  return Skimmed{*snapshot, m_step};
}

OverviewEvent Overview::readRest() {
  auto event = m_file.next();
  if (!event || std::holds_alternative<RecordingEnd>(*event)) return endPass();
  if (auto* hello = std::get_if<Hello>(&*event)) return std::move(*hello);
  const auto* snapshot = std::get_if<const Snapshot*>(&*event);
  if (snapshot == nullptr) return StillReading{};
  m_newest = (*snapshot)->time;
  return Skimmed{*snapshot, std::nullopt};
}

// The second pass is left out if it would read everything.
OverviewEvent Overview::endPass() {
  const auto& places = m_index.keys();
  const auto recent = std::find_if(places.rbegin(), places.rend(),
                                   [this](const KeyPlace& place) { return place.time <= m_newest - kReadWhole; });
  m_last = recent == places.rend() ? 0 : static_cast<std::size_t>(places.rend() - recent) - 1;
  m_pass = m_pass == Pass::Spread && m_last > 0 ? Pass::Keys : Pass::Done;
  m_step = stepOf(places);
  m_next = 0;
  m_hello.reset();
  m_readsRest = false;
  return PassEnd{};
}

}  // namespace faultline

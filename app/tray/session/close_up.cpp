#include "app/tray/session/close_up.h"

#include <QElapsedTimer>
#include <algorithm>
#include <filesystem>
#include <utility>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr int kRestMs = 40;
constexpr int kGrownMs = 300;  // longer than a session waits before it shows more of a recording
constexpr Nanoseconds kMostSpan = 1h;
constexpr Nanoseconds kAround = 1min;  // also what the page tells of the minute before an instant
constexpr std::size_t kBudgetBytes = std::size_t{16} << 20U;

MonitorOptions optionsOfCloseUp() {
  MonitorOptions options;
  options.history = {.budgetBytes = kBudgetBytes, .fullResolution = 2 * kMostSpan};
  options.findsSpikes = false;
  return options;
}

}  // namespace

CloseUp::CloseUp(Session& session, const TimeView& view)
    : CloseUp({.file = [&] { return session.viewedPath(); },
               .monitor = [&]() -> const Monitor& { return session.monitor(); },
               .averages = [&] { return session.averages(); },
               .shift = [] { return Nanoseconds(0); },
               .lay = [&](auto closeUp) { session.layCloseUp(std::move(closeUp)); }},
              view) {
  connect(&session, &Session::stateChanged, this, &CloseUp::look);
}

CloseUp::CloseUp(ShownRecording shown, const TimeView& view) : m_shown(std::move(shown)), m_view(view) {
  m_rested.setSingleShot(true);
  connect(&m_rested, &QTimer::timeout, this, &CloseUp::begin);
  connect(&m_slice, &QTimer::timeout, this, &CloseUp::readSlice);
  connect(&view, &TimeView::changed, this, &CloseUp::look);
}

void CloseUp::forget() {
  m_slice.stop();
  m_rested.stop();
  m_index.reset();
  m_indexed = false;
  m_reader.reset();
  m_filled.reset();
  m_range.reset();
}

// Absent: the monitor has all of it.
std::optional<CloseUp::Range> CloseUp::wanted() const {
  if (m_file.isEmpty() || m_view.span() > kMostSpan) return std::nullopt;
  const History& history = m_shown.monitor().history();
  if (!history.oldest()) return std::nullopt;
  const Nanoseconds shift = m_shown.shift();
  const Range range{std::max(m_view.from() - shift - kAround, *history.oldest()),
                    std::min(m_view.to() - shift, *history.newest())};
  const bool whole = !m_shown.averages() && range.from >= *history.newest() - HistoryOptions().fullResolution;
  return whole || range.to <= range.from ? std::nullopt : std::optional(range);
}

bool CloseUp::has(const Range& range) const {
  return m_range && m_range->holds(range) && (m_slice.isActive() || m_shown.monitor().history().hasCloseUp());
}

// Later where the view follows data that still grows, in the first pass through a recording.
void CloseUp::look() {
  if (const QString file = m_shown.file(); m_file != file) {
    forget();
    m_file = file;
  }
  const bool grows = std::exchange(m_newest, m_view.newest()) != m_view.newest();
  const auto range = wanted();
  if (!range || has(*range)) return m_rested.stop();
  if (grows && m_view.live()) m_rested.start(kGrownMs);
  else if (!m_rested.isActive()) m_rested.start(kRestMs);
}

// More than is visible, so that panning a little needs no other.
void CloseUp::begin() {
  const auto range = wanted();
  if (!range || has(*range)) return;
  const std::filesystem::path path(m_file.toStdU16String());
  if (!m_index)
    if (Result<KeyIndex> index = KeyIndex::open(path)) m_index = std::move(*index);
  Result<RecordingFile> reader = RecordingFile::open(path);
  if (!m_index || !reader) return;
  m_reader = std::move(*reader);
  const Nanoseconds around = std::max((range->to - range->from) / 4, kAround);
  m_range = {range->from - around, range->to + around};
  m_filled.reset();
  m_slice.start(0);
}

void CloseUp::readSlice() {
  QElapsedTimer spent;
  spent.start();
  while (m_slice.isActive() && !spent.hasExpired(kSliceMs)) {
    const auto& keys = m_index->keys();
    if (m_filled) readNext();
    else if (m_indexed || (!keys.empty() && keys.back().time > m_range->to)) seek();
    else m_indexed = !m_index->readMore();
  }
}

// To the key snapshot before the range, with the Hello that is valid there.
void CloseUp::seek() {
  const auto& keys = m_index->keys();
  if (keys.empty()) return end();
  const auto before =
      std::find_if(keys.rbegin(), keys.rend(), [this](const KeyPlace& key) { return key.time < m_range->from; });
  const KeyPlace& place = before == keys.rend() ? keys.front() : *before;
  m_filled.emplace(optionsOfCloseUp());
  m_place = place.offset;
  m_readsHello = place.hello.has_value();
  m_reader->seek(place.hello.value_or(place.offset));
}

void CloseUp::readNext() {
  const auto event = m_reader->next();
  if (!event || std::holds_alternative<RecordingEnd>(*event)) return end();
  if (const auto* hello = std::get_if<Hello>(&*event)) m_filled->ingest(*hello);
  if (std::exchange(m_readsHello, false)) return m_reader->seek(m_place);
  const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
  if (snapshot == nullptr) return;
  m_filled->ingest(**snapshot);
  if ((*snapshot)->time > m_range->to) end();
}

void CloseUp::end() {
  m_slice.stop();
  m_reader.reset();
  auto filled = std::exchange(m_filled, std::nullopt);
  if (!filled || filled->snapshots() < 2) return;
  m_shown.lay(std::make_unique<History::CloseUp>(
      History::CloseUp{std::move(*filled).takeHistory(), m_range->from, m_range->to}));
}

}  // namespace faultline

#include "app/tray/frames/culprit_finder.h"

#include <QElapsedTimer>
#include <algorithm>
#include <ranges>
#include <utility>

namespace faultline {
namespace {

constexpr qint64 kTurnNs = 4'000'000;
constexpr int kLookAgainMs = 20;  // between two looks for the answer of a slow reader of stacks
constexpr std::size_t kMostKept = 300;
constexpr Nanoseconds kSamplesComeWithin = std::chrono::seconds(2);

}  // namespace

CulpritFinder::CulpritFinder(GameWatch& watch, QObject* parent) : QObject(parent), m_watch(watch), m_found(kMostKept) {
  connect(&m_timer, &QTimer::timeout, this, &CulpritFinder::turn);
}

// Samples may come after their frame: then the frame is searched again.
bool CulpritFinder::worthAsking(std::uint64_t place) const {
  const std::size_t samples = m_watch.sampleCountAt(place), known = m_found.samplesOf(place);
  return samples > known || (m_whole == place && samples == known && samples > 0);
}

void CulpritFinder::ask(std::uint64_t place) {
  std::erase(m_asked, place);
  if (m_place == place || !worthAsking(place)) return;
  m_asked.push_front(place);
  m_timer.start(0);
}

void CulpritFinder::askForAll(std::uint64_t place) {
  if (m_partly.erase(place) > 0) m_whole = place;
  ask(place);
}

void CulpritFinder::askLater(std::uint64_t place) {
  if (m_place == place || std::ranges::find(m_asked, place) != m_asked.end() || !worthAsking(place)) return;
  m_asked.push_back(place);
  m_timer.start(0);
}

bool CulpritFinder::mayStillCome(std::uint64_t place) const {
  const FrameHistory& history = m_watch.history();
  return place >= history.begin() && place < history.end() &&
         history.newest() - history.startOf(place) < kSamplesComeWithin;
}

// Samples of flagged frames are dropped for those of worse frames, so their culprits are searched early, for the
// export.
void CulpritFinder::notice() {
  const FrameHistory& history = m_watch.history();
  history.visit(std::max(m_noticed, history.begin()), history.end(),
                [this](std::uint64_t place, const JudgedFrame& judged) {
                  if (judged.flagged()) m_waiting.push_back(place);
                });
  m_noticed = history.end();
  std::erase_if(m_waiting, [this](std::uint64_t place) {
    const bool come = worthAsking(place);
    if (come) askLater(place);
    return come || !mayStillCome(place);
  });
  m_texts.erase(m_texts.begin(), m_texts.lower_bound(history.begin()));
  m_partly.erase(m_partly.begin(), m_partly.lower_bound(history.begin()));
}

std::optional<std::string> CulpritFinder::text(std::uint64_t place) {
  ask(place);
  if (busyWith(place)) return std::nullopt;
  const auto text = m_texts.find(place);
  return text == m_texts.end() ? std::string() : text->second;
}

QString CulpritFinder::worst() {
  const auto& worst = m_watch.tally().worst;
  for (const WorstFrames::Row& row : m_watch.worst().rows())
    if (!worst.empty() && row.judged.frame == worst.front().frame)
      if (const auto culprits = found(row.place))
        return QString::fromStdString(culpritText(*culprits, row.judged.frame.faults()));
  return {};
}

std::vector<std::shared_ptr<const Culprits>> CulpritFinder::foundOfWorst(std::size_t most) {
  std::vector<std::shared_ptr<const Culprits>> all;
  for (const WorstFrames::Row& row : m_watch.worst().rows() | std::views::take(most))
    if (auto culprits = found(row.place)) all.push_back(std::move(culprits));
  return all;
}

bool CulpritFinder::busyWith(std::uint64_t place) const {
  return m_place == place || std::ranges::find(m_asked, place) != m_asked.end();
}

void CulpritFinder::begin(std::uint64_t place) {
  m_place = place;
  m_samples = m_watch.samplesAt(place);
  m_count = m_samples.size();
  const bool worst = std::ranges::any_of(m_watch.worst().rows(), [&](const auto& row) { return row.place == place; });
  if (m_watch.budget().isTight() && !worst && m_whole != place && m_samples.size() > kFewSamples) {
    m_partly.insert(place);
    std::vector<FaultSample> some;
    forSomeOf(m_samples, kFewSamples, [&](const FaultSample& sample) { some.push_back(sample); });
    m_samples = std::move(some);
  }
  if (m_whole == place) m_whole.reset();
  m_next = 0;
  m_reader = m_watch.reader();
  m_search.emplace(m_watch.searchAt(place));
}

void CulpritFinder::turn() {
  QElapsedTimer spent;
  spent.start();
  do {
    if (!m_place) {
      if (m_asked.empty()) return m_timer.stop();
      const std::uint64_t place = m_asked.front();
      m_asked.pop_front();
      if (!worthAsking(place)) continue;  // its samples were dropped in the meantime
      begin(place);
    }
    if (m_next < m_samples.size()) {
      m_slow = !m_search->ready(m_samples[m_next]);
      m_timer.setInterval(m_slow ? kLookAgainMs : 0);
      if (m_slow) return;
      m_search->add(m_samples[m_next++]);
    }
    if (m_next == m_samples.size()) return finish();
  } while (spent.nsecsElapsed() < kTurnNs);
}

void CulpritFinder::finish() {
  const std::uint64_t place = *m_place;
  m_place.reset();
  const auto culprits = std::make_shared<const Culprits>(m_search->found());
  if (place >= m_watch.history().begin())
    m_texts[place] = culpritText(*culprits, m_watch.history().at(place).frame.faults());
  m_found.add(place, m_count, culprits);
  m_search.reset();
  m_reader.reset();
  m_samples.clear();
  Q_EMIT foundNow(place, culprits);
}

}  // namespace faultline

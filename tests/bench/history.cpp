// The cost of storing and reading history: an hour of 10 Hz data of 8 processes, an hour of 300 typical processes at
// 2 Hz, a busy day. Prints each figure with its goal in the design.
#include "core/history/history.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// A machine whose first `active` processes change in every interval.
class World {
 public:
  World(std::uint32_t processes, std::uint32_t active, Nanoseconds interval) : m_active(active) {
    m_moment.interval = interval;
    m_moment.gap = Gap::None;
    for (std::uint32_t pid = 1; pid <= processes; ++pid) {
      m_moment.rows.emplace_back().key = {pid, 0};
      m_moment.rows.back().name = "process";
      ProcessValues& values = m_moment.rows.back().values;
      values.set(ProcessMetric::CommitBytes, pid * std::uint64_t{4096});
      values.set(ProcessMetric::ResidentBytes, pid * std::uint64_t{4096});
    }
  }
  const Moment& next() {
    m_moment.time = m_moment.time + m_moment.interval;
    for (ProcessRow& row : m_moment.rows) {
      const bool active = row.key.pid <= m_active;
      row.deltas.set(ProcessMetric::MinorFaults, active ? m_random() % 1000 : 0);
      row.deltas.set(ProcessMetric::MajorFaults, active && m_random() % 100 == 0 ? 1 : 0);
      if (active) row.values.set(ProcessMetric::ResidentBytes, (m_random() % 1000) * 4096);
    }
    m_moment.processTotal.set(ProcessMetric::MinorFaults, m_random() % 100'000);
    return m_moment;
  }

 private:
  Moment m_moment;
  std::uint32_t m_active;
  std::minstd_rand m_random;
};

// CPU time, to exclude other programs; the best of five, to exclude cold caches.
template <class Work>
double microseconds(int times, Work work) {
  double best = 1e300;
  for (int round = 0; round < 5; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < times; ++i) work();
    best = std::min(best, static_cast<double>(std::clock() - begin) * 1e6 / CLOCKS_PER_SEC / times);
  }
  return best;
}

// Microseconds per moment, its creation included.
double fill(History& history, World& world, Nanoseconds span, Nanoseconds interval) {
  const auto moments = span / interval;
  const std::clock_t begin = std::clock();
  for (std::int64_t i = 0; i < moments; ++i) history.add(world.next());
  return static_cast<double>(std::clock() - begin) * 1e6 / CLOCKS_PER_SEC / static_cast<double>(moments);
}

double megabytes(const History& history) {
  return static_cast<double>(history.memoryBytes()) / 1e6;
}

void pinned() {
  World world(300, 45, 100ms);
  History history;
  const double add = fill(history, world, 1h, 100ms);
  const MonotonicTime to = *history.newest();
  std::size_t buckets = 0;
  for (const Nanoseconds span : {Nanoseconds(1min), Nanoseconds(10min), Nanoseconds(1h)}) {
    const double query = microseconds(20, [&] {
      for (std::uint32_t pid = 1; pid <= 8; ++pid) {
        for (const ProcessMetric series :
             {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults, ProcessMetric::ResidentBytes}) {
          buckets += history.process({pid, 0}, series, to - span, to, 1000).size();
        }
      }
    });
    std::printf("10 Hz: 8 processes x 3 series, last %lld min, 1000 columns: %.0f us (to reach: 1000)\n",
                static_cast<long long>(span / 1min), query);
  }
  std::printf("10 Hz: adding 300 processes, 45 active: %.1f us; %.1f MB after an hour\n", add, megabytes(history));
  if (buckets == 0) std::puts("nothing was found");
}

void typical() {
  World world(300, 45, 500ms);
  History history;
  const double add = fill(history, world, 1h, 500ms);
  const MonotonicTime to = *history.newest();
  std::size_t found = 0;
  const double sparklines = microseconds(50, [&] {
    for (std::uint32_t pid = 1; pid <= 300; ++pid) {
      found += history.process({pid, 0}, ProcessMetric::MinorFaults, to - 1min, to, 60).size();
    }
  });
  const double alive = microseconds(50, [&] { found += history.aliveAt(to - 30min).size(); });
  std::printf("2 Hz: adding 300 processes, 45 active: %.1f us; %.1f MB after an hour\n", add, megabytes(history));
  std::printf("300 sparklines: %.0f us (to reach: 1000); living processes: %.0f us (%zu)\n", sparklines, alive, found);
}

void day() {
  World world(300, 300, 500ms);
  History history;
  const double add = fill(history, world, 24h, 500ms);
  std::printf("2 Hz: a day of 300 processes, all active: %.1f MB (budget 67.1), %.1f of 24 h kept, %.1f us to add\n",
              megabytes(history),
              std::chrono::duration<double, std::ratio<3600>>(*history.newest() - *history.oldest()).count(), add);
}

}  // namespace

int main() {
  pinned();
  typical();
  day();
}

#include "core/history/history.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <random>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

struct Sample {
  MonotonicTime time;
  bool gap = false;
  std::optional<float> value;
};

// All samples ever, uncompressed.
struct Truth {
  std::map<std::pair<ProcessKey, ProcessMetric>, std::vector<Sample>> samples;
  std::vector<std::pair<MonotonicTime, bool>> moments;  // time, gap

  static std::optional<float> value(const Moment& moment, const ProcessRow& row, ProcessMetric series) {
    const auto rate = [&](ProcessMetric metric) -> std::optional<float> {
      const auto perSecond = moment.perSecond(row.deltas.get(metric));
      return perSecond ? std::optional(static_cast<float>(*perSecond)) : std::nullopt;
    };
    const auto level = [&](ProcessMetric metric) -> std::optional<float> {
      const auto bytes = row.values.get(metric);
      return bytes ? std::optional(static_cast<float>(*bytes)) : std::nullopt;
    };
    return field(series).kind == MetricKind::Counter ? rate(series) : level(series);
  }
  void add(const Moment& moment) {
    moments.emplace_back(moment.time, moment.gap != Gap::None);
    for (const ProcessRow& row : moment.rows) {
      for (const ProcessMetric series : kKeptMetrics) {
        samples[{row.key, series}].push_back({moment.time, moment.gap != Gap::None, value(moment, row, series)});
      }
    }
    for (auto& [key, series] : samples) {
      if (series.back().time != moment.time) series.push_back({moment.time, moment.gap != Gap::None, std::nullopt});
    }
  }
};

// Processes that idle, work, spike, die, vanish for a while, and lose values; time that runs, jumps and stalls.
class RandomWorld {
 public:
  explicit RandomWorld(unsigned seed, Nanoseconds interval, std::uint32_t processes)
      : m_random(seed), m_interval(interval), m_processes(processes) {
    m_moment.time = {1h};
    m_moment.wallTime = {480'000h};
  }

  const Moment& next() {
    Moment& moment = m_moment;
    const bool gap = chance(0.002);
    moment.interval = gap ? m_interval * between(4, 2000) : m_interval + Nanoseconds(between(-1000, 1000));
    moment.gap = moment.rows.empty() ? Gap::First : gap ? Gap::Late : Gap::None;
    moment.time = moment.time + moment.interval;
    moment.wallTime.sinceEpoch += moment.interval;
    moment.rows.clear();
    for (std::uint32_t pid = 1; pid <= m_processes; ++pid) addRow(pid);
    return moment;
  }

 private:
  void addRow(std::uint32_t pid) {
    std::uint64_t& generation = m_generation[pid];
    if (chance(0.001)) ++generation;                  // dies, and its pid is reused
    if (chance(0.002)) m_away[pid] = between(1, 40);  // cannot be read for a while
    if (m_away[pid] > 0) {
      --m_away[pid];
      return;
    }
    ProcessRow row;
    row.key = {pid, generation};
    row.name = "process " + std::to_string(pid);
    const bool works = pid % 3 == 0 || chance(0.01);
    if (!chance(0.01))
      row.deltas.set(ProcessMetric::MinorFaults, works ? static_cast<std::uint64_t>(between(0, 500)) : 0);
    if (chance(0.0005)) row.deltas.set(ProcessMetric::MinorFaults, 1'000'000);
    row.deltas.set(ProcessMetric::MajorFaults, chance(0.001) ? 3 : 0);
    if (works) m_commit[pid] += static_cast<std::uint64_t>(between(0, 1)) * 4096;
    row.values.set(ProcessMetric::CommitBytes, m_commit[pid]);
    m_moment.rows.push_back(row);
  }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(m_random); }
  int between(int low, int high) { return std::uniform_int_distribution(low, high)(m_random); }

  std::mt19937 m_random;
  Nanoseconds m_interval;
  std::uint32_t m_processes;
  Moment m_moment;
  std::map<std::uint32_t, std::uint64_t> m_generation;
  std::map<std::uint32_t, int> m_away;
  std::map<std::uint32_t, std::uint64_t> m_commit;
};

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-4 * std::max({1.0, std::abs(a), std::abs(b)});
}

// Compares an answer with the truth; returns the error, or an empty text.
std::string wrong(const std::vector<Bucket>& buckets, const std::vector<Sample>& truth, MonotonicTime from,
                  MonotonicTime to, MonotonicTime oldest, std::size_t columns) {
  if (buckets.size() > columns + 8) return "too many buckets";
  auto sample = truth.begin();
  bool gap = true;
  bool instant = false;
  for (const Bucket& bucket : buckets) {
    if (bucket.start > bucket.end || bucket.end < from || bucket.start > to) return "bucket outside the range";
    for (; sample != truth.end() && sample->time < bucket.start; ++sample) {
      if (!sample->value || sample->gap) gap = true;
      if (sample->value && sample->time >= std::max(from, oldest)) return "a sample was lost";
    }
    double sum = 0;
    int count = 0;
    float low = INFINITY;
    float high = -INFINITY;
    for (; sample != truth.end() && sample->time <= bucket.end; ++sample) {
      if (count == 0 && (sample->gap || !sample->value)) gap = true;
      if (!sample->value) continue;
      low = std::min(low, *sample->value);
      high = std::max(high, *sample->value);
      sum += double{*sample->value};
      ++count;
    }
    if (count == 0) return "a bucket of nothing";
    if (bucket.min != low || bucket.max != high) return "minimum or maximum is not the samples'";
    if (bucket.start == bucket.end && count != 1) return "an instant of several samples";
    if (bucket.mean < low || bucket.mean > high) return "mean out of bounds";
    if (bucket.start == bucket.end && !near(bucket.mean, sum)) return "the mean of one sample is not that sample";
    if (bucket.gapBefore && !gap) return "a line is broken without a gap";
    if (gap && instant && bucket.start == bucket.end && !bucket.gapBefore) return "a line leads over a gap";
    if (&bucket == &buckets.front() && !bucket.gapBefore) return "a line leads to the first bucket";
    instant = bucket.start == bucket.end;
    gap = false;
  }
  for (; sample != truth.end() && sample->time <= to; ++sample) {
    if (sample->value && sample->time >= std::max(from, oldest)) return "the last sample was lost";
  }
  return {};
}

void compareWithTruth(unsigned seed, Nanoseconds interval, int moments, HistoryOptions options) {
  RandomWorld world(seed, interval, 12);
  History history(options);
  Truth truth;
  std::mt19937 random(seed + 1);
  for (int i = 0; i < moments; ++i) {
    const Moment& moment = world.next();
    history.add(moment);
    truth.add(moment);
    // A process that died and was dropped may come back, but without its past.
    std::erase_if(truth.samples, [&](const auto& entry) { return !history.name(entry.first.first); });
    if (i % (moments / 40) != 0) continue;
    for (int question = 0; question < 20; ++question) {
      const auto pick = std::next(truth.samples.begin(), random() % static_cast<long>(truth.samples.size()));
      const auto& [key, series] = pick->first;
      const auto moment1 = truth.moments[random() % truth.moments.size()].first + Nanoseconds(random() % 5);
      const auto moment2 = truth.moments[random() % truth.moments.size()].first - Nanoseconds(random() % 5);
      const auto [from, to] = std::minmax(moment1, moment2);
      const std::size_t columns = 1 + random() % 500;
      const auto buckets = history.process(key, series, from, to, columns);
      const std::string what = wrong(buckets, pick->second, from, to, *history.oldest(), columns);
      if (!what.empty()) {
        CAPTURE(seed, i, columns, from.sinceEpoch.count(), to.sinceEpoch.count());
        FAIL_CHECK(what);
        return;
      }
    }
  }
  CHECK(history.memoryBytes() <= options.budgetBytes);
}

}  // namespace

TEST_CASE("Every bucket agrees with its samples and no sample is lost, at any zoom", "[slow]") {
  for (unsigned seed = 1; seed <= 4; ++seed) compareWithTruth(seed, 500ms, 8'000, {});
  compareWithTruth(5, 100ms, 20'000, {});
  compareWithTruth(6, 7s, 12'000, {});
  compareWithTruth(7, 5s, 12'000, {});
}

TEST_CASE("Kept buckets stay correct after the budget has dropped the oldest", "[slow]") {
  compareWithTruth(11, 500ms, 12'000, {.budgetBytes = 200'000});
  compareWithTruth(12, 10ms, 12'000, {.budgetBytes = 300'000});
  compareWithTruth(13, 60s, 12'000, {.budgetBytes = 200'000});
}

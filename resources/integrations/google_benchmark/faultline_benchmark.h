/* Page faults per iteration in Google Benchmark, as counters that each of its reporters prints:
 *
 *   static void parse(benchmark::State& state) {
 *     FaultlineCounters faults(state);
 *     for (auto _ : state) benchmark::DoNotOptimize(parse(text));
 *   }
 *
 * The counters are "faults" (of one iteration) and, where there are some, "major_faults". They count the whole process.
 * Memory that the loop's first turn touches and later turns use again is a fault of that turn alone: its share falls as
 * the iterations grow, so compare runs with a fixed number of them (Iterations(), or --benchmark_min_time=1000x).
 *
 * SPDX-License-Identifier: MIT-0
 */
#ifndef FAULTLINE_BENCHMARK_H
#define FAULTLINE_BENCHMARK_H

#include <benchmark/benchmark.h>

#include "faultline_count.h"

class FaultlineCounters {
 public:
  explicit FaultlineCounters(benchmark::State& state) : m_state(state), m_before(faultline_count()) {}
  FaultlineCounters(const FaultlineCounters&) = delete;
  FaultlineCounters& operator=(const FaultlineCounters&) = delete;

  ~FaultlineCounters() {
    const faultline_counts cost = faultline_count_since(m_before);
    const auto perIteration = [](std::uint64_t count) {
      return benchmark::Counter(static_cast<double>(count), benchmark::Counter::kAvgIterations);
    };
    m_state.counters["faults"] = perIteration(cost.faults);
    if (cost.major_faults > 0) m_state.counters["major_faults"] = perIteration(cost.major_faults);
  }

 private:
  benchmark::State& m_state;
  faultline_counts m_before;
};

#endif

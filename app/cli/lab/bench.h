// Bench: runs the ways of an experiment in turns, so that a disturbance hits all of them alike, and keeps each
// repetition.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/lab/work/hidden.h"
#include "core/base/result.h"
#include "core/lab/report.h"
#include "platform/host/lab/frequency.h"
#include "platform/host/lab/usage.h"

namespace faultline {

inline constexpr std::size_t kMiB = std::size_t{1} << 20U;

// Told of each phase that was measured, with the steady clock at its begin and end.
using LabSpanSink = std::function<void(const LabRow& row, Nanoseconds from, Nanoseconds to)>;

// One turn of one way: measures its phases in their order.
class LabTurn {
 public:
  explicit LabTurn(std::vector<LabRow>& rows, const LabSpanSink& span = {}) : m_rows(rows), m_span(span) {}

  // Measures `work`, the next phase. `work` may return a value, which is kept as the result of the repetition.
  template <class Work>
  void measure(Work work) {
    const bool alone = m_rows.at(m_next).alone;
    const auto frequency = alone ? processorFrequency() : std::nullopt;
    const LabUsage before = alone ? threadUsage() : processUsage();
    std::uint64_t result = 0;
    if constexpr (std::is_void_v<decltype(work())>) work();
    else result = static_cast<std::uint64_t>(work());
    keep(before, alone ? threadUsage() : processUsage(), result);
    if (frequency) keepFrequency(*frequency);
  }

  // Measures the next phase in `parts`, each a repetition of its own: a short one is seldom disturbed.
  template <class Work>
  void measureParts(std::size_t parts, Work work) {
    for (std::size_t i = 0; i < parts; ++i) {
      measure([&] { work(i); });
      --m_next;
    }
    ++m_next;
  }

  // In place of the counts of this process, for the last phase: other processes did the work.
  void usage(std::uint64_t faults, Nanoseconds processor) {
    LabSample& sample = m_rows.at(m_next - 1).samples.back();
    sample.faults = faults;
    sample.processor = processor;
  }
  void note(std::string sentence) { m_rows.at(m_next - 1).note = std::move(sentence); }      // of the last phase
  void result(std::uint64_t value) { m_rows.at(m_next - 1).samples.back().result = value; }  // of the last phase

 private:
  void keep(const LabUsage& before, const LabUsage& after, std::uint64_t result);
  void keepFrequency(std::uint64_t before);

  std::vector<LabRow>& m_rows;
  const LabSpanSink& m_span;
  std::size_t m_next = 0;
};

struct LabWay {
  std::vector<LabRow> phases{};  // without samples
  std::function<Result<void>(LabTurn&)> run{};
  bool failed = false;
};

struct BenchOptions {
  bool quick = false;
  std::string malloc{};  // the name of the malloc in use; empty: the system's
};

class Bench {
 public:
  using Progress = std::function<void(std::string_view)>;

  // `spans`: not empty if all faults are watched meanwhile: then each way has one turn.
  Bench(BenchOptions options, Progress progress, LabSpanSink spans = {})
      : m_options(std::move(options)), m_progress(std::move(progress)), m_spans(std::move(spans)) {}

  [[nodiscard]] bool quick() const { return m_options.quick; }
  [[nodiscard]] const std::string& otherMalloc() const { return m_options.malloc; }
  void add(LabWay way) { m_ways.push_back(std::move(way)); }
  void remark(std::string sentence) { m_remarks.push_back(std::move(sentence)); }
  // One turn that is not kept of all ways that were added since the last call, then `turns` that are. A way that fails
  // is unavailable. Without `warm`, the first turn is left out.
  void run(int turns, bool warm = true);

  [[nodiscard]] std::vector<LabRow> takeRows();
  [[nodiscard]] std::vector<std::string> takeRemarks() { return std::move(m_remarks); }

 private:
  void runOnce(LabWay& way, bool kept);

  BenchOptions m_options;
  Progress m_progress;
  LabSpanSink m_spans;
  std::vector<LabWay> m_ways;
  std::size_t m_ran = 0;  // ways
  std::vector<std::string> m_remarks;
};

}  // namespace faultline

#include <fmt/format.h>

#include "core/lab/check_list.h"
#include "core/lab/hard_faults.h"

namespace faultline {

namespace {

std::optional<double> each(const CheckList& list, std::string_view phase) {
  const LabRow* const row = list.report().find(kHardFaultWay, phase);
  const auto time = list.time(kHardFaultWay, phase);
  if (row == nullptr || !time) return std::nullopt;
  return *time / static_cast<double>(row->amount);
}

}  // namespace

// Nothing beyond the counts must hold on any machine. A forked process also faults on what it shares with its parent.
void checkSerialise(CheckList& list) {
  const auto one = list.faults("1 thread, own mappings", "touch");
  for (const int processes : {1, 2, 4, 8}) {
    const std::string way = fmt::format("{} process{}, own mappings", processes, processes == 1 ? "" : "es");
    if (const auto faults = list.faults(way, "touch"); faults && one)
      list.between(fmt::format("faults / pages, touch, {}", way), *faults / (*one * processes), 0.99, 1.01, true);
  }
  // Were the lock of the mappings held while a fault waits for the disk, each mapping would wait for about one such.
  if (const auto wait = list.time(kHardFaultWay, kHardFaultAlone)) {
    const auto beside = each(list, kHardFaultMapBeside);
    list.ratioAtMost("mapping beside hard faults / a hard fault", beside, wait, 0.5);
  }
}

std::vector<std::string> serialiseDerived(const LabReport& report) {
  const CheckList list(report);
  std::vector<std::string> sentences;
  const auto add = [&](const std::string& kind, const char* single, const char* several) {
    for (const int count : {2, 4, 8}) {
      const auto many = list.time(fmt::format("{} {}, {}", count, several, kind), "touch");
      const auto one = list.time(fmt::format("1 {}, {}", single, kind), "touch");
      if (many && one && *one > 0)
        sentences.push_back(
            fmt::format("touch, {}: {} {} take {:.2f} times the wall time of one (1 = all in parallel, {} = one after "
                        "another).",
                        kind, count, several, *many / *one, count));
    }
  };
  add("own mappings", "thread", "threads");
  add("one mapping", "thread", "threads");
  add("own mappings", "process", "processes");
  const auto alone = each(list, kHardFaultMap);
  const auto beside = each(list, kHardFaultMapBeside);
  if (alone && beside && *alone > 0)
    sentences.push_back(
        fmt::format("Mapping and unmapping 64 KiB takes {:.2f} times as long while another thread waits "
                    "for the disk in page faults.",
                    *beside / *alone));
  return sentences;
}

}  // namespace faultline

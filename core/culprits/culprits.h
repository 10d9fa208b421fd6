// Culprits: the threads, memory, fault kinds and lines of the game's own code that caused a frame's faults, and their
// call tree. Based on samples, each standing for `weight` faults. Reading call stacks may take long: callers with other
// work add one sample at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/culprits/call_tree.h"
#include "core/culprits/causes.h"
#include "core/culprits/fault_kind.h"
#include "core/culprits/path.h"
#include "core/model/fault_sample.h"

namespace faultline {

struct CulpritShare {
  std::string name;          // printable
  std::uint32_t thread = 0;  // of a thread: its id
  std::uint64_t faults = 0;  // represented by its samples
  Nanoseconds time{0};       // of these faults, as far as known

  bool operator==(const CulpritShare&) const = default;
};

// Each sorted, largest first.
struct CulpritLists {
  std::vector<CulpritShare> threads{};
  std::vector<CulpritShare> memory{};
  std::vector<CulpritShare> kinds{};
  std::vector<CulpritShare> lines{};  // "Level::load (level.cpp:212)": innermost stack frame outside system code
};

struct Culprits : CulpritLists {
  std::uint64_t samples = 0;
  std::uint64_t faults = 0;         // represented by the samples
  Nanoseconds time{0};              // of these faults
  std::optional<FaultPath> path{};  // the lists and the causes are of the faults on it; absent: of all
  CallCost listed{};                // these
  bool timed = false;               // the duration of every sample is known: shares are of the time
  bool stacks = false;              // a call stack could be read for some sample
  std::vector<FaultCause> causes;
  CallTree tree;       // of all faults
  CulpritLists ofAll;  // the lists of all faults

  // Share of the listed time if `timed`, else of the listed faults; 0 to 1.
  [[nodiscard]] double share(const CulpritShare& part) const;
  [[nodiscard]] double shareOfAll(const CulpritShare& part) const;
};

class CulpritSearch {
 public:
  // Reads the call stacks of samples that have none. Null: without these, no lines and no calls in the tree.
  // `path`: lists and causes leave out the faults that are not on it.
  explicit CulpritSearch(StackReader* reader, const std::optional<FaultPath>& path = {}) : m_reader(reader) {
    m_found.path = path;
  }

  void remember(const FaultSample& sample);  // an earlier sample, not counted: call before add()
  void add(const FaultSample& sample);       // in order of time
  // Whether add() returns at once. If not, ask again later for the same sample.
  [[nodiscard]] bool ready(const FaultSample& sample) {
    return sample.calls != nullptr || m_reader == nullptr || m_reader->ready(sample);
  }
  [[nodiscard]] Culprits found() const;

 private:
  using Shares = std::map<std::pair<std::string, std::uint32_t>, CulpritShare>;

  [[nodiscard]] CallCost onPath(const FaultSample& sample) const;
  struct Counted {
    Shares threads, memory, kinds, lines;

    void add(const FaultSample& sample, FaultKind kind, const std::string& line, const CallCost& cost);
    [[nodiscard]] CulpritLists lists(bool byTime, bool withLines) const;
  };

  StackReader* m_reader;
  FaultKinds m_kinds;
  Culprits m_found;  // without the lists
  bool m_allTimed = true;
  Counted m_listed;
  Counted m_ofAll;  // where they differ from these
  CauseCount m_causes;
};

// Of all faults for which the sample stands; at most 1000 s, so that hostile sums cannot overflow. 0: not known.
[[nodiscard]] Nanoseconds timeOf(const FaultSample& sample);
// The sample with its call stack in place of registers and stack, as recordings have it. Null: no stack is read.
[[nodiscard]] FaultSample resolved(FaultSample sample, StackReader* reader);
// Samples may be in any order.
[[nodiscard]] Culprits findCulprits(std::span<const FaultSample> samples, StackReader* reader);
// The longest delay of a live sample after its frame.
inline constexpr Nanoseconds kLatestSample = std::chrono::milliseconds(250);
inline constexpr std::size_t kEnoughSamples = 256;  // of a frame, to name its culprits
inline constexpr std::size_t kFewSamples = 16;      // the same, where call stacks are read for many frames
// Samples must be in order of time. Uses at most `most` of them, evenly spaced, which stand for all; 0 means all.
void forSomeOf(std::span<const FaultSample> samples, std::size_t most,
               const std::function<void(const FaultSample&)>& use);
[[nodiscard]] Culprits findCulprits(CulpritSearch search, std::span<const FaultSample> samples, std::size_t most);
// Their lines and threads, summed up; without a tree, memory, kinds and causes.
[[nodiscard]] Culprits sumOf(std::span<const std::shared_ptr<const Culprits>> all);
// The lines, or without lines the threads, largest first.
[[nodiscard]] const std::vector<CulpritShare>& culpritList(const CulpritLists& lists);
// The stack frame that is to blame for a call stack, which contains it. Null: no stack frame is known.
[[nodiscard]] const StackFrame* culpritFrame(const CallStack& stack);
// The name of the line that is to blame for a call stack; "unknown" without one.
[[nodiscard]] std::string culpritLine(const CallStack& stack);
// The main culprit: "97.0 % in Level::load (level.cpp:212)", or without lines "99.0 % in thread loader". Begins with
// "about" if the samples do not cover all `faults` of the frame, and with "perhaps" if the path is not clear. Empty
// without samples.
[[nodiscard]] std::string culpritText(const Culprits& culprits, std::uint64_t faults);

}  // namespace faultline

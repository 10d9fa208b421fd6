// Culprits: whose faults they were. Shares by thread, memory, kind and line of the game's own code, and the call tree,
// made of samples: some of the faults, each standing for `weight` of them. Reads stacks, which may take long: a caller
// with other work to do adds sample by sample.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/culprits/call_tree.h"
#include "core/culprits/fault_kind.h"
#include "core/model/fault_sample.h"

namespace faultline {

struct CulpritShare {
  std::string name;          // fit for a line of text
  std::uint32_t thread = 0;  // of a thread: its id
  std::uint64_t faults = 0;  // that its samples stand for
  Nanoseconds time{0};       // that these took, as far as it is known

  bool operator==(const CulpritShare&) const = default;
};

struct Culprits {
  std::uint64_t samples = 0;
  std::uint64_t faults = 0;  // that they stand for
  Nanoseconds time{0};       // that these took
  bool timed = false;        // of every sample it is known what it took: shares are shares of the time
  bool stacks = false;       // of some sample the call stack could be read
  // The greatest first.
  std::vector<CulpritShare> threads;
  std::vector<CulpritShare> memory;
  std::vector<CulpritShare> kinds;
  std::vector<CulpritShare> lines;  // "Level::load (level.cpp:212)": the innermost that is not of the system
  CallTree tree;

  // Of the time where all is timed, else of the faults.
  [[nodiscard]] double share(const CulpritShare& part) const;
};

class CulpritSearch {
 public:
  explicit CulpritSearch(StackReader* reader) : m_reader(reader) {}  // none: no lines, and no calls in the tree

  void remember(const FaultSample& sample);  // not one of those in question, but before them
  void add(const FaultSample& sample);       // in the order of their time
  [[nodiscard]] Culprits found() const;

 private:
  using Shares = std::map<std::pair<std::string, std::uint32_t>, CulpritShare>;

  static void count(Shares& shares, std::string name, std::uint32_t thread, const FaultSample& sample);

  StackReader* m_reader;
  FaultKinds m_kinds;
  Culprits m_found;  // without its lists
  bool m_allTimed = true;
  Shares m_threads;
  Shares m_memory;
  Shares m_byKind;
  Shares m_lines;
};

// Of samples in any order.
[[nodiscard]] Culprits findCulprits(std::span<const FaultSample> samples, StackReader* reader);
// Of samples in the order of their time, `most` of them, taken evenly: they stand for all.
[[nodiscard]] Culprits findCulprits(CulpritSearch search, std::span<const FaultSample> samples, std::size_t most);
// The chief one in a few words: "97.0 % in Level::load (level.cpp:212)"; without lines, "99.0 % in thread loader";
// "about" where it rests on some of the frame's `faults`. Empty without samples.
[[nodiscard]] std::string culpritText(const Culprits& culprits, std::uint64_t faults);

}  // namespace faultline

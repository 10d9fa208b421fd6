// FamilyCosts: what each process, and all that it started, have cost since Faultline watches: "this build has spent 41
// s in page faults", though its compilers have long ended. Sums of the differences in Moments, nothing older.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/history/rates.h"

namespace faultline {

// A process belongs to the parent it had when it was first seen, also when that has ended and another adopted it.
// Of what was born and ended between two sweeps, and of a last moment after a sweep, faults are counted by those of the
// children that were waited for, everything else only where the sampler tells of exits.
struct FamilyCost {
  ProcessDeltas own;
  ProcessDeltas family;       // own, and that of all it started, directly or not
  std::uint64_t unseen = 0;   // of its faults, those that no sample saw
  double minorPerSecond = 0;  // its own highest rate
  std::uint32_t started = 0;  // so many others
  std::uint32_t ended = 0;    // of those
};

class FamilyCosts {
 public:
  void add(const Moment& moment);
  void clear();
  // Kept for ten minutes after a process has ended, or until 8192 others have; absent for those never seen.
  [[nodiscard]] std::optional<FamilyCost> of(const ProcessKey& key) const;
  // Whom it belongs to; also one that has ended, as long as anything is known of it.
  [[nodiscard]] std::optional<ProcessKey> parent(const ProcessKey& key) const;
  [[nodiscard]] double peak(const ProcessKey& key) const;  // FamilyCost::minorPerSecond; 0 for those never seen

 private:
  struct Node {
    ProcessDeltas own;
    std::unique_ptr<ProcessDeltas> others;  // what all that it started have cost; most have started none
    std::int64_t unseenMinor = 0;           // of its own children
    std::int64_t unseenMajor = 0;
    std::uint64_t unseen = 0;  // of those and of all that these started, as far as above zero
    double minorPerSecond = 0;
    std::uint32_t started = 0;
    std::uint32_t endedOthers = 0;
    Node* parent = nullptr;
    ProcessKey key;
    std::uint32_t children = 0;  // nodes whose parent this is: it stays as long as it has any
    MonotonicTime ended;
    bool fresh = true;  // its parent has not been looked for yet
  };
  struct Living {
    ProcessKey key;
    Node* node = nullptr;
  };

  [[nodiscard]] const Node* find(const ProcessKey& key) const;
  [[nodiscard]] bool meet(const Moment& moment);
  void addUnseen(Node& node, const ProcessRow& row);
  void link(Node& node, const ProcessRow& row);
  void end(Node& node, MonotonicTime time);
  void revive(Node& node);
  void forget(MonotonicTime now);

  std::map<ProcessKey, Node> m_nodes;
  std::vector<Living> m_alive;  // sorted by key, as are a Moment's rows
  std::vector<Living> m_scratch;
  std::deque<Node*> m_dead;  // in the order they ended
};

}  // namespace faultline

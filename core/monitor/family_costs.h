// FamilyCosts: the cost of each process and of all its descendants since monitoring began, also of those that have
// ended ("this build has spent 41 s in page faults"), and what ended processes of each service have cost. Sums of
// the differences in Moments.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/history/rates.h"

namespace faultline {

// A process belongs to the parent it had when first seen, even if that parent has ended. For processes that start and
// end between two sweeps, and for the time from the last sweep to the end of a process, only faults are known (from the
// counters of waited-for children), unless the sampler reports exits.
struct FamilyCost {
  ProcessDeltas own;
  ProcessDeltas family;       // own, and that of all descendants
  std::uint64_t unseen = 0;   // faults in `family` that happened between samples
  double minorPerSecond = 0;  // highest rate of the process itself
  std::uint32_t started = 0;  // descendants
  std::uint32_t ended = 0;    // descendants that have ended
};

class FamilyCosts {
 public:
  // `previous`: the snapshot before, which has the last counters of processes whose end is not reported.
  void add(const Moment& moment, const Snapshot* previous = nullptr);
  void clear();
  // Absent for unknown processes, and ten minutes after the end of a process, or when 8192 others have ended since.
  [[nodiscard]] std::optional<FamilyCost> of(const ProcessKey& key) const;
  // The parent, even if it has ended, as long as it is known; then the nearest ancestor that is.
  [[nodiscard]] std::optional<ProcessKey> parent(const ProcessKey& key) const;
  // The last counters of all processes of a service that have ended since monitoring began, as long as one of its
  // processes runs.
  [[nodiscard]] ProcessDeltas endedOf(const std::string& service) const;
  [[nodiscard]] double peak(const ProcessKey& key) const;  // FamilyCost::minorPerSecond; 0 for unknown processes

 private:
  struct Service {
    ProcessDeltas ended;  // counters alone
    std::size_t running = 0;
  };
  using Services = std::map<std::string, Service, std::less<>>;
  struct Node {
    ProcessDeltas own;
    std::unique_ptr<ProcessDeltas> others;  // cost of all descendants; null for most processes
    std::int64_t unseenMinor = 0;           // of its own children; may be negative for a while
    std::int64_t unseenMajor = 0;
    std::uint64_t unseen = 0;  // of all descendants; never negative
    double minorPerSecond = 0;
    std::uint32_t started = 0;
    std::uint32_t endedOthers = 0;
    Node* parent = nullptr;
    Services::value_type* service = nullptr;  // while the process runs
    ProcessKey key;
    std::uint32_t children = 0;  // known nodes with this parent; the node is kept while there are any
    MonotonicTime ended;
    bool unlinked = true;  // not linked to a parent yet
    bool leaves = false;   // is about to be forgotten
  };
  struct Living {
    ProcessKey key;
    Node* node = nullptr;
  };

  [[nodiscard]] const Node* find(const ProcessKey& key) const;
  [[nodiscard]] bool alignRows(const Moment& moment, const Snapshot* previous);
  void addUnseen(Node& node, const ProcessRow& row);
  void link(Node& node, const ProcessRow& row);
  void enter(Node& node, const std::string& service);
  void leave(Node& node, const ProcessValues& last);
  void end(Node& node, MonotonicTime time, const ProcessValues& last);
  void revive(Node& node);
  void forget(MonotonicTime now);
  void forgetAncestors();

  std::map<ProcessKey, Node> m_nodes;
  std::vector<Living> m_alive;  // sorted by key, as are a Moment's rows
  std::vector<Living> m_scratch;
  std::deque<Node*> m_dead;  // about in order of their ends: those that have to stay go to the back
  Services m_services;
};

}  // namespace faultline

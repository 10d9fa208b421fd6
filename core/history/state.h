// History's state: the time slots of each tier, a slot of a coarser tier being whole slots of the finer one, and the
// lives of all processes, within the memory budget.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "core/history/kept_values.h"
#include "core/history/life.h"
#include "core/history/machine_series.h"

namespace faultline {

struct Dead {
  MonotonicTime first;
  MonotonicTime last;
  ProcessKey key;
  Life* life = nullptr;
};

struct Living {
  ProcessKey key;
  Life* life = nullptr;
  RawValues values{};       // the newest: tracks change only when these do
  std::uint32_t zeros = 0;  // the rates that are known to be 0 in these values; none unless the process was idle
};

struct History::State {
  explicit State(HistoryOptions given) : options(given) {}

  void add(const Moment& moment);
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] const Life* find(const ProcessKey& key) const;
  [[nodiscard]] std::optional<float> at(const Life& life, ProcessMetric metric, MonotonicTime time) const;

  HistoryOptions options;
  std::array<Timeline, kTierCount> timelines;
  std::array<std::uint32_t, kTierCount> folded{};  // [k]: the first slot of tier k-1 that tier k does not contain yet
  std::array<std::size_t, kTierCount> tierBytes{};
  std::size_t nameBytes = 0;
  std::size_t otherBytes = 0;  // of Life::others, without their runs
  Nanoseconds lastInterval{0};
  std::map<ProcessKey, Life> lives;
  std::vector<Living> alive;  // sorted by key
  std::vector<Living> scratch;
  std::deque<Dead> dead;  // in the order of `last`
  Life total;
  MachineTracks machine;

 private:
  void addRows(const Moment& moment, std::uint32_t slot);
  // `before`: the values that the tracks end with, if known.
  void append(Life& life, const RawValues& values, const RawValues* before, std::uint32_t slot);
  [[nodiscard]] Life& begin(const ProcessRow& row, MonotonicTime time);
  void end(const Living& living);
  void rename(Life& life, const std::string& name);
  void move(Life& life, const std::string& service);

  void close(std::size_t tier);
  void foldInto(std::size_t tier, Life& life, std::uint32_t first, std::uint32_t last);
  void foldSeries(std::size_t tier, Tracks& series, Weight by, std::uint32_t first, std::uint32_t last, double lived);
  void dropOld(std::size_t tier, Life& life);
  void trim(std::size_t tier, MonotonicTime cutoff);
  void keepBudget();
  void evictDead();
  [[nodiscard]] bool shorten(std::size_t tier);
};

}  // namespace faultline

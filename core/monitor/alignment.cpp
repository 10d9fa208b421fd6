#include "core/monitor/alignment.h"

#include <algorithm>
#include <vector>

namespace faultline {
namespace {

constexpr int kJumps = 4;  // of the wall clock between the newest sample and the one that is looked for

MonotonicTime timeAt(const History& history, WallTime wall) {
  MonotonicTime time = *history.newest();
  for (int i = 0; i < kJumps; ++i) time = time + (wall.sinceEpoch - history.wall(time).sinceEpoch);
  return time;
}

bool empty(const History& history) {
  return !history.oldest();
}

std::vector<ProcessKey> namedIn(const History& history, const std::string& name) {
  std::vector<ProcessKey> keys;
  if (!empty(history)) keys = history.aliveBetween(*history.oldest(), *history.newest());
  std::erase_if(keys, [&](const ProcessKey& key) { return history.name(key) != name; });
  return keys;
}

std::optional<MonotonicTime> startOf(const Monitor& recording, const ProcessKey& key) {
  const auto wall = recording.startOf(key);
  return wall ? std::optional(timeAt(recording.history(), *wall)) : std::nullopt;
}

std::optional<MonotonicTime> firstStart(const Monitor& recording, const std::string& name) {
  std::optional<MonotonicTime> first;
  for (const ProcessKey& key : namedIn(recording.history(), name))
    if (const auto start = startedIn(recording, key)) first = std::min(first.value_or(*start), *start);
  return first;
}

}  // namespace

std::optional<Nanoseconds> shiftByClock(const History& first, const History& second, Nanoseconds later) {
  if (empty(first) || empty(second)) return std::nullopt;
  const MonotonicTime begin = *second.oldest();
  return timeAt(first, {second.wall(begin).sinceEpoch + later}) - begin;
}

std::optional<Nanoseconds> shiftByStart(const History& first, const History& second) {
  if (empty(first) || empty(second)) return std::nullopt;
  return *first.oldest() - *second.oldest();
}

std::optional<Nanoseconds> shiftByProgram(const Monitor& first, const Monitor& second, const std::string& name) {
  const auto one = firstStart(first, name);
  const auto other = firstStart(second, name);
  return one && other ? std::optional(*one - *other) : std::nullopt;
}

std::optional<MonotonicTime> startedIn(const Monitor& recording, const ProcessKey& key) {
  const auto start = startOf(recording, key);
  return start && *start >= *recording.history().oldest() ? start : std::nullopt;
}

std::optional<ProcessKey> counterpart(const Monitor& first, const ProcessKey& key, const Monitor& second,
                                      Nanoseconds shift) {
  const auto name = first.history().name(key);
  if (!name) return std::nullopt;
  const auto start = startOf(first, key);
  std::optional<ProcessKey> nearest;
  Nanoseconds least = Nanoseconds::max();
  for (const ProcessKey& other : namedIn(second.history(), *name)) {
    const auto began = startOf(second, other);
    const Nanoseconds apart = start && began ? std::chrono::abs(*began + shift - *start) : Nanoseconds::max();
    if (nearest && apart >= least) continue;
    nearest = other;
    least = apart;
  }
  return nearest;
}

Nanoseconds laterBy(const History& first, const History& second, Nanoseconds shift, MonotonicTime at) {
  return second.wall(at - shift).sinceEpoch - first.wall(at).sinceEpoch;
}

}  // namespace faultline

// FaultJoiner: turns a game's single faults and calls of frame-ending functions into frames. Both may arrive in any
// order; finish() says up to which time they are complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/marks/choice.h"
#include "core/marks/joiner.h"
#include "core/model/game_frame.h"

namespace faultline {

struct FunctionCall {
  MonotonicTime time;
  std::uint32_t thread = 0;
  std::size_t candidate = 0;  // index of the candidate of MarkChoice
};

struct FaultNote {
  MonotonicTime time;
  std::uint32_t thread = 0;
  bool major = false;
};

class FaultJoiner {
 public:
  explicit FaultJoiner(std::size_t candidates) : m_choice(candidates) {}
  explicit FaultJoiner(std::span<const ProbeCalls> candidates) : m_choice(candidates) {}

  void add(const FunctionCall& call) { m_calls.push_back(call); }
  void add(const FaultNote& fault) { m_faults.push_back({fault, 1}); }
  // Faults whose number is known, and roughly their time; counted as minor faults, as most are.
  void addLostFaults(MonotonicTime about, std::uint64_t count);
  // Calls lost after this time and before the next known call.
  void addLostCalls(MonotonicTime after, std::uint64_t count) { m_lostCalls.push_back({after, count}); }

  // Appends the frames that ended up to `until`, and updates the totals of `out`. `now` is not before `until`.
  void finish(MonotonicTime until, MonotonicTime now, GameFrameBatch& out);

  [[nodiscard]] std::optional<std::size_t> chosen() const { return m_choice.chosen(); }
  // Faults after the last mark, as far as finish() has come; absent before the first.
  [[nodiscard]] std::optional<std::uint64_t> faultsAfter() const {
    return m_last.number > 0 ? std::optional(m_since.minor + m_since.major) : std::nullopt;
  }
  // Faults that may be counted in the wrong frame: lost ones, and those that arrived after finish().
  [[nodiscard]] std::uint64_t misplaced() const { return m_misplaced; }

 private:
  struct Counts {
    std::uint64_t minor = 0;
    std::uint64_t major = 0;

    void add(bool isMajor, std::uint64_t count) { (isMajor ? major : minor) += count; }
    void add(const Counts& other) { minor += other.minor, major += other.major; }
  };
  struct Faults {
    FaultNote note;
    std::uint64_t count = 0;
  };
  struct Lost {
    MonotonicTime about;
    std::uint64_t count = 0;
  };
  struct Mark {
    FunctionCall call;
    bool restarts = false;  // another function than for the previous mark
    bool ownKnown = true;
    Counts all;
    Counts own;
  };

  void takeMarks(MonotonicTime until);
  void assignFaults(MonotonicTime until);
  void addTo(std::size_t mark, const Faults& faults);
  void addFrame(const Mark& mark, MonotonicTime now, GameFrameBatch& out);

  MarkChoice m_choice;
  MarkJoiner m_joiner;
  FrameMark m_last;
  std::vector<FunctionCall> m_calls;
  std::vector<Faults> m_faults;
  std::vector<Lost> m_lostCalls;
  std::vector<Mark> m_marks;  // being finished
  Counts m_since;             // faults since the last mark, of all threads and of each
  std::unordered_map<std::uint32_t, Counts> m_sinceByThread;
  bool m_sinceByThreadKnown = true;
  MonotonicTime m_finished;
  std::uint64_t m_misplaced = 0;
};

}  // namespace faultline

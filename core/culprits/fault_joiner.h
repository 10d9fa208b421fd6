// FaultJoiner: single faults of a game and calls of the functions that may end its frames, each with the time at which
// it happened, to frames. They come in any order; finish() is told up to when all of them are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/marks/choice.h"
#include "core/marks/joiner.h"
#include "core/model/game_frame.h"

namespace faultline {

struct FunctionCall {
  MonotonicTime time;
  std::uint32_t thread = 0;
  std::size_t candidate = 0;  // of those that MarkChoice chooses from
};

struct FaultNote {
  MonotonicTime time;
  std::uint32_t thread = 0;
  bool major = false;
};

class FaultJoiner {
 public:
  explicit FaultJoiner(std::size_t candidates) : m_choice(candidates) {}

  void add(const FunctionCall& call) { m_calls.push_back(call); }
  void add(const FaultNote& fault) { m_faults.push_back({fault, 1}); }
  // Known by their number only, and about when it was: minor ones, as most are.
  void addLostFaults(MonotonicTime about, std::uint64_t count);
  // Calls that came after that one in time, and before the next that is known.
  void addLostCalls(MonotonicTime after, std::uint64_t count) { m_lostCalls.push_back({after, count}); }

  // Appends the frames that ended until then, and brings the totals up to date. `now` is no earlier.
  void finish(MonotonicTime until, MonotonicTime now, GameFrameBatch& out);

  [[nodiscard]] std::optional<std::size_t> chosen() const { return m_choice.chosen(); }
  // Faults that may be counted in another frame than theirs: the lost ones, and those that came after finish().
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
    bool anew = false;  // of another kind than the one before
    bool ownKnown = true;
    Counts all;
    Counts own;
  };

  void takeMarks(MonotonicTime until);
  void spreadFaults(MonotonicTime until);
  void addTo(std::size_t mark, const Faults& faults);
  void tell(const Mark& mark, MonotonicTime now, GameFrameBatch& out);

  MarkChoice m_choice;
  MarkJoiner m_joiner;
  FrameMark m_last;
  std::vector<FunctionCall> m_calls;
  std::vector<Faults> m_faults;
  std::vector<Lost> m_lostCalls;
  std::vector<Mark> m_marks;  // that are being finished
  Counts m_since;             // the last of them, by all threads and by each
  std::unordered_map<std::uint32_t, Counts> m_sinceByThread;
  bool m_sinceByThreadKnown = true;
  MonotonicTime m_finished;
  std::uint64_t m_misplaced = 0;
};

}  // namespace faultline

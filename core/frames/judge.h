// FrameJudge: finds the frames that memory made late, or that page faults made costly. Pure; frames must come in order.
//
// The deadline is the budget, unless the game keeps a cadence of its own: its frames last about the same or a multiple
// of that, at a common rate, and the thread sleeps in them, if that is known; or at another rate nearly the same, and
// it waits for nobody of the game. The verdict is a subtraction: a frame is late because of memory if most of its
// lateness would not be with the memory time that is usual on the path of the game's frames, and if it would have met
// its deadline, or else most of what exceeds the usual frame would not be, which makes it probable. On the path are the
// thread's own faults, giving memory back, and both in threads for which it waited; not the faults of bystanders. A
// wait for a processor is not memory's, but a thread, its own or one for which it waited, that runs for longer waits
// for longer: with that share the frame is late because of memory only probably. Where the usual frame misses its
// deadline for its memory time, all of that counts. In a game that keeps a cadence the time in which the thread waits
// for nobody of the game, such as the display, is not on the path. A delay added to faults on request is no part of a
// frame; a frame that would be in time without the time that samples of its faults took is not late because of memory.
// A frame that would be in time without what cannot be timed of its faults, such as the cost of watching them, is late
// because of memory only probably. Faults without a measured time count at an assumed cost. Where something unknown
// would change the verdict, that is told in place of a reason: the time of faults that read from a disk, those of other
// threads, and how long a thread in a game with a cadence waited for the end of its slot.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/frames/ledger.h"
#include "core/frames/recent.h"
#include "core/frames/verdict.h"
#include "core/model/game_frame.h"

namespace faultline {

struct FrameRules {
  Nanoseconds budget = kDefaultBudget;  // any other value is kept, whatever the game's cadence
  double faultShare = 0.10;             // share of the budget that faults may take
  bool timesAreMeasured = true;         // else frames have an assumed length and are never late
  bool sleepIsMeasured = false;         // of the thread, in the first frames or later
  std::optional<double> nsPerFault{};   // cost of a minor fault in ns, where its time is not measured
};

// A frame as most of the last ones were.
struct UsualFrame {
  Nanoseconds memory{0};  // faults and giving memory back, on its path
  Nanoseconds left{0};    // from the end of its path to its deadline; negative: beyond
};

class FrameJudge {
 public:
  using Sink = std::function<void(const JudgedFrame&)>;

  explicit FrameJudge(const FrameRules& rules) : m_rules(rules) {}

  [[nodiscard]] FrameVerdict judge(const GameFrame& frame);  // by the frames so far
  // The same, but holds back the first frames until what follows can judge them: until a cadence shows in 16, or there
  // are 64, eight of which tell the thread's sleep if that is measured; or there are eight of two and a half seconds
  // together. Frames of five seconds together are judged in any case.
  void take(const GameFrame& frame, const Sink& judged);
  void finish(const Sink& judged);  // no frame follows that could tell more
  void change(const FrameRules& rules) { m_rules = rules; }
  [[nodiscard]] const FrameRules& rules() const { return m_rules; }
  [[nodiscard]] std::optional<double> usualDuration() const { return m_durations.usual(); }  // ns
  [[nodiscard]] std::optional<UsualFrame> usual() const;         // absent before eight frames
  [[nodiscard]] bool paced() const { return deadline().paced; }  // the game keeps a cadence

 private:
  struct Deadline {
    double at = 0;      // ns after the frame's start
    double latest = 0;  // with what is tolerated
    bool paced = false;
    DeadlineBy by = DeadlineBy::Default;
  };
  // What a frame spent on memory beyond the usual, in ns.
  struct Extra {
    double memory = 0;
    double spent = 0;   // with the parts of faults that no program can time
    double likely = 0;  // with what cannot be timed, and its share of the waits for a processor
    bool mostlyTeardown = false;
  };
  [[nodiscard]] bool knowsUsual() const;  // enough frames were seen to judge by
  [[nodiscard]] FrameVerdict verdictOf(const GameFrame& frame, const FrameLedger& spent) const;
  [[nodiscard]] Deadline deadline() const;
  [[nodiscard]] bool standsOut(double lasted) const;
  [[nodiscard]] bool meets(double busy, const Deadline& deadline, double due, bool over) const;
  [[nodiscard]] std::optional<double> usualBusy(const Deadline& deadline) const;  // absent before eight frames
  void judgeTime(const FrameLedger& spent, FrameVerdict& verdict) const;
  [[nodiscard]] Extra extraOf(const FrameLedger& spent, const Deadline& deadline) const;
  // Time that may be of faults, beyond what is known.
  [[nodiscard]] double unknownWhileRunning(const FrameLedger& spent, double memory) const;
  [[nodiscard]] double unknownWhileAsleep(const FrameLedger& spent) const;
  [[nodiscard]] bool lateBySampling(const FrameLedger& spent, const Deadline& deadline, double due, bool over) const;
  void blame(const FrameLedger& spent, const Deadline& deadline, double due, bool over, FrameVerdict& verdict) const;
  [[nodiscard]] bool mayBeTeardown(const FrameLedger& spent, const Deadline& deadline) const;
  void remember(const GameFrame& frame, const FrameLedger& spent, const FrameVerdict& verdict);

  FrameRules m_rules;
  std::size_t m_frames = 0;
  std::vector<GameFrame> m_first;  // held back
  Nanoseconds m_held{0};           // they last together
  bool m_usualIsKnown = false;
  Recent m_durations, m_faultCounts, m_faultTimes, m_untimedMajors;
  Recent m_faults, m_teardown, m_unseen;  // on the path
  Recent m_memory, m_busy;                // the same together; and without waiting for nobody
  Recent m_busyInTime;                    // share of the deadline at that time, of frames that were not late
  Recent m_waiting, m_sleeping, m_running, m_ofOthers;
  Recent m_nobody, m_awaiting;  // of m_sleeping
};

}  // namespace faultline

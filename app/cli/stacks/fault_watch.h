// FaultWatch: reads single page faults of a process, with their call stacks and without frames: those that its
// collector assumes only count the faults. Its collector is a child of this process. Of many samples some are kept,
// evenly, and stand for the others. When the process executes another program, a second collector reads the faults of
// that, without those of its first moments, and the first one counts on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/frames/polled_game.h"
#include "app/cli/frames/watched_stacks.h"
#include "core/culprits/sample_store.h"

namespace faultline {

struct FaultWatchOptions {
  std::uint32_t pid = 0;
  SampleMode samples = SampleMode::All;
  bool started = false;      // by this command, and held until the watch begins
  bool spreadsLost = false;  // samples stand for those that were lost at the same moment
};

class FaultWatch {
 public:
  struct Counts {
    std::uint64_t minor = 0;
    std::uint64_t major = 0;

    [[nodiscard]] std::uint64_t faults() const { return minor + major; }
  };
  using Use = std::function<void(FaultSample)>;

  FaultWatch(const CommonOptions& common, const FaultWatchOptions& options);
  FaultWatch(const FaultWatch&) = delete;
  FaultWatch& operator=(const FaultWatch&) = delete;

  [[nodiscard]] WaitHandle ready() const { return m_game.ready(); }
  // How long there is nothing to do unless ready() is; absent: for ever.
  [[nodiscard]] std::optional<Nanoseconds> pause() const;
  void step();
  [[nodiscard]] bool starting() const { return m_failure.empty() && m_game.starting(); }
  [[nodiscard]] bool begun() const { return m_watched.has_value(); }
  [[nodiscard]] bool ended() const;
  void stop();  // the last faults still come
  void programEnded();
  void begin(const Interrupt& interrupt);   // waits until faults can come, or the end
  void finish(const Interrupt& interrupt);  // waits for the last faults, after stop() or programEnded()

  // After the end. Why there are no faults, as a sentence; empty: there are.
  [[nodiscard]] std::string whyNot() const;
  [[nodiscard]] std::string stackTrouble() const { return m_stacks.whyNot(); }  // why some have no call stack
  [[nodiscard]] const std::optional<WatchedGame>& watched() const { return m_watched; }
  [[nodiscard]] std::uint64_t pageBytes() const { return m_pageBytes; }
  [[nodiscard]] Nanoseconds length() const { return std::max(m_until - m_from, Nanoseconds(0)); }
  [[nodiscard]] const Counts& counted() const { return m_counted; }           // of the process, sampled or not
  [[nodiscard]] std::uint64_t lost() const { return m_lostBefore + m_lost; }  // that were to be sampled
  [[nodiscard]] bool executed() const { return m_executed; }                  // another program, as far as is seen
  [[nodiscard]] bool each() const;                      // no sample stands for others, and none is lost
  void limit(MonotonicTime from, MonotonicTime until);  // what read() gives
  // Those of the time in which the process's faults were counted, in order of time, with their call stacks.
  void read(const Use& use);

 private:
  using Steady = std::chrono::steady_clock;

  struct Kept {
    std::vector<PackedSample> samples{};  // in order of arrival; each stands for those after it that are not kept
    std::uint64_t every = 1;              // one of so many is kept
    std::uint64_t passed = 0;             // since the last that is kept
  };

  [[nodiscard]] Result<void> take(const StreamEvent& event, bool newest);
  void take(const Hello& hello);
  void take(const GameFrameBatch& batch);
  void take(const FaultSampleBatch& batch);
  void keep(const FaultSample& sample);
  void thin(Kept& kept);
  void watchNextProgram();

  const CommonOptions& m_common;
  FaultWatchOptions m_options;
  PolledGame m_game;
  std::optional<PolledGame> m_next;  // for the faults of the program that the process has executed
  bool m_open = false;               // faults of the present program come
  bool m_left = false;               // the process has just executed another
  bool m_executed = false;
  WatchedStacks m_stacks;
  std::optional<WatchedGame> m_watched;
  std::uint64_t m_pageBytes = 0;
  MonotonicTime m_from{Nanoseconds::max()};
  MonotonicTime m_until{Nanoseconds(0)};
  bool m_exited = false;
  Counts m_counted;
  SampleStore m_store;
  std::array<Kept, 2> m_kept;  // minor faults, major faults
  std::uint64_t m_lost = 0;    // by the present collector
  std::uint64_t m_lostBefore = 0;
  std::string m_failure;
};

}  // namespace faultline

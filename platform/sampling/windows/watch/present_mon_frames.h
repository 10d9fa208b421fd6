// PresentMonFrames: the frames of any game that PresentMon sees, joined with the game's count of page faults, which is
// read often. Nothing touches the game.
#pragma once

#include <memory>
#include <optional>

#include "core/join/live_join.h"
#include "core/join/presentmon_stream.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/nt/fault_watch.h"
#include "platform/sampling/windows/watch/present_mon.h"

namespace faultline {

class PresentMonFrames final : public FrameSource {
 public:
  // Starts the program options.presentMon, and waits for up to 1 s whether it works.
  [[nodiscard]] static Result<std::unique_ptr<FrameSource>> open(const WatchOptions& options, const Clock& clock);

  [[nodiscard]] Hello hello() const override { return m_hello; }
  void collect(GameFrameBatch& frames, FaultSampleBatch& samples) override;
  [[nodiscard]] std::string trouble() const override { return m_trouble; }

 private:
  PresentMonFrames(UniqueHandle process, std::uint32_t count, PresentMon child, const WatchOptions& options,
                   const Clock& clock);
  void addSlot();
  void readRows();

  UniqueHandle m_process;
  PresentMon m_child;
  const Clock& m_clock;
  std::string m_program;
  PresentMonStream m_stream;
  LiveJoin m_join;
  MonotonicTime m_lastTime;
  std::uint32_t m_lastCount;
  std::optional<MonotonicTime> m_gameEnd;
  bool m_ended = false;  // and no more rows come
  Hello m_hello;
  std::optional<FaultWatch> m_singleFaults;
  std::string m_trouble;
};

}  // namespace faultline

// SweepClient: keeps a collector sweeping. When the collector ends, falls silent or sends anything but a stream, the
// client tells why and starts another one after growing pauses (1 s to 30 s). A collector that can no longer count the
// cycles of zeroing, because one of Windows' threads started after it, is replaced at once, but at most every 10 s. The
// client holds no process and no timer: its owner starts collectors, gives their bytes and calls onTime() when due()
// has come.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/stream/decoder.h"
#include "core/watch/collector_end.h"
#include "core/watch/options.h"

namespace faultline {

// The owner's side.
class SweepClientOwner {
 public:
  virtual ~SweepClientOwner() = default;
  // Starts a collector in place of the one that runs.
  [[nodiscard]] virtual Result<void> startCollector(const std::vector<std::string>& arguments) = 0;
  virtual void endCollector() = 0;
  virtual void take(const StreamEvent& event) = 0;  // a Hello or a snapshot; may call the client
  virtual void noteTrouble() = 0;                   // trouble() has changed
};

class SweepClient {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `complete`: the snapshots of this machine, as the decoder has it.
  explicit SweepClient(SweepClientOwner& owner, SnapshotCompletion complete = {})
      : m_owner(owner), m_complete(std::move(complete)) {}

  // Ends what ran before. `silence`: how long a running collector may send no snapshot.
  void begin(const SweepRequest& request, Nanoseconds silence, Time now);
  void stop();
  void onBytes(std::span<const std::byte> bytes, Time now);
  void onCollectorEnd(const CollectorEnd& end, Time now);  // after its last bytes
  void onTime(Time now);
  void lose(std::string why, Time now);  // the collector is of no use any more

  [[nodiscard]] std::optional<Time> due() const;
  // Empty while snapshots come; else why there are none, and when the client tries again.
  [[nodiscard]] std::string trouble() const;

 private:
  void launch(Time now);
  void pass(const StreamEvent& event, Time now);
  void judge(const Hello& hello, Time now);

  SweepClientOwner& m_owner;
  SnapshotCompletion m_complete;
  SweepRequest m_request;
  Nanoseconds m_silence{0};
  Decoder m_decoder;
  std::string m_why;
  Time m_launched;
  Time m_heard;                   // the last snapshot, or the launch
  Time m_tick;                    // the next second of the pause
  std::optional<Time> m_renewal;  // of a collector that counts no cycles any more
  bool m_countsCycles = false;    // by the last Hello
  int m_secondsLeft = 0;
  int m_nextPause = 1;  // in seconds
  bool m_running = false;
};

}  // namespace faultline

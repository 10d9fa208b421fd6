// RecentRecording: the last stretch of a stream, kept in memory as it would be recorded, so that what has just happened
// can be saved: an hour of 300 processes takes 4 to 14 MB. Bounded by time and by bytes; the oldest is dropped, a
// minute or so at once.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/recording/writer.h"
#include "core/stream/encoder.h"

namespace faultline {

struct RecentLimits {
  Nanoseconds time = std::chrono::hours(1);
  std::size_t bytes = std::size_t{32} << 20U;
};

class RecentRecording {
 public:
  explicit RecentRecording(RecentLimits limits = {}) : m_limits(limits) {}

  // The snapshots that follow are of this stream, or have these qualities. The past stays.
  void begin(const Hello& hello);
  void add(const Snapshot& snapshot);  // ignored before the first begin()
  void clear();

  [[nodiscard]] Nanoseconds length() const;  // from the oldest snapshot to the newest
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }
  [[nodiscard]] std::optional<MonotonicTime> newest() const;  // absent: nothing is kept
  // The Hello that a recording of all since `from` begins with; absent: nothing is kept since then.
  [[nodiscard]] std::optional<Hello> hello(MonotonicTime from) const;
  // Adds the snapshots since `from`, and a Hello where another stream begins; `writer` was given hello(from).
  [[nodiscard]] Result<void> writeTo(RecordingWriter& writer, MonotonicTime from) const;

 private:
  // A stream of its own, which begins with Hello and a key snapshot.
  struct Piece {
    std::size_t begun = 0;  // the number of its Hello
    Hello hello;
    MonotonicTime from;
    MonotonicTime to;
    int snapshots = 0;
    std::vector<std::byte> bytes{};
  };

  void append(Piece& piece, std::span<const std::byte> packet);

  RecentLimits m_limits;
  std::optional<Hello> m_hello;
  std::size_t m_begun = 0;
  bool m_anew = true;  // the next snapshot begins a piece
  Encoder m_encoder;   // of the last piece
  std::deque<Piece> m_pieces;
  std::size_t m_bytes = 0;
};

}  // namespace faultline

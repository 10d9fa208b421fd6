// RecentRecording: the last stretch of a stream, kept in memory as it would be recorded, so that what has just happened
// can be saved: an hour of 300 processes takes 4 to 14 MB. Bounded by time and by bytes; the oldest is dropped, a
// minute or so at once.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/stream/decoder.h"
#include "core/stream/encoder.h"

namespace faultline {

struct RecentLimits {
  Nanoseconds time = std::chrono::hours(1);
  std::size_t bytes = std::size_t{32} << 20U;
};

// A stream of its own, which begins with Hello and a key snapshot.
struct RecentPiece {
  std::size_t begun = 0;  // the number of its Hello
  Hello hello;
  MonotonicTime from;
  MonotonicTime to;
  int snapshots = 0;
  std::vector<std::byte> bytes;
};
using RecentPieces = std::vector<std::shared_ptr<const RecentPiece>>;

// Makes a recording of pieces, a snapshot at a time, as an hour takes longer than a window may stand still.
class RecentReader {
 public:
  RecentReader(RecentPieces pieces, MonotonicTime from) : m_pieces(std::move(pieces)), m_from(from) {}

  [[nodiscard]] bool empty() const { return m_pieces.empty(); }
  [[nodiscard]] std::size_t mostBytes() const;  // of the whole recording, about; less if it begins within a piece
  // Appends the next packets to `out`. False: the recording is whole.
  [[nodiscard]] bool next(std::string& out);

 private:
  void begin(const RecentPiece& piece, std::string& out);

  RecentPieces m_pieces;
  MonotonicTime m_from;
  std::size_t m_next = 0;   // piece
  std::size_t m_begun = 0;  // the number of the last Hello
  std::optional<Decoder> m_decoder;
  Encoder m_encoder;
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
  [[nodiscard]] std::optional<MonotonicTime> newest() const;   // absent: nothing is kept
  [[nodiscard]] RecentReader since(MonotonicTime from) const;  // of what is kept now

 private:
  void append(std::span<const std::byte> packet);

  RecentLimits m_limits;
  std::optional<Hello> m_hello;
  std::size_t m_begun = 0;
  bool m_anew = true;  // the next snapshot begins a piece
  Encoder m_encoder;   // of the last piece
  std::deque<std::shared_ptr<RecentPiece>> m_pieces;
  std::size_t m_bytes = 0;
};

// The question to a Faultline that runs for a recording of the last time, "save 600000000000"; and its time, absent for
// another question.
[[nodiscard]] std::string recentQuestion(Nanoseconds last);
[[nodiscard]] std::optional<Nanoseconds> recentAsked(std::string_view question);

}  // namespace faultline

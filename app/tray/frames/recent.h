// UnreadSamples: samples whose call stacks are read one after the other, as that takes long. RecentFrames: makes a
// recording of a watched game's last frames, with the samples of flagged ones and their call stacks by name, from what
// its GameWatch keeps; a part at a time, as reading stacks takes long.
#pragma once

#include <QPointer>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/tray/frames/game_watch.h"
#include "app/tray/widgets/saved_file.h"
#include "core/stream/encoder.h"

namespace faultline {

class UnreadSamples {
 public:
  // In order of time. The reader may be null.
  void add(std::vector<FaultSample> samples, const std::shared_ptr<StackReader>& reader);
  [[nodiscard]] bool empty() const { return m_samples.empty(); }
  [[nodiscard]] std::size_t size() const { return m_samples.size(); }
  void clear() { m_samples.clear(); }
  // The first of them, with its call stack by name; absent: that is being read. Requires !empty().
  [[nodiscard]] std::optional<FaultSample> next();

 private:
  struct Unread {
    FaultSample sample;
    std::shared_ptr<StackReader> reader;
  };
  std::deque<Unread> m_samples;
};

class RecentFrames {
 public:
  // Frames of the present game alone that end after `from`, up to those of now.
  RecentFrames(GameWatch& watch, MonotonicTime from);

  [[nodiscard]] bool empty() const { return m_place >= m_end; }
  [[nodiscard]] Piece next(std::string& out);

 private:
  void takeFrames(std::string& out);
  [[nodiscard]] Piece takeSample(std::string& out);
  [[nodiscard]] Piece end(std::string& out);

  QPointer<GameWatch> m_watch;  // null: its window was closed, and the recording ends early
  std::uint64_t m_place;
  std::uint64_t m_end;
  bool m_begun = false;
  Encoder m_encoder;
  UnreadSamples m_samples;  // of the frames written
};

}  // namespace faultline

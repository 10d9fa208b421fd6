// Overview: a long recording from begin to end in little time, by some of its key snapshots and all of what is newest.
// Two passes: about 500 key snapshots, evenly spread, and all snapshots after the last of them; then every key
// snapshot, and all snapshots of the last hour. As counters are cumulative, rates between two snapshots are exact
// averages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <variant>

#include "core/base/result.h"
#include "core/recording/key_index.h"
#include "core/recording/recording.h"

namespace faultline {

struct Skimmed {
  const Snapshot* snapshot = nullptr;  // valid until the next call of next()
  // The time from one of these snapshots to the next, 0 if it varies; those between are skipped. Absent: none is.
  std::optional<Nanoseconds> step;
};
struct PassEnd {};  // another pass follows from the beginning, unless done()

using OverviewEvent = std::variant<StillReading, Hello, Skimmed, PassEnd>;

class Overview {
 public:
  // Error: as KeyIndex::open().
  [[nodiscard]] static Result<Overview> open(const std::filesystem::path& path);

  // Reads at most one piece of the file. Skips damage without a word. To be called until done().
  [[nodiscard]] OverviewEvent next();
  [[nodiscard]] bool done() const { return m_pass == Pass::Done; }
  // Of the whole recording, as KeyIndex has them.
  [[nodiscard]] const std::optional<std::vector<Spike>>& spikes() const { return m_index.spikes(); }

 private:
  enum class Pass : std::uint8_t { Spread, Keys, Done };

  Overview(KeyIndex index, RecordingFile file);
  [[nodiscard]] OverviewEvent nextPlace();
  void begin(const KeyPlace& place);
  [[nodiscard]] OverviewEvent readPlace();
  [[nodiscard]] OverviewEvent readRest();
  [[nodiscard]] OverviewEvent endPass();

  KeyIndex m_index;
  RecordingFile m_file;
  Pass m_pass = Pass::Spread;
  std::size_t m_next = 0;   // the next of m_index.keys()
  std::uint64_t m_due = 0;  // in the first pass, the next place that is read is no earlier in the file
  std::size_t m_last = 0;   // in the second pass, the last place; everything after it is read
  Nanoseconds m_step{0};
  MonotonicTime m_newest;
  std::optional<std::uint64_t> m_hello;  // told, by its place
  std::optional<KeyPlace> m_place;       // is being read
  bool m_readsHello = false;             // that of the place
  bool m_readsRest = false;
};

}  // namespace faultline

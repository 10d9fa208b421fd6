// KeyIndex: where the key snapshots of a recording stand, as its end tells, or found by looking through the file; and
// its spikes, if its end tells them.
// RecordingFile::seek() begins at any of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/recording/key_places.h"
#include "core/stream/packet_reader.h"

namespace faultline {

class KeyIndex {
 public:
  // Error: not a regular file (a pipe can be read once), or it cannot be opened.
  [[nodiscard]] static Result<KeyIndex> open(const std::filesystem::path& path);

  // Looks through one more piece of the file, without decoding it. False at its end, if it is no recording, and if all
  // places are known from the start.
  [[nodiscard]] bool readMore();
  // Those known so far, in the order of the file. Of more than 65 536 places those that stand closest together are left
  // out, and damaged packets where the end of the recording tells nothing.
  [[nodiscard]] const std::vector<KeyPlace>& keys() const { return m_index.places; }
  // As the end of the recording tells them.
  [[nodiscard]] const std::optional<std::vector<Spike>>& spikes() const { return m_index.spikes; }
  [[nodiscard]] std::uint64_t bytesTotal() const { return m_size; }  // when the file was opened

 private:
  KeyIndex(std::ifstream file, std::uint64_t size);
  void take(const wire::Packet& packet);

  std::ifstream m_file;
  std::uint64_t m_size;
  std::vector<char> m_piece;
  wire::PacketReader m_packets;
  std::optional<std::uint64_t> m_hello;
  RecordingIndex m_index;
  bool m_complete = false;
};

}  // namespace faultline

// KeyIndex: where the key snapshots of a recording stand. RecordingFile::seek() begins at any of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/stream/packet_reader.h"

namespace faultline {

struct KeyPlace {
  std::uint64_t offset = 0;            // of the packet in the file
  std::optional<std::uint64_t> hello;  // offset of the last Hello before it
  MonotonicTime time;                  // of the snapshot

  bool operator==(const KeyPlace&) const = default;
};

class KeyIndex {
 public:
  // Error: not a regular file (a pipe can be read once), or it cannot be opened.
  [[nodiscard]] static Result<KeyIndex> open(const std::filesystem::path& path);

  // Looks through one more piece of the file, without decoding it. False at its end, and if it is no recording.
  [[nodiscard]] bool readMore();
  // Those found so far, in the order of the file. Damaged packets are left out, and of more than 65 536 places those
  // that stand closest together.
  [[nodiscard]] const std::vector<KeyPlace>& keys() const { return m_keys; }
  [[nodiscard]] std::uint64_t bytesTotal() const { return m_size; }  // when the file was opened

 private:
  KeyIndex(std::ifstream file, std::uint64_t size);
  void take(const wire::Packet& packet);

  std::ifstream m_file;
  std::uint64_t m_size;
  std::vector<char> m_piece;
  wire::PacketReader m_packets;
  std::optional<std::uint64_t> m_hello;
  std::vector<KeyPlace> m_keys;
};

}  // namespace faultline

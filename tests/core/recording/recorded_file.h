// A recording in a temporary file: written, damaged, read back.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/recording/recording.h"
#include "core/recording/writer.h"
#include "tests/core/stream/samples.h"

namespace faultline::test {

class TemporaryFile {
 public:
  TemporaryFile() {
    std::random_device random;
    m_path =
        std::filesystem::temp_directory_path() / ("faultline-recording-" + std::to_string(random()) + ".faultline");
  }
  ~TemporaryFile() { std::filesystem::remove(m_path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  void fill(std::string_view bytes) const { std::ofstream(m_path, std::ios::binary) << bytes; }
  void cutTo(std::uintmax_t size) const { std::filesystem::resize_file(m_path, size); }
  void overwrite(std::streamoff offset, char byte) const {
    std::fstream(m_path, std::ios::binary | std::ios::in | std::ios::out).seekp(offset).put(byte);
  }

 private:
  std::filesystem::path m_path;
};

inline void record(const TemporaryFile& file, const std::vector<Snapshot>& snapshots, bool finish = true) {
  auto writer = RecordingWriter::create(file.path(), someHello());
  REQUIRE(writer);
  for (const Snapshot& snapshot : snapshots) REQUIRE(writer->add(snapshot));
  if (finish) REQUIRE(writer->finish());
  CHECK(writer->snapshots() == snapshots.size());
  CHECK(writer->bytes() == std::filesystem::file_size(file.path()));
}

inline std::vector<Snapshot> readAll(RecordingFile& reader) {
  std::vector<Snapshot> snapshots;
  while (true) {
    const auto event = reader.next();
    REQUIRE(event);
    if (std::holds_alternative<RecordingEnd>(*event)) return snapshots;
    if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) snapshots.push_back(**snapshot);
  }
}

}  // namespace faultline::test

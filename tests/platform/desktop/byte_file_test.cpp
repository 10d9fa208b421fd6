#include "platform/desktop/byte_file.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

using namespace faultline;

namespace {

// A path in a folder of its own that goes with it.
struct Scratch {
  std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                 ("faultline-byte-file-" + std::to_string(std::hash<const void*>{}(this)));
  std::filesystem::path file = folder / "file";
  Scratch() { std::filesystem::create_directories(folder); }
  ~Scratch() { std::filesystem::remove_all(folder); }
};

}  // namespace

TEST_CASE("What was written is read back, with its size") {
  const Scratch scratch;
  auto writer = ByteWriter::create(scratch.file, ByteWriter::Existing::Refuse);
  REQUIRE(writer);
  REQUIRE(writer->write("hello"));
  REQUIRE(writer->close());
  auto reader = ByteReader::open(scratch.file);
  REQUIRE(reader);
  CHECK(reader->size() == 5);
  std::array<std::byte, 16> buffer{};
  CHECK(reader->read(buffer) == 5U);
  CHECK(reader->read(buffer) == 0U);
}

TEST_CASE("An existing file is kept unless overwriting was asked for") {
  const Scratch scratch;
  REQUIRE(ByteWriter::create(scratch.file, ByteWriter::Existing::Refuse)->write("old"));
  const auto refused = ByteWriter::create(scratch.file, ByteWriter::Existing::Refuse);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == scratch.file.string() + " cannot be written: File exists.");
  CHECK(std::filesystem::file_size(scratch.file) == 3);
  REQUIRE(ByteWriter::create(scratch.file, ByteWriter::Existing::Overwrite));
  CHECK(std::filesystem::file_size(scratch.file) == 0);
}

TEST_CASE("A full disk is a clear sentence") {
  auto writer = ByteWriter::create("/dev/full", ByteWriter::Existing::Overwrite);
  REQUIRE(writer);
  const auto written = writer->write("x");
  REQUIRE_FALSE(written);
  CHECK(written.error().message == "There is no room left for /dev/full. What was written so far can be read.");
  CHECK_FALSE(writer->readerGone());
}

TEST_CASE("A file that is not there, and a folder, are sentences") {
  const auto missing = ByteReader::open("/nowhere/at-all");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "/nowhere/at-all cannot be read: No such file or directory.");
  auto folder = ByteReader::open("/");
  REQUIRE(folder);
  std::array<std::byte, 16> buffer{};
  CHECK_FALSE(folder->read(buffer));
  CHECK_FALSE(folder->size());
}

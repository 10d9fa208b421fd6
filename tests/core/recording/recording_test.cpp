#include "core/recording/recording.h"

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/stream/encoder.h"
#include "tests/core/recording/recorded_file.h"

namespace faultline::test {
namespace {

std::string firstError(const TemporaryFile& file) {
  auto reader = RecordingFile::open(file.path());
  if (!reader) return reader.error().message;
  for (int i = 0; i < 100; ++i) {
    if (const auto event = reader->next(); !event) return event.error().message;
  }
  return {};
}

// Of 300 snapshots, damages the one with this index.
std::vector<Snapshot> recordDamaged(const TemporaryFile& file, std::size_t index) {
  std::vector<Snapshot> snapshots;
  snapshots.reserve(300);
  for (std::uint64_t step = 0; step < 300; ++step) snapshots.push_back(someSnapshot(8, step, 4));
  record(file, snapshots);
  Encoder encoder;  // gives the offset of its packet
  std::size_t offset = encoder.hello(someHello()).size();
  for (std::size_t i = 0; i < index; ++i) offset += encoder.snapshot(snapshots[i]).size();
  file.overwrite(static_cast<std::streamoff>(offset + 30), '\x7f');
  return snapshots;
}

}  // namespace

TEST_CASE("A recording is read unchanged") {
  const TemporaryFile file;
  const auto snapshots = eventfulSnapshots(300);
  record(file, snapshots);
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  CHECK(readAll(*reader) == snapshots);
  CHECK(reader->remark().empty());
  CHECK(reader->snapshots() == 300);
  CHECK(reader->bytesRead() == reader->bytesTotal());
}

TEST_CASE("A truncated recording gives every whole snapshot and reports the cut") {
  const TemporaryFile file;
  record(file, eventfulSnapshots(3), false);
  file.cutTo(std::filesystem::file_size(file.path()) - 20);
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 2);
  CHECK(reader->remark() == "The recording is cut off in the middle of a packet; 2 snapshots were read.");
}

TEST_CASE("A recording without an end mark is reported") {
  const TemporaryFile file;
  record(file, eventfulSnapshots(1), false);
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 1);
  CHECK(reader->remark() ==
        "The recording has no end mark: it was interrupted or is still being written; 1 snapshot was read.");
}

TEST_CASE("Damage loses the snapshots up to the next key snapshot, counted once") {
  const TemporaryFile file;
  const auto snapshots = recordDamaged(file, 60);
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  const auto read = readAll(*reader);
  CHECK(read.size() == 240);
  CHECK(std::equal(read.begin(), read.begin() + 60, snapshots.begin()));
  CHECK(std::equal(read.begin() + 60, read.end(), snapshots.begin() + 120));
  CHECK(reader->lost() == 60);
  CHECK(reader->remark() == "Part of the recording is damaged: 60 snapshots are lost, 240 snapshots were read.");
}

TEST_CASE("Damage after the last key snapshot loses the snapshots up to the end, counted once") {
  const TemporaryFile file;
  static_cast<void>(recordDamaged(file, 270));
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 270);
  CHECK(reader->lost() == 30);
}

TEST_CASE("Damage at the beginning loses the snapshots up to the next key snapshot") {
  const TemporaryFile file;
  static_cast<void>(recordDamaged(file, 0));
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 180);
  CHECK(reader->lost() == 120);
}

TEST_CASE("Reading continues when a recording grows") {
  const TemporaryFile file;
  const auto snapshots = eventfulSnapshots(5);
  record(file, snapshots);
  std::ostringstream bytes;
  bytes << std::ifstream(file.path(), std::ios::binary).rdbuf();
  std::size_t read = 0;
  file.cutTo(bytes.str().size() / 2);
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  read += readAll(*reader).size();
  CHECK(read < snapshots.size());
  file.fill(bytes.str());
  read += readAll(*reader).size();
  CHECK(read == snapshots.size());
  CHECK(reader->snapshots() == snapshots.size());
  CHECK(reader->remark().empty());
}

TEST_CASE("A file that is not a recording is refused with an error message") {
  const TemporaryFile file;
  CHECK(firstError(file) == "There is no file " + file.path().string() + ".");
  file.fill("");
  CHECK(firstError(file) == file.path().string() + " is empty: it contains no recording.");
  file.fill("#!/bin/sh\n");
  CHECK(firstError(file).find(": This is not a Faultline recording") != std::string::npos);
  file.fill("FAULTLINE\n\x02");
  CHECK(firstError(file).empty());  // cut within the version: not refused yet
  file.fill(std::string("FAULTLINE\n\x02\x00 from the future", 27));
  CHECK(firstError(file).find(": The recording has format 2, but this version of Faultline reads format 1.") !=
        std::string::npos);
  CHECK(RecordingFile::open(std::filesystem::temp_directory_path()).error().message.find("is a folder") !=
        std::string::npos);
}

TEST_CASE("Two recordings in one file are read one after the other") {
  const TemporaryFile first;
  const TemporaryFile both;
  const auto snapshots = eventfulSnapshots(5);
  record(first, snapshots);
  std::ofstream(both.path(), std::ios::binary)
      << std::ifstream(first.path(), std::ios::binary).rdbuf() << std::ifstream(first.path(), std::ios::binary).rdbuf();
  auto reader = RecordingFile::open(both.path());
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 10);
  CHECK(reader->remark().empty());

  const TemporaryFile open;
  record(open, snapshots, false);
  std::ofstream(both.path(), std::ios::binary)
      << std::ifstream(first.path(), std::ios::binary).rdbuf() << std::ifstream(open.path(), std::ios::binary).rdbuf();
  auto again = RecordingFile::open(both.path());
  REQUIRE(again);
  CHECK(readAll(*again).size() == 10);
  CHECK(again->remark().starts_with("The recording has no end mark"));
}

TEST_CASE("A recording is read from a pipe, which has no length") {
  std::stringbuf pipe;
  const auto snapshots = eventfulSnapshots(200);
  auto writer = RecordingWriter::onto(pipe, "the pipe", someHello());
  REQUIRE(writer);
  for (const Snapshot& snapshot : snapshots) REQUIRE(writer->add(snapshot));
  REQUIRE(writer->finish());
  CHECK(writer->bytes() == pipe.view().size());
  auto reader = RecordingFile::read(pipe, "the pipe");
  CHECK(readAll(reader) == snapshots);
  CHECK(reader.remark().empty());
  CHECK_FALSE(reader.bytesTotal());
  CHECK(reader.bytesRead() == writer->bytes());
}

TEST_CASE("A writer to a pipe distinguishes a closed pipe from other errors") {
  class Broken : public std::streambuf {
   public:
    int error = 0;

   private:
    std::streamsize xsputn(const char*, std::streamsize) override {
      errno = error;
      return 0;
    }
  } broken;
  broken.error = EPIPE;
  auto gone = RecordingWriter::onto(broken, "the pipe", someHello());
  REQUIRE(gone);
  CHECK_FALSE(gone->add(someSnapshot(1, 0, 1)));
  CHECK(gone->readerGone());
  broken.error = EIO;
  CHECK(RecordingWriter::onto(broken, "the pipe", someHello())
            .error()
            .message.starts_with("Recording to the pipe stopped: "));
}

TEST_CASE("A full disk stops the recording with an error that says how much was saved") {
  if (!std::filesystem::exists("/dev/full")) SKIP("there is no /dev/full here");
  const auto writer = RecordingWriter::create("/dev/full", someHello());
  REQUIRE_FALSE(writer);
  CHECK(
      writer.error().message ==
      "Recording to /dev/full stopped: No space left on device. Make room or choose another place, then record again.");
}

TEST_CASE("A recording that cannot be created gives the reason") {
  const auto writer = RecordingWriter::create("/nowhere/at/all", someHello());
  REQUIRE_FALSE(writer);
  CHECK(writer.error().message ==
        "/nowhere/at/all cannot be written: No such file or directory. Choose another place.");
}

}  // namespace faultline::test

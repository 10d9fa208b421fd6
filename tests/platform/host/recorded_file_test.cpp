#include "platform/host/recorded_file.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "core/recording/recording.h"
#include "tests/support/scratch_folder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

Snapshot at(int second) {
  Snapshot snapshot;
  snapshot.time = {std::chrono::seconds(second)};
  snapshot.wallTime = {std::chrono::seconds(second)};
  return snapshot;
}

struct Read {
  int snapshots = 0;
  std::string remark;
};

Read read(const std::filesystem::path& name) {
  Read result;
  auto file = RecordingFile::open(name);
  REQUIRE(file);
  while (true) {
    const auto event = file->next();
    REQUIRE(event);
    if (std::holds_alternative<RecordingEnd>(*event)) break;
    if (std::holds_alternative<const Snapshot*>(*event)) ++result.snapshots;
  }
  result.remark = file->remark();
  return result;
}

}  // namespace

TEST_CASE("A copy of a ring that is being written is one whole recording of its user") {
  const std::filesystem::path folder = test::makeScratchFolder();
  const std::filesystem::path file = folder / "ring";
  CHECK_FALSE(copyRing(folder / "none" / "ring", folder / "none" / "copy"));
  Hello hello;
  hello.version = "test";
  auto writer = createRecording(file, hello);
  REQUIRE(writer);
  REQUIRE(writer->add(at(1)));
  REQUIRE(writer->add(at(2)));
  REQUIRE(copyRing(file, folder / "first"));
  CHECK(read(folder / "first").snapshots == 2);
  CHECK(read(folder / "first").remark.empty());
  REQUIRE(writer->finish());
  auto next = turnRing(file, hello);
  REQUIRE(next);
  REQUIRE(next->add(at(3)));
  REQUIRE(copyRing(file, folder / "second"));
  CHECK(read(folder / "second").snapshots == 3);
  CHECK(read(folder / "second").remark.empty());
  CHECK(read(beforeOf(file)).snapshots == 2);
  const auto kept = copyRing(file, folder / "second");
  REQUIRE_FALSE(kept);
  CHECK(kept.error().message.find("exists") != std::string::npos);
#ifndef _WIN32
  std::filesystem::create_symlink("/dev/zero", folder / "device");
  REQUIRE(copyRing(folder / "device", folder / "of-device"));
  CHECK(std::filesystem::file_size(folder / "of-device") < 100);
  CHECK(std::filesystem::status(folder / "second").permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
#endif
  REQUIRE(next->finish());
  std::filesystem::remove_all(folder);
}

}  // namespace faultline

#include "platform/host/own_folder.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

struct ScratchFolder {
  ~ScratchFolder() { fs::remove_all(folder); }
  fs::path folder = test::makeScratchFolder();
};

}  // namespace

TEST_CASE("A folder is made for its user alone, and one that others may enter is closed to them") {
  const ScratchFolder scratch;
  const fs::path folder = scratch.folder / "cache" / "faultline";
  REQUIRE(makeOwnFolder(folder));
  CHECK(fs::status(folder).permissions() == fs::perms::owner_all);
  fs::permissions(folder, fs::perms::all);
  CHECK_FALSE(isOwnFolder(folder));
  REQUIRE(makeOwnFolder(folder));
  CHECK(isOwnFolder(folder));
}

TEST_CASE("A link, a file and no folder are nobody's own folder") {
  const ScratchFolder scratch;
  const fs::path folder = scratch.folder / "own";
  CHECK_FALSE(isOwnFolder(folder));
  REQUIRE(makeOwnFolder(folder));
  const fs::path link = scratch.folder / "link";
  fs::create_directory_symlink(folder, link);
  CHECK_FALSE(isOwnFolder(link));
  CHECK_FALSE(makeOwnFolder(link));
  const fs::path file = scratch.folder / "file";
  std::ofstream(file) << "x";
  CHECK_FALSE(makeOwnFolder(file));
  CHECK_FALSE(makeOwnFolder(file / "below"));
}

TEST_CASE("A folder of another user is not taken") {
  if (geteuid() != 0) SKIP("giving a folder away needs root");
  const ScratchFolder scratch;
  const fs::path folder = scratch.folder / "theirs";
  REQUIRE(makeOwnFolder(folder));
  REQUIRE(chown(folder.c_str(), 65534, 65534) == 0);
  CHECK_FALSE(isOwnFolder(folder));
  CHECK_FALSE(makeOwnFolder(folder));
}

}  // namespace faultline

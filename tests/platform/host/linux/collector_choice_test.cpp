#include "platform/host/collector_choice.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "platform/host/programs.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;

namespace {

// A folder with a plain collector and a grant script, and a granted copy that says what a test wants.
struct Places {
  std::filesystem::path root = test::makeScratchFolder();
  std::filesystem::path plain = root / "it's here" / "faultline-collector";
  std::filesystem::path granted = root / "granted";

  Places() {
    std::filesystem::create_directories(plain.parent_path());
    put(plain, "exit 1");
    put(plain.parent_path() / "faultline-grant", "exit 1");
  }
  ~Places() { std::filesystem::remove_all(root); }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  static void put(const std::filesystem::path& file, const std::string& commands) {
    std::ofstream(file) << "#!/bin/sh\n" << commands << '\n';
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] CollectorChoice choice() const {
    auto chosen = chooseCollector(plain.parent_path(), granted);
    REQUIRE(chosen);
    return *chosen;
  }
  void checkPlain(const std::string& why) const {
    const CollectorChoice chosen = choice();
    CHECK(chosen.program == plain);
    INFO(chosen.why);
    CHECK(chosen.why.find(runsAsRoot() ? "Started by root" : why) != std::string::npos);
    CHECK(chosen.enable == (runsAsRoot() ? "" : grantCommand(plain.parent_path(), plain)));
  }
};

}  // namespace

TEST_CASE("The granted copy is preferred if its version is that of this program") {
  const Places places;
  Places::put(places.granted, "[ \"$*\" = --version ] && echo " FAULTLINE_VERSION);
  const CollectorChoice chosen = places.choice();
  CHECK(chosen.program == places.granted);
  CHECK(chosen.enable.empty());
}

TEST_CASE("The reason against the granted copy is reported") {
  const Places places;
  places.checkPlain("No copy with capabilities is installed");
  Places::put(places.granted, "echo 0.0.1");
  places.checkPlain("is version 0.0.1, but this program is version " FAULTLINE_VERSION);
  std::ofstream(places.granted) << "\x7f"
                                   "ELF";
  places.checkPlain("cannot be started");
  Places::put(places.granted, "exec sleep 60");
  places.checkPlain("does not answer");
  std::filesystem::permissions(places.granted, std::filesystem::perms::owner_read);
  places.checkPlain("log in again");
}

TEST_CASE("The grant command is quoted for the shell") {
  const Places places;
  const std::string folder = (places.root / "it'\\''s here").string();
  CHECK(grantCommand(places.plain.parent_path(), places.plain) ==
        "sudo '" + folder + "/faultline-grant' '" + folder + "/faultline-collector'");
  std::filesystem::copy_file(places.plain, places.root / "faultline-grant");
  CHECK(grantCommand(places.root, "/usr/bin/faultline-collector") ==
        "sudo " + (places.root / "faultline-grant").string() + " /usr/bin/faultline-collector");
  CHECK(grantCommand("/nowhere", places.plain).empty());
}

TEST_CASE("The error for a missing collector names the folders searched") {
  const Places places;
  const auto missing = chooseCollector(places.root, places.granted);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find(places.root.string()) != std::string::npos);
}

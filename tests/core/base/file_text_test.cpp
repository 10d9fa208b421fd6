#include "core/base/file_text.h"

#include <catch2/catch_test_macros.hpp>
#include <istream>
#include <stdexcept>
#include <streambuf>

#include "tests/support/scratch_folder.h"

using namespace faultline;

namespace {

// Fails as the buffer of a file does where the system refuses a read.
struct Broken : std::streambuf {
  int_type underflow() override { throw std::runtime_error("the disk is broken"); }
};

}  // namespace

TEST_CASE("The text of a file is all of it, and a folder or a missing file is an error") {
  const auto folder = test::makeScratchFolder();
  const auto file = folder / "file";
  const std::string text = std::string(10'000, 'x') + std::string("\0\r\n\xff", 4);
  std::ofstream(file, std::ios::binary) << text;
  CHECK(fileText(file) == text);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << "";
  CHECK(fileText(file) == "");
  CHECK(fileText(folder).error().message == "is a folder.");
  CHECK(fileText(folder / "none").error().message == "cannot be opened.");
  std::filesystem::remove_all(folder);
}

TEST_CASE("A read that fails leaves no text, and does not throw") {
  Broken broken;
  std::istream stream(&broken);
  CHECK(restOf(stream).error().message == "cannot be read.");
}

#include "platform/sampling/linux/target/function_start.h"

#include <fcntl.h>

#include <catch2/catch_test_macros.hpp>

#include "platform/system/posix/unique_fd.h"
#include "tests/support/function_place.h"

namespace faultline::test {
namespace {

constexpr const char* kLibrary = FAULTLINE_MARKED "/libmarked_library.so";
constexpr const char* kStripped = FAULTLINE_MARKED "/libmarked_library.so_stripped";

bool begins(const char* path, std::uint64_t offset) {
  const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  REQUIRE(file);
  return beginsFunction(file.get(), offset);
}

}  // namespace

TEST_CASE("A function begins where a symbol says so, or in a stripped file the unwind rules") {
  const std::uint64_t exported = ProgramFile(kLibrary).placeOf("glXSwapBuffers");
  const std::uint64_t local = ProgramFile(kLibrary).placeOf("real");
  REQUIRE(exported != 0);
  REQUIRE(local != 0);
  for (const char* const path : {kLibrary, kStripped}) {
    CAPTURE(path);
    CHECK(begins(path, exported));
    CHECK(begins(path, local));
    for (const std::uint64_t inside : {1, 2, 3}) CHECK_FALSE(begins(path, local + inside));
    CHECK_FALSE(begins(path, 0));
    CHECK_FALSE(begins(path, std::uint64_t{1} << 62U));
  }
}

}  // namespace faultline::test

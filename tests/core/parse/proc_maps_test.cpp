#include "core/parse/proc_maps.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "core/parse/number.h"
#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"

namespace faultline::test {
namespace {

const std::string kLine = "7fc35c75f000-7fc35c8b5000 r-xp 00026000 fe:01 326269                     /usr/lib/libc.so.6";

}  // namespace

TEST_CASE("A mapping is read from a line of maps") {
  CHECK(parseProcMapping(kLine) == ProcMapping{.begin = 0x7fc35c75f000,
                                               .end = 0x7fc35c8b5000,
                                               .readable = true,
                                               .executable = true,
                                               .offset = 0x26000,
                                               .deviceMajor = 0xfe,
                                               .deviceMinor = 1,
                                               .inode = 326269,
                                               .name = "/usr/lib/libc.so.6"});
}

TEST_CASE("Recorded names of all kinds are read unchanged") {
  const std::string text = fixture("linux/maps");
  std::string_view rest = text;
  std::vector<std::string_view> names;
  while (const auto line = takeLine(rest)) {
    const auto mapping = parseProcMapping(*line);
    REQUIRE(mapping);
    names.push_back(mapping->name);
  }
  CHECK(names == std::vector<std::string_view>{"/usr/games/m", "", "/memfd:x y (deleted)", "/srv/gone (deleted)",
                                               "/srv/gone (deleted)", "/srv/back\\012slash", "/srv/new\\012line",
                                               "/srv/with  two blanks ", "[vvar]", "[stack]", "[vsyscall]"});
}

TEST_CASE("Only newlines in a path are escaped, as \\012") {
  CHECK(mappedPath("/srv/new\\012line") == "/srv/new\nline");
  CHECK(mappedPath("\\012\\012") == "\n\n");
  CHECK(mappedPath("/a\\01 \\\\012") == "/a\\01 \\\n");
  CHECK(mappedPath("").empty());
}

TEST_CASE("A mapping contains its range of the file, and no other byte") {
  const ProcMapping mapping{.begin = 0x5000, .end = 0x7000, .offset = 0x1000, .name = {}};
  CHECK_FALSE(mapping.holds(0xfff));
  CHECK(mapping.holds(0x1000));
  CHECK(mapping.holds(0x2fff));
  CHECK_FALSE(mapping.holds(0x3000));
  CHECK_FALSE(mapping.holds(UINT64_MAX));
}

TEST_CASE("A line that is cut or invalid is refused") {
  for (std::size_t cut = 0; cut < kLine.find("326269"); ++cut)
    CHECK_FALSE(parseProcMapping(GuardedText(std::string_view(kLine).substr(0, cut)).view()));
  for (const char* line :
       {"7000-6000 r-xp 0 0:0 0 ", "6000-7000 rwx 0 0:0 0 ", "6000-7000 rwzp 0 0:0 0 ", "6000-7000 rwxp 0 0:0 x ",
        "11112222333344445-7000 rwxp 0 0:0 0 ", "6000-7000 rwxp 0 0:0 0x"})
    CHECK_FALSE(parseProcMapping(line));
}

}  // namespace faultline::test

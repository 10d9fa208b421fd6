#include "core/parse/kallsyms.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"

using namespace faultline;

namespace {

constexpr std::array<std::string_view, 4> kNames{"clear_page_erms", "clear_page_rep", "clear_page", "folio_zero_user"};

std::vector<KernelFunction> search(std::string_view text) {
  KallsymsSearch search(kNames);
  search.feed(text);
  return search.found();
}

}  // namespace

TEST_CASE("kallsyms of a real kernel: only exact names match, and a function ends at the next symbol") {
  const std::vector<KernelFunction> expected{{3, 0xffffffff939295b0, 0xffffffff93929780},
                                             {1, 0xffffffff945259f0, 0xffffffff94525a00},
                                             {0, 0xffffffff94525a60, 0xffffffff94525a70}};
  CHECK(search(test::fixture("linux/kallsyms")) == expected);
}

TEST_CASE("kallsyms: compiler suffixes are ignored, symbols at the same address share their end") {
  CHECK(search("100 t clear_page.constprop.0\n100 W clear_page\n100 T __pi_clear_page\n140 T next\n") ==
        std::vector<KernelFunction>{{2, 0x100, 0x140}, {2, 0x100, 0x140}});
  CHECK(search("100 T clear_pages\n140 T xclear_page\n180 T next\n").empty());
}

TEST_CASE("kallsyms: data and symbols that merely precede a function do not match") {
  CHECK(search("100 T __pfx_clear_page\n140 D clear_page\n180 T next\n").empty());
}

TEST_CASE("kallsyms: unsorted module symbols end a function only if they are nearer") {
  CHECK(search("900 T clear_page\n500 t a\t[module]\ne00 t b\t[module]\na00 t c\t[module]\n") ==
        std::vector<KernelFunction>{{2, 0x900, 0xa00}});
}

TEST_CASE("kallsyms reports hidden addresses") {
  KallsymsSearch hidden(kNames);
  hidden.feed("0000000000000000 T clear_page\n0000000000000000 T next\n");
  CHECK(hidden.hidden());
  CHECK(hidden.found().empty());
  KallsymsSearch shown(kNames);
  shown.feed("0000000000000000 A fixed_percpu_data\n0000000000000100 T other\n");
  CHECK_FALSE(shown.hidden());
}

TEST_CASE("kallsyms: invalid lines are skipped") {
  CHECK(search("\n\nT\n100\n100 \n100 T\n100 T \nx T clear_page\n10000000000000000 T clear_page\n").empty());
}

TEST_CASE(
    "kallsyms cut at any byte, against a guard page, has no partial function, and in two pieces gives the same "
    "result") {
  const std::string text = test::fixture("linux/kallsyms");
  const auto whole = search(text);
  REQUIRE(whole.size() == 3);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const test::GuardedText cut(std::string_view(text).substr(0, size));
    KallsymsSearch search(kNames);
    search.feed(cut.view());
    const auto found = search.found();
    if (found.size() > whole.size() || !std::equal(found.begin(), found.end(), whole.begin())) FAIL("cut at " << size);
    search.feed(std::string_view(text).substr(size));
    if (search.found() != whole) FAIL("fed in two pieces, the first of " << size);
  }
}

#include "core/parse/memory_stat.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {

TEST_CASE("Page faults of a control group are read in both versions") {
  CHECK(parseMemoryStat("anon 4096\npgfault 812\npgmajfault 3\nworkingset_refault_anon 0\n") == GroupFaults{812, 3});
  CHECK(parseMemoryStat("cache 0\npgfault 5\npgmajfault 1\ntotal_cache 0\ntotal_pgfault 18446744073709551615\n"
                        "total_pgmajfault 2") == GroupFaults{UINT64_MAX, 2});
  CHECK(parseMemoryStat("pgfault 7\npgmajfault 0") == GroupFaults{7, 0});
}

TEST_CASE("A file that does not tell both numbers of page faults has none") {
  for (const char* const text :
       {"", "anon 4096\n", "pgfault 7\n", "pgfault\npgmajfault 1\n", "pgfault 7x\npgmajfault 1\n",
        "pgfault -7\npgmajfault 1\n", "pgfault 18446744073709551616\npgmajfault 1\n", "xpgfault 7\npgmajfault 1\n"})
    CHECK_FALSE(parseMemoryStat(text));
}

}  // namespace faultline

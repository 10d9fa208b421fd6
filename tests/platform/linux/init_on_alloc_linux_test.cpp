#include "platform/linux/init_on_alloc_linux.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("the command line decides whether all pages are cleared, and the configuration where it says nothing") {
  constexpr auto kOn = "# x\nCONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n";
  constexpr auto kOff = "# x\n# CONFIG_INIT_ON_ALLOC_DEFAULT_ON is not set\n";
  CHECK(initOnAlloc("quiet\n", kOn));
  CHECK_FALSE(initOnAlloc("quiet\n", kOff));
  CHECK_FALSE(initOnAlloc("quiet\n", ""));
  CHECK(initOnAlloc("quiet init_on_alloc=1\n", kOff));
  CHECK(initOnAlloc("init_on_alloc=on quiet\n", kOff));
  CHECK_FALSE(initOnAlloc("init_on_alloc=off\n", kOn));
  CHECK_FALSE(initOnAlloc("init_on_alloc=1 init_on_alloc=0", kOn));
}

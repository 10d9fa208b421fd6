#include "core/trial/remedy.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

Remedy named(const TrialPlace& place, const std::string& name) {
  const auto remedies = remediesFor(place);
  const auto found = std::ranges::find(remedies, name, &Remedy::name);
  REQUIRE(found != remedies.end());
  return *found;
}

}  // namespace

TEST_CASE("A remedy is added to the environment, and nothing is lost") {
  const Remedy tunables{.name = "a", .what = "", .tunables = "glibc.malloc.arena_max=1"};
  using Settings = std::vector<EnvironmentSetting>;
  CHECK(environmentWith(tunables, "", "x.so") == Settings{{"GLIBC_TUNABLES", "glibc.malloc.arena_max=1"}});
  CHECK(environmentWith(tunables, "glibc.rtld.nns=4", "") ==
        Settings{{"GLIBC_TUNABLES", "glibc.rtld.nns=4:glibc.malloc.arena_max=1"}});
  const Remedy preload{.name = "b", .what = "", .preload = "/lib/libjemalloc.so.2"};
  CHECK(environmentWith(preload, "t", "libown.so") == Settings{{"LD_PRELOAD", "/lib/libjemalloc.so.2:libown.so"}});
  CHECK(environmentWith({.name = "plain", .what = ""}, "t", "p").empty());
}

TEST_CASE("A remedy that cannot be tried names the reason") {
  const Unavailable reason{.why = "x is linked statically", .enable = {}};
  CHECK(named({.tunables = reason}, "keep").absent == reason);
  CHECK(named({.preload = reason}, "jemalloc").absent == reason);
  CHECK(named({.hugePages = reason}, "no-huge").absent == reason);
  CHECK(named({.nodes = reason}, "interleave").absent == reason);
  CHECK_FALSE(named({.hugePages = reason}, "keep").absent);
  CHECK(named({.glibcMinor = 34}, "huge").absent);
  CHECK_FALSE(named({.glibcMinor = 35}, "huge").absent);
  CHECK(named({}, "mimalloc").absent->enable == "Install mimalloc.");
}

TEST_CASE("Another malloc is tried where its library is installed") {
  const Remedy remedy = named({.libraries = {{"libmimalloc.so.2", "/usr/lib/libmimalloc.so.2"}}}, "mimalloc");
  CHECK_FALSE(remedy.absent);
  CHECK(asTyped(remedy) == "LD_PRELOAD=/usr/lib/libmimalloc.so.2");
}

TEST_CASE("Each remedy has a name of its own and is typed in some way") {
  std::vector<std::string> names;
  for (const Remedy& remedy : remediesFor({})) {
    names.push_back(remedy.name);
    if (!remedy.absent) CHECK_FALSE(asTyped(remedy).empty());
  }
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

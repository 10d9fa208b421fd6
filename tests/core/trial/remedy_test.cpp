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

TEST_CASE("A remedy of Faultline's own libraries names its amount, and how it is typed") {
  const TrialPlace place{.libraries = {{kHeapLibrary, "/opt/heap.so"}, {kFreeLibrary, "/opt/free.so"}}};
  const auto remedies = remediesFor(place, std::uint64_t{64} << 20U);
  const auto prefault = std::ranges::find(remedies, "prefault", &Remedy::name);
  REQUIRE(prefault != remedies.end());
  CHECK(prefault->what == "keeps freed memory, and populates 64.0 MiB of it at the start");
  CHECK(asTyped(*prefault).ends_with(" FAULTLINE_HEAP=populate=67108864 LD_PRELOAD=/opt/heap.so"));
  CHECK(asTyped(*prefault).starts_with("GLIBC_TUNABLES=glibc.malloc.mmap_threshold="));
  CHECK(asTyped(named(place, "free-later")) == "LD_PRELOAD=/opt/free.so");
  CHECK(asTyped(named(place, "advised-huge")) == "prctl(PR_SET_THP_DISABLE, 1, PR_THP_DISABLE_EXCEPT_ADVISED, 0, 0)");
  const Unavailable reason{.why = "x is no 64-bit program", .enable = {}};
  CHECK(named({.ownPreload = reason}, "free-later").absent == reason);
  CHECK(named({.tunables = reason}, "prefault").absent == reason);
  CHECK(named({.adviceAlone = reason}, "advised-huge").absent == reason);
  CHECK(named({.hugePool = reason}, "huge-pool").absent == reason);
}

TEST_CASE("Each remedy of Windows says why it cannot be tried, and how a developer does") {
  for (const Remedy& remedy : remediesFor({.windows = true})) {
    REQUIRE(remedy.absent);
    CHECK_FALSE(remedy.absent->enable.empty());
  }
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

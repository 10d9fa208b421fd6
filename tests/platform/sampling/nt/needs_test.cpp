// The calls that the sampler still needs once no privilege is in effect any more.
#include "tests/platform/sampling/nt/scripted_sampler.h"

using namespace faultline;
using test::ScriptedSampler;

TEST_CASE("a privilege is kept for the page lists if Windows requires it") {
  ScriptedSampler scripted;
  scripted.start();
  CHECK_FALSE(scripted.sampler->needs().privileges);
  scripted.windows.memoryLists.reset();
  CHECK(scripted.sampler->needs().privileges);
  CHECK(scripted.sampler->needs().opensIn == -1);
}

TEST_CASE("no privilege is kept for page lists that were never readable") {
  ScriptedSampler scripted;
  scripted.windows.memoryLists.reset();
  scripted.start();
  CHECK_FALSE(scripted.sampler->needs().privileges);
}

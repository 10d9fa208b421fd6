#include "core/watch/options.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

const ProbePoint kSwap{"/usr/lib/libSDL2-2.0.so.0.2600.5", 4096, "SDL_GL_SwapWindow (libSDL2-2.0.so.0)"};
const ProbePoint kParts{"/lib/x.so", 8, "XPutImage", ProbeCalls::Parts};
const ProbePoint kLookups{"/lib/libvulkan.so.1", 16, "vkGetDeviceProcAddr", ProbeCalls::Lookups};
const ProbePoint kCommits{"/lib/w.so", 64, "commit", ProbeCalls::SurfaceCommits};

std::string refusal(const Words& arguments) {
  const auto options = parseWatchArguments(arguments);
  return options ? "" : options.error().message;
}

}  // namespace

TEST_CASE("The arguments of a watch are these words") {
  CHECK(watchArguments({.pid = 7, .mark = "render", .patience = 10s}) ==
        Words{"watch", "7", "--wait", "10s", "--mark", "render", "--samples", "none"});
  CHECK(watchArguments({.pid = 7, .assumedRate = 144, .samples = SampleMode::All}) ==
        Words{"watch", "7", "--assume", "144", "--samples", "all"});
  CHECK(watchArguments({.pid = 7, .assumedRate = 10, .samples = SampleMode::All, .stacks = false}) ==
        Words{"watch", "7", "--assume", "10", "--samples", "all", "--no-stacks"});
  CHECK(watchArguments({.pid = 7, .probes = {kParts}}) ==
        Words{"watch", "7", "--parts", "/lib/x.so", "8", "XPutImage", "--samples", "none"});
  CHECK(watchArguments({.pid = 7, .probes = {kSwap, kCommits}, .samples = SampleMode::Spikes, .sampleAfter = 400us}) ==
        Words{"watch", "7", "--probe", kSwap.file, "4096", kSwap.name, "--commits", "/lib/w.so", "64", "commit",
              "--samples", "spikes", "--sample-after", "400us"});
}

TEST_CASE("Written arguments are parsed to the same options") {
  for (const WatchOptions& options : {
           WatchOptions{.pid = 4'194'304, .mark = "--mark", .patience = 1500ms},
           WatchOptions{.pid = 1, .assumedRate = 1000, .samples = SampleMode::Some},
           WatchOptions{.pid = 1, .assumedRate = 10, .samples = SampleMode::All, .stacks = false},
           WatchOptions{.pid = 7,
                        .probes = {kSwap, kCommits, kParts, kLookups},
                        .samples = SampleMode::Spikes,
                        .sampleAfter = 7us},
           WatchOptions{.pid = 7, .samples = SampleMode::All, .synthetic = true},
           WatchOptions{.pid = 7, .delay = 2500ns},
           WatchOptions{.pid = 7, .presentMon = "C:\\Program Files\\PresentMon.exe"},
       }) {
    const Words arguments = watchArguments(options);
    const auto parsed = parseWatchArguments(std::span(arguments).subspan(1));
    REQUIRE(parsed);
    CHECK(watchArguments(*parsed) == arguments);
  }
}

TEST_CASE("A synthetic machine with a seed of its own has as many processes as the one without") {
  const auto machineOf = [](SweepRequest request) {
    request.synthetic = true;
    return sweepArguments(request).back();
  };
  CHECK(machineOf({}) == "--synthetic");
  SweepRequest request;
  request.seed = 7;
  CHECK(machineOf(request) == "64,7");
  request.windows = true;
  CHECK(machineOf(request) == "windows,64,7");
}

TEST_CASE("A collector samples the clearing of pages unless the sweep does without") {
  CHECK(sweepArguments({}) == Words{"sweep", "--interval", "500ms"});
  CHECK(sweepArguments({.sampling = false}) == Words{"sweep", "--interval", "500ms", "--no-sampling"});
}

TEST_CASE("Wrong arguments are refused with a sentence that names them") {
  CHECK(refusal({}) == "The process is missing: faultline-collector watch PID.");
  CHECK(refusal({"0"}) == "The process '0' is not a number from 1 to 4194304.");
  CHECK(refusal({"5", "6"}) == "'watch' takes one process; '6' is a second.");
  CHECK(refusal({"5", "--assume", "1001"}) == "The rate after --assume '1001' is not a number from 1 to 1000.");
  CHECK(refusal({"5", "--wait", "long"}).starts_with("--wait: "));
  CHECK(refusal({"5", "--mark"}) == "The name after --mark is missing.");
  CHECK(refusal({"5", "--probe", "/lib/a.so", "-1", "f"}).starts_with("OFFSET '-1' is not a number"));
  CHECK(refusal({"5", "--probe", "/lib/a.so", "1"}) == "NAME is missing.");
  CHECK(refusal({"5", "--samples", "most"}) == "--samples knows none, spikes, some and all, not 'most'.");
  for (const char* const delay : {"0s", "99ns", "101us", "1s"})
    CHECK(refusal({"5", "--delay", delay}) == "--delay takes 100ns to 100us for each fault.");
  CHECK(refusal({"5", "--delay", "100ns"}).empty());
  CHECK(refusal({"5", "--delay", "100us"}).empty());
  CHECK(refusal({"5", "--delay", "2"}).starts_with("--delay: "));
  CHECK(refusal({"5", "--fast"}) == "'watch' does not know '--fast'.");
}

#include "app/collector/command_line.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

std::variant<CollectorCommand, int> parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "faultline-collector");
  return parseCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

CollectorCommand parsed(std::vector<const char*> arguments) {
  const auto command = parse(std::move(arguments));
  REQUIRE(std::holds_alternative<CollectorCommand>(command));
  return std::get<CollectorCommand>(command);
}

}  // namespace

TEST_CASE("A sweep is every 500 ms without end by default") {
  const CollectorCommand plain = parsed({"sweep"});
  CHECK(plain.sweep.interval == 500ms);
  CHECK_FALSE(plain.sweep.count);
  CHECK_FALSE(plain.synthetic);
  const CollectorCommand told = parsed({"sweep", "--interval", "10ms", "--count", "7"});
  CHECK(told.sweep.interval == 10ms);
  CHECK(told.sweep.count == 7U);
}

TEST_CASE("The synthetic machine's size and seed can be set") {
  CHECK(parsed({"sweep", "--synthetic"}).synthetic == SyntheticMachine{});
  CHECK(parsed({"sweep", "--synthetic", "300"}).synthetic == SyntheticMachine{.processes = 300});
  CHECK(parsed({"sweep", "--synthetic=12,5", "--fast"}).synthetic == SyntheticMachine{.processes = 12, .seed = 5});
  CHECK(parsed({"sweep", "--synthetic", "windows"}).synthetic == SyntheticMachine{.windows = true});
  CHECK(parsed({"sweep", "--synthetic=windows,12,5"}).synthetic ==
        SyntheticMachine{.processes = 12, .seed = 5, .windows = true});
  CHECK(parsed({"sweep", "--synthetic", "--interval", "1s"}).synthetic == SyntheticMachine{});
}

TEST_CASE("By default everything is measured and standard input is not read") {
  const CollectorCommand plain = parsed({"sweep"});
  CHECK_FALSE(plain.attended);
  CHECK(plain.sampler.faultTime);
  CHECK(plain.sampler.sampling);
  CHECK_FALSE(plain.sweep.faster);
  CHECK(parsed({"sweep", "--faster"}).sweep.faster);
  CHECK(parsed({"sweep", "--attended"}).attended);
  CHECK_FALSE(parsed({"sweep", "--no-fault-time"}).sampler.faultTime);
  CHECK_FALSE(parsed({"sweep", "--no-sampling"}).sampler.sampling);
}

TEST_CASE("A game is watched by its marks, or at an assumed rate") {
  CHECK_FALSE(parsed({"sweep"}).watch);
  const auto plain = parsed({"watch", "4711"}).watch;
  REQUIRE(plain);
  CHECK(plain->pid == 4711);
  CHECK((plain->mark.empty() && plain->assumedRate == 0 && plain->patience == 0s));
  const auto told = parsed({"watch", "4711", "--mark", "render", "--wait", "2s"}).watch;
  CHECK((told->mark == "render" && told->patience == 2s));
  CHECK(parsed({"watch", "4711", "--assume", "144"}).watch->assumedRate == 144);
}

TEST_CASE("Invalid arguments are refused with exit code 2") {
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{{},
                                             {"sweep", "--interval", "9ms"},
                                             {"sweep", "--interval", "61s"},
                                             {"sweep", "--interval", "500"},
                                             {"sweep", "--count", "0"},
                                             {"sweep", "--synthetic", "0"},
                                             {"sweep", "--synthetic", "5,x"},
                                             {"sweep", "--fast"},
                                             {"sweep", "/etc/passwd"},
                                             {"sweep", "--root", "/tmp"},
                                             {"watch"},
                                             {"watch", "0"},
                                             {"watch", "x"},
                                             {"watch", "5", "--assume", "1001"},
                                             {"watch", "5", "--wait", "long"},
                                             {"leap"}}) {
    const auto command = parse(arguments);
    REQUIRE(std::holds_alternative<int>(command));
    CHECK(std::get<int>(command) == 2);
  }
}

TEST_CASE("Help and version are no error") {
  CHECK(std::get<int>(parse({"--help"})) == 0);
  CHECK(std::get<int>(parse({"--version"})) == 0);
}

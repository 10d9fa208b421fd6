// Of any number of collectors only few run programs at all processes' page faults, and one delays faults; no other
// program can keep them from it.
#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/syscall.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "platform/sampling/linux/bpf/places.h"
#include "platform/sampling/linux/facts/privilege.h"
#include "tests/app/collector/capable_copy_linux.h"
#include "tests/app/collector/running_collector.h"
#include "tests/support/function_place.h"
#include "tests/support/game.h"
#include "tests/support/in_child.h"
#include "tests/support/loaded_bpf.h"

using namespace faultline;
using test::CapableCopy;
using test::Collector;
using test::Game;

namespace {

constexpr uid_t kMember = 54321;
constexpr std::size_t kCollectors = 50;
constexpr std::size_t kSlots = 4;
constexpr std::size_t kWatchers = 5;  // as many sweep between them; all others sweep, and are stopped

// Absent: the collector has ended.
std::optional<Hello> helloOf(const Collector& collector) {
  std::optional<Hello> found;
  test::followUntil(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) found = *hello;
    return found.has_value();
  });
  return found;
}

struct Started {
  std::unique_ptr<Collector> collector;
  Hello hello;
};

// On a machine so busy that placing a probe takes five seconds the collector is killed, as if it were stopped: then
// another is started.
Started start(const CapableCopy& copy, const std::vector<std::string>& arguments) {
  for (int attempt = 1;; ++attempt) {
    auto collector = std::make_unique<Collector>(arguments, Collector::Input::Inherit,
                                                 test::CollectorStart{.program = copy.program(), .user = kMember});
    if (auto hello = helloOf(*collector)) return {std::move(collector), std::move(*hello)};
    INFO(collector->readErrors());
    REQUIRE((collector->exitCode() == -SIGKILL && attempt < 10));
  }
}

std::size_t programsOf(const Collector& collector, const std::string& name) {
  std::set<std::uint32_t> programs;  // a link contains its program's id
  for (const test::BpfId& id : test::loadedBy(collector.pid()))
    if (test::programName(id) == name) programs.insert(id.number);
  return programs.size();
}

std::vector<std::string> watchOf(const Game& game, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"watch",
                                 std::to_string(game.pid()),
                                 "--probe",
                                 FAULTLINE_BIN "/fake_game",
                                 std::to_string(test::fakeGamePresent()),
                                 "present"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The slots that others on this machine hold.
std::size_t heldBefore() {
  const auto places = Places::open();
  const auto held = places ? places->held("timing") : std::vector<HeldPlace>();
  return held ? held->size() : 0;
}

const Quality& timing(const Hello& hello) {
  return hello.watched ? hello.watched->faultTime : hello.quality(ProcessMetric::FaultTime);
}

}  // namespace

TEST_CASE("Four of fifty collectors run programs at all processes' faults, and the others name them", "[slow][alone]") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  const std::size_t held = heldBefore();
  const CapableCopy copy;
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  const Game game({"rate=240", "frames=1000000", "mark="}, kMember);
  const std::vector<std::string> sweep{"sweep", "--interval", "1s"};
  const std::vector<std::string> watch = watchOf(game);
  std::vector<std::unique_ptr<Collector>> collectors;
  std::vector<std::string> holders;
  std::size_t begins = 0;
  std::size_t clears = 0;
  for (std::size_t i = 0; i < kCollectors; ++i) {
    const bool watches = i % 2 == 1 && i < 2 * kWatchers;
    auto [started, hello] = start(copy, watches ? watch : sweep);
    const Collector& collector = *collectors.emplace_back(std::move(started));
    if (!hello.watched) collector.signal(SIGSTOP);  // a watching collector would be killed if stopped
    begins += programsOf(collector, "beginUserFault");
    clears += programsOf(collector, "countZeroed");
    if (i == 0 && timing(hello).grade != Grade::Exact) SKIP(timing(hello).how);
    if (timing(hello).grade == Grade::Exact) {
      holders.push_back(std::to_string(collector.pid()));
      continue;
    }
    CAPTURE(timing(hello).how);
    for (const std::string& holder : holders) CHECK(timing(hello).how.find(holder) != std::string::npos);
    const Quality& sampled = hello.quality(ProcessMetric::SampledZeroingTime);
    if (!hello.watched) CHECK(sampled.grade == Grade::Unavailable);
  }
  CHECK(holders.size() == kSlots - held);
  CHECK(begins == kSlots - held);
  CHECK(clears == kSlots - held);
  for (const auto& collector : collectors) collector->signal(SIGCONT);
  collectors.erase(collectors.begin());
  CHECK(timing(start(copy, sweep).hello).grade == Grade::Exact);
}

TEST_CASE("A program that locks the collector, or has no capability, holds no slot", "[slow][alone]") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  if (heldBefore() != 0) SKIP("other collectors hold slots");
  const CapableCopy copy;
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  CHECK(test::inChild([] {
          if (setgid(kMember) != 0 || setuid(kMember) != 0) return 1;
          bpf_attr map{};
          map.map_type = BPF_MAP_TYPE_QUEUE;
          map.value_size = sizeof(int);
          map.max_entries = 1;
          return syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map) < 0 && errno == EPERM ? 0 : 2;
        }) == 0);
  const pid_t squatter = fork();
  if (squatter == 0) {
    if (setgid(kMember) != 0 || setuid(kMember) != 0) _exit(1);
    const int file = open(copy.program().c_str(), O_RDONLY | O_CLOEXEC);
    for (const off_t first : {off_t{0}, off_t{64}}) {
      struct flock lock{};
      lock.l_type = F_RDLCK;
      lock.l_whence = SEEK_SET;
      lock.l_start = first;
      lock.l_len = kSlots;
      if (fcntl(file, F_SETLK, &lock) != 0) _exit(1);
    }
    pause();
    _exit(0);
  }
  const auto sweeping = start(copy, {"sweep", "--interval", "1s"});
  const Quality& quality = timing(sweeping.hello);
  INFO(quality.how);
  CHECK(waitpid(squatter, nullptr, WNOHANG) == 0);
  kill(squatter, SIGKILL);
  waitpid(squatter, nullptr, 0);
  CHECK(quality.how.find("At most 4 collectors") == std::string::npos);
  const auto places = Places::open();
  const auto held = places ? places->held("timing") : std::vector<HeldPlace>();
  if (quality.grade == Grade::Exact) CHECK(held->size() == 1);
}

TEST_CASE("Of several collectors one delays faults, and the others name it", "[slow][alone]") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  const CapableCopy copy;
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  const Game game({"rate=240", "frames=1000000", "mark="}, kMember);
  const Game other({"rate=240", "frames=1000000", "mark="}, kMember);
  auto first = start(copy, watchOf(game, {"--delay", "100us"}));
  REQUIRE(first.hello.watched->delay);
  if (first.hello.watched->delay->grade != Grade::Exact) SKIP(first.hello.watched->delay->how);
  for (const Game* const which : {&other, &game}) {
    const auto second = start(copy, watchOf(*which, {"--delay", "100us"}));
    REQUIRE(second.hello.watched->delay);
    CAPTURE(second.hello.watched->delay->how);
    CHECK(second.hello.watched->delay->grade == Grade::Unavailable);
    CHECK(second.hello.watched->delay->how.find("process " + std::to_string(first.collector->pid())) !=
          std::string::npos);
    CHECK(timing(second.hello).grade == Grade::Exact);
  }
  first.collector.reset();
  const auto third = start(copy, watchOf(other, {"--delay", "100us"}));
  CHECK(third.hello.watched->delay->grade == Grade::Exact);
}

// What the collector loads into the kernel is gone with it, however it ends.
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/app/collector/running_collector.h"

using namespace std::chrono_literals;
using faultline::test::Collector;

namespace {

struct Id {
  bpf_cmd open;  // what opens a thing of this kind by its number
  std::uint32_t number;
};

// As the kernel tells of a process's descriptors; empty if it has none to do with BPF.
std::vector<Id> loadedBy(pid_t pid) {
  std::vector<Id> ids;
  for (const auto& file : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fdinfo")) {
    std::ifstream text(file.path());
    std::string word;
    Id id{};
    while (text >> word) {
      if (word == "prog_id:") id.open = BPF_PROG_GET_FD_BY_ID;
      else if (word == "map_id:") id.open = BPF_MAP_GET_FD_BY_ID;
      else if (word == "link_id:") id.open = BPF_LINK_GET_FD_BY_ID;
      else continue;
      if (text >> id.number) ids.push_back(id);
    }
  }
  return ids;
}

bool exists(const Id& id) {
  bpf_attr attributes{};
  attributes.prog_id = id.number;  // at one place with map_id and link_id
  const auto file = static_cast<int>(syscall(SYS_bpf, id.open, &attributes, sizeof attributes));
  if (file >= 0) close(file);
  return file >= 0;
}

}  // namespace

TEST_CASE("a hundred collectors that are started, stopped and killed leave no BPF program, map or link behind") {
  if (geteuid() != 0) SKIP("only root may look for BPF programs");
  std::vector<Id> ids;
  for (int cycle = 0; cycle < 100; ++cycle) {
    Collector collector({"sweep", "--interval", "20ms"});
    REQUIRE_FALSE(collector.readOutput().empty());
    for (const Id& id : loadedBy(collector.pid())) ids.push_back(id);
    if (ids.empty()) SKIP("the collector cannot load BPF programs here");
    if (cycle == 0) CHECK(std::ranges::all_of(ids, exists));
    if (cycle % 3 == 0) collector.signal(SIGKILL);
    if (cycle % 3 == 1) collector.signal(SIGTERM);
    // else its reader leaves
  }
  CHECK(ids.size() >= 100 * 3);
  // The kernel takes them away some time after their last owner is gone.
  for (int patience = 0; patience < 100 && std::ranges::any_of(ids, exists); ++patience)
    std::this_thread::sleep_for(100ms);
  CHECK(std::ranges::count_if(ids, exists) == 0);
}

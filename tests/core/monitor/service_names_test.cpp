#include "core/monitor/service_names.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

namespace faultline {
namespace {

using namespace std::chrono_literals;

// Processes that started with the machine; children have ten times the pid of their parent.
struct Services {
  Snapshot sample(const std::vector<std::uint32_t>& pids, const std::vector<std::uint32_t>& ended = {},
                  Nanoseconds at = 2s) {
    Snapshot snapshot;
    snapshot.time = {at};
    for (const std::uint32_t pid : pids) snapshot.processes.push_back(process(pid));
    for (const std::uint32_t pid : ended) snapshot.exited.push_back(process(pid));
    names(snapshot);
    return snapshot;
  }

  static ProcessSample process(std::uint32_t pid) {
    ProcessSample sample;
    sample.key = {pid, pid};
    sample.values.set(ProcessMetric::ParentPid, pid / 10);
    return sample;
  }

  std::map<std::uint32_t, std::string> groups;  // of processes that run
  int reads = 0;
  ServiceNames names{[this](const ProcessKey& key) {
    ++reads;
    const auto group = groups.find(key.pid);
    return group == groups.end() ? std::nullopt : std::optional(group->second);
  }};
};

std::vector<std::string> all(const std::vector<ProcessSample>& processes) {
  std::vector<std::string> services;
  for (const ProcessSample& process : processes) services.push_back(process.service);
  return services;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("The service of a process is read once, and again while the process is younger than a second") {
  Services services;
  services.groups = {{1, "init.scope"}, {2, ""}};
  CHECK(all(services.sample({1, 2}, {}, 500ms).processes) == Names{"init.scope", kNoService});
  services.groups[2] = "ssh.service";  // systemd has moved it
  CHECK(all(services.sample({1, 2}, {}, 1500ms).processes) == Names{"init.scope", "ssh.service"});
  services.groups[2] = "late.service";
  CHECK(all(services.sample({1, 2}).processes) == Names{"init.scope", "ssh.service"});
  CHECK(services.reads == 4);
  services.sample({1});
  services.groups.erase(2);
  CHECK(all(services.sample({1, 2}).processes) == Names{"init.scope", ""});  // forgotten with its process
}

TEST_CASE("A process that has ended is in its service, or else in that of its nearest known ancestor") {
  Services services;
  services.groups = {{1, "ci.service"}, {2, ""}};
  services.sample({1, 2});
  CHECK(all(services.sample({1, 2}, {10, 20, 70, 100, 1000}).exited) ==
        Names{"ci.service", kNoService, "", "ci.service", "ci.service"});
  CHECK(all(services.sample({2}, {1, 11}).exited) == Names{"ci.service", "ci.service"});  // its parent ends, too
  CHECK(all(services.sample({}, {1}).exited) == Names{""});                               // long gone
}

TEST_CASE("A process whose control group cannot be read is in that of its parent, whatever the order of their pids") {
  Services services;
  services.groups = {{500, "game.scope"}};
  Snapshot snapshot;
  snapshot.time = {2s};
  for (const std::uint32_t pid : {30U, 500U}) snapshot.processes.push_back(Services::process(pid));
  snapshot.processes.front().key.startTime = 1000;
  snapshot.processes.front().values.set(ProcessMetric::ParentPid, 500);  // the pids have begun anew
  services.names(snapshot);
  services.names(snapshot);
  CHECK(all(snapshot.processes) == Names{"game.scope", "game.scope"});
}

TEST_CASE("A process that names no service itself is in that of its nearest ancestor that does, or in none") {
  Services services;
  for (const std::uint32_t pid : {1U, 2U, 10U, 20U, 100U}) services.groups[pid] = kAsItsParent;
  services.groups[1] = "Jenkins";
  CHECK(all(services.sample({1, 2, 10, 20, 100}, {1000, 200}).processes) ==
        Names{"Jenkins", kNoService, "Jenkins", kNoService, "Jenkins"});
  services.groups[20] = "Dhcp, EventLog";
  const Snapshot later = services.sample({1, 2, 10, 20, 100, 200}, {1000});
  CHECK(later.processes.back().service == kNoService);  // each was asked once
  CHECK(all(later.exited) == Names{"Jenkins"});
}

}  // namespace faultline

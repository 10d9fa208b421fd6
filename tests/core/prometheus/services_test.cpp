#include "core/prometheus/services.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

// Children have ten times the pid of their parent.
struct Services {
  void sample(const std::vector<std::uint32_t>& pids, bool exited = false) {
    Moment now;
    for (const std::uint32_t pid : pids) {
      ProcessRow& row = now.rows.emplace_back();
      row.key = {pid, pid};
      row.exited = exited;
    }
    names.take(now, [](const ProcessKey& key) {
      return key.pid < 10 ? std::nullopt : std::optional(ProcessKey{key.pid / 10, key.pid / 10});
    });
  }
  [[nodiscard]] std::string of(std::uint32_t pid) const { return names.of({pid, pid}); }

  std::map<std::uint32_t, std::string> groups;
  int reads = 0;
  ServiceNames names{[this](const ProcessKey& key) {
    ++reads;
    const auto group = groups.find(key.pid);
    return group == groups.end() ? std::nullopt : std::optional(group->second);
  }};
};

}  // namespace

TEST_CASE("The service of a process is read in its first two samples, and in no later one") {
  Services services;
  services.groups = {{1, "init.scope"}, {2, ""}};
  services.sample({1, 2});
  CHECK(services.of(1) == "init.scope");
  CHECK(services.of(2) == kNoService);
  services.groups[2] = "ssh.service";  // systemd has moved it
  services.sample({1, 2});
  CHECK(services.of(2) == "ssh.service");
  services.sample({1, 2});
  CHECK(services.reads == 4);
  services.sample({1});
  CHECK(services.of(2) == kNoService);  // forgotten with its process
}

TEST_CASE("A process that has ended before its service was read is in that of its nearest known ancestor") {
  Services services;
  services.groups = {{1, "ci.service"}};
  services.sample({1});
  services.sample({1, 10, 100});
  CHECK(services.of(100) == "ci.service");
  CHECK(services.of(7) == kNoService);
  services.sample({5}, true);
  CHECK(services.of(5) == kNoService);
}

}  // namespace faultline

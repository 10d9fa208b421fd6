// The sampler of Windows before a scripted one, and a Monitor behind it.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "core/monitor/monitor.h"
#include "platform/sampling/nt/sampler.h"
#include "tests/support/fake_clock.h"
#include "tests/support/scripted_windows.h"

namespace faultline::test {

struct ScriptedSampler {
  FakeClock clock;
  ScriptedWindows windows;
  NtHost host{};
  std::unique_ptr<Sampler> sampler{};
  Snapshot snapshot{};
  Monitor monitor{};

  ScriptedSampler() {
    host.machine.memoryBytes = std::uint64_t{16} << 30U;
    host.machine.pageBytes = 4096;
    host.ownPid = 4096;
    boot(windows, 2);
    windows.memoryLists = ntMemoryLists(500, 20);
  }
  void start() {
    auto made = makeNtSampler(windows.functions(), host, clock);
    REQUIRE(made);
    sampler = std::move(*made);
    Hello hello = sampler->hello();
    hello.interval = std::chrono::seconds(1);
    monitor.ingest(hello);
  }
  void sample() {
    const auto sampled = sampler->sample(snapshot);
    INFO((sampled ? std::string() : sampled.error().message));
    REQUIRE(sampled);
    monitor.ingest(snapshot);
  }
  const ProcessSample& of(std::uint32_t pid) {
    const auto found =
        std::ranges::find(snapshot.processes, pid, [](const ProcessSample& process) { return process.key.pid; });
    REQUIRE(found != snapshot.processes.end());
    return *found;
  }
  const ProcessRow& row(std::uint32_t pid) {
    const ProcessRow* const found = monitor.now().find(of(pid).key);
    REQUIRE(found);
    return *found;
  }
  const Quality& quality(auto metric) {
    m_hello = sampler->hello();
    return m_hello.quality(metric);
  }

 private:
  Hello m_hello;
};

}  // namespace faultline::test

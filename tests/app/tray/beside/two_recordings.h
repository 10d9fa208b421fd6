// Recordings of two runs of a program, which differ as a test needs.
#pragma once

#include <QByteArray>

#include "tests/app/tray/fake_collector.h"

namespace faultline {

// A snapshot each half second, of "init" and, from one instant on, of "make".
struct TestRun {
  unsigned snapshots = 120;
  Nanoseconds begin = std::chrono::seconds(1000);  // since boot
  Nanoseconds wall = std::chrono::hours(500'000);  // when it begins
  std::uint64_t faults = 100;                      // of make, between two snapshots
  unsigned makeFrom = 20;                          // the first snapshot with it; 0: it was there before
  bool ended = true;
  bool zeroing = false;  // is measured: a page for each fault
};

inline Hello helloOf(const TestRun& run) {
  Hello hello = testHello();
  for (const ProcessMetric metric :
       {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults, ProcessMetric::CommitBytes})
    hello.quality(metric) = {Grade::Exact, "counted", "", 64};
  if (run.zeroing) hello.quality(ProcessMetric::ZeroedBytes) = {Grade::Estimated, "by faults", "", 64};
  return hello;
}

inline Snapshot snapshotOf(const TestRun& run, unsigned index) {
  constexpr Nanoseconds kHalf = std::chrono::milliseconds(500);
  Snapshot snapshot;
  snapshot.time = {run.begin + index * kHalf};
  snapshot.wallTime = {run.wall + index * kHalf};
  const auto add = [&](std::uint32_t pid, Nanoseconds start, const char* name, std::uint64_t faults) {
    ProcessSample& sample = snapshot.processes.emplace_back();
    sample.key = {pid, static_cast<std::uint64_t>(start.count())};
    sample.name = name;
    sample.values.set(ProcessMetric::MinorFaults, faults);
    sample.values.set(ProcessMetric::MajorFaults, 0);
    sample.values.set(ProcessMetric::CommitBytes, std::uint64_t{1} << 20U);
    if (run.zeroing) sample.values.set(ProcessMetric::ZeroedBytes, faults * 4096);
  };
  add(1, std::chrono::seconds(1), "init", 0);
  if (index < run.makeFrom) return snapshot;
  const Nanoseconds start = run.makeFrom == 0 ? std::chrono::seconds(2) : run.begin + run.makeFrom * kHalf - kHalf / 2;
  add(7, start, "make", run.faults * (index - run.makeFrom));
  return snapshot;
}

inline QByteArray streamOf(const TestRun& run) {
  Encoder encoder;
  QByteArray bytes;
  const auto append = appenderTo(bytes);
  append(encoder.hello(helloOf(run)));
  for (unsigned i = 0; i < run.snapshots; ++i) append(encoder.snapshot(snapshotOf(run, i)));
  if (run.ended) append(encoder.end());
  return bytes;
}

}  // namespace faultline

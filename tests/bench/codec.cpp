// The cost of the stream: time per 1000 processes, bytes per hour of 300 processes at 2 Hz, and reading a recording.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/median.h"
#include "core/recording/recording.h"
#include "core/recording/writer.h"
#include "core/stream/decoder.h"
#include "core/stream/encoder.h"

namespace faultline {
namespace {

// The numbers of the machine of long ago: as many in every commit, so that commits compare.
constexpr std::size_t kSystemMetrics = 25;

Snapshot firstSnapshot(std::uint32_t count) {
  Snapshot snapshot;
  snapshot.time = {std::chrono::hours(30)};
  snapshot.wallTime = {Nanoseconds(1'790'000'000'000'000'000)};
  for (std::size_t i = 0; i < kSystemMetrics; ++i) {
    snapshot.system.set(static_cast<SystemMetric>(i), 123'456'789 * (i + 1));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    ProcessSample process{{i * 13 + 1, 1'230'000'000ULL * (i + 1)}, "some-process-" + std::to_string(i % 100), {}};
    process.values.set(ProcessMetric::MinorFaults, 1000 + i * 991ULL);
    process.values.set(ProcessMetric::MajorFaults, i % 37);
    process.values.set(ProcessMetric::CommitBytes, (20'000 + i * 37ULL) << 12U);
    process.values.set(ProcessMetric::ResidentBytes, (5'000 + i * 17ULL) << 12U);
    process.values.set(ProcessMetric::TouchedPrivateBytes, (2'000 + i * 11ULL) << 12U);
    process.values.set(ProcessMetric::Threads, 1 + i % 20);
    snapshot.processes.push_back(std::move(process));
  }
  return snapshot;
}

// A changing process faults pages in; every second changing process also grows or shrinks.
void advance(Snapshot& snapshot, double changing, std::mt19937& random) {
  snapshot.time = snapshot.time + Nanoseconds(500'000'000 + random() % 100'000);
  snapshot.wallTime.sinceEpoch += Nanoseconds(500'000'000 + random() % 100'000);
  snapshot.scan = Nanoseconds(2'000'000 + random() % 100'000);
  for (std::size_t i = 0; i < kSystemMetrics; ++i) {
    const auto metric = static_cast<SystemMetric>(i);
    snapshot.system.set(metric, *snapshot.system.get(metric) + random() % 5000);
  }
  std::bernoulli_distribution changes(changing);
  for (ProcessSample& process : snapshot.processes) {
    if (!changes(random)) continue;
    const std::uint64_t faults = 1 + random() % 400;
    const auto grow = [&](ProcessMetric metric, std::uint64_t by) {
      process.values.set(metric, *process.values.get(metric) + by);
    };
    grow(ProcessMetric::MinorFaults, faults);
    if (random() % 2 == 0) continue;
    const std::uint64_t pages = faults % 60 << 12U;
    const std::uint64_t by = random() % 2 == 0 ? pages : 0 - std::min(pages, std::uint64_t{1} << 18U);
    grow(ProcessMetric::ResidentBytes, by);
    grow(ProcessMetric::TouchedPrivateBytes, by);
    if (random() % 4 == 0) grow(ProcessMetric::CommitBytes, pages);
  }
}

struct Cost {
  double encodeUs = 0;  // medians, per snapshot
  double decodeUs = 0;
  double bytes = 0;  // mean, per snapshot
};

double microseconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

Cost measure(std::uint32_t processes, double changing, int snapshots) {
  std::mt19937 random(1);
  Snapshot snapshot = firstSnapshot(processes);
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello({}));
  if (!decoder.next()) std::abort();
  std::vector<double> encoding;
  std::vector<double> decoding;
  std::size_t bytes = 0;
  for (int i = 0; i < snapshots; ++i) {
    advance(snapshot, changing, random);
    const auto start = std::chrono::steady_clock::now();
    const auto frame = encoder.snapshot(snapshot);
    const auto encoded = std::chrono::steady_clock::now();
    decoder.feed(frame);
    const auto event = decoder.next();
    const auto decoded = std::chrono::steady_clock::now();
    if (!event || **std::get_if<const Snapshot*>(&*event) != snapshot) std::abort();
    encoding.push_back(microseconds(encoded - start));
    decoding.push_back(microseconds(decoded - encoded));
    bytes += frame.size();
  }
  return {*median(encoding), *median(decoding), static_cast<double>(bytes) / snapshots};
}

void report(const char* what, double changing) {
  const Cost thousand = measure(1000, changing, 600);
  const double both = thousand.encodeUs + thousand.decodeUs;
  std::printf("codec, 1000 processes, %s: encode %.0f us, decode %.0f us, together %.0f us (to reach: 500)%s\n", what,
              thousand.encodeUs, thousand.decodeUs, both, both < 500 ? "" : "  NOT REACHED");
  const double megabytes = measure(300, changing, 1200).bytes * 7200 / 1e6;
  std::printf("codec, 300 processes at 2 Hz, %s: %.1f MB per hour (to reach: 20)%s\n", what, megabytes,
              megabytes < 20 ? "" : "  NOT REACHED");
}

void reportReading() {
  constexpr int kSnapshots = 10'000;
  std::mt19937 random(1);
  Snapshot snapshot = firstSnapshot(300);
  std::stringbuf bytes;
  auto writer = RecordingWriter::onto(bytes, "memory", {});
  for (int i = 0; i < kSnapshots && writer; ++i) {
    advance(snapshot, 0.15, random);
    if (!writer->add(snapshot)) std::abort();
  }
  if (!writer || !writer->finish()) std::abort();
  auto reader = RecordingFile::read(bytes, "memory");
  const auto start = std::chrono::steady_clock::now();
  for (bool ended = false; !ended;) {
    const auto event = reader.next();
    if (!event) std::abort();
    ended = std::holds_alternative<RecordingEnd>(*event);
  }
  const double seconds = microseconds(std::chrono::steady_clock::now() - start) / 1e6;
  const double megabytes = static_cast<double>(reader.bytesRead()) / 1e6;
  std::printf("recording, 300 processes, 15 %% changing: %.0f MB/s, %.0f snapshots/s; 1 GB takes %.1f s\n",
              megabytes / seconds, kSnapshots / seconds, 1000 * seconds / megabytes);
}

}  // namespace
}  // namespace faultline

int main() {
  faultline::report("15 % changing", 0.15);
  faultline::report("all changing", 1);
  faultline::reportReading();
}

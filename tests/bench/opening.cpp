// Opening a long recording in the tray app: processor time until the whole of it is on show, by a part of its
// snapshots, then by minutes, then by all snapshots, and for an instant that a hand scrubs to; the longest turn of the
// event loop; peak memory. 100 MB, or as many as are given.
#include <QCoreApplication>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "app/tray/session/session.h"
#include "core/recording/writer.h"

namespace {

using namespace faultline;

constexpr double kGoalFirst = 1;  // seconds, of 1 GB
constexpr double kGoalMinutes = 15;
constexpr double kGoalMegabytes = 300;
constexpr double kGoalScrub = 100;  // milliseconds
constexpr double kGoalTurn = 50;

Snapshot firstSnapshot() {
  Snapshot snapshot;
  snapshot.time = {std::chrono::hours(30)};
  snapshot.wallTime = {Nanoseconds(1'790'000'000'000'000'000)};
  for (std::uint64_t i = 0; i < 300; ++i) {
    ProcessSample process{{static_cast<std::uint32_t>(i * 13 + 1), 1'230'000'000 * (i + 1)}, "process", {}};
    process.values.set(ProcessMetric::MinorFaults, 1000 + i * 991);
    process.values.set(ProcessMetric::MajorFaults, i % 37);
    process.values.set(ProcessMetric::CommitBytes, (20'000 + i * 37) << 12U);
    process.values.set(ProcessMetric::ResidentBytes, (5'000 + i * 17) << 12U);
    process.values.set(ProcessMetric::TouchedPrivateBytes, (2'000 + i * 11) << 12U);
    process.values.set(ProcessMetric::Threads, 1 + i % 20);
    snapshot.processes.push_back(std::move(process));
  }
  return snapshot;
}

// Of 300 processes a fifth fault in each half second; every other one of these also grows or shrinks.
void advance(Snapshot& snapshot, std::mt19937& random) {
  snapshot.time = snapshot.time + Nanoseconds(500'000'000 + random() % 100'000);
  snapshot.wallTime.sinceEpoch += Nanoseconds(500'000'000);
  for (std::size_t i = 0; i < kSystemMetricCount; ++i) {
    const auto metric = static_cast<SystemMetric>(i);
    if (metric == SystemMetric::SweepInterval) continue;  // usual sweeps
    snapshot.system.set(metric, snapshot.system.get(metric).value_or(0) + random() % 5000);
  }
  for (ProcessSample& process : snapshot.processes) {
    if (random() % 5 != 0) continue;
    const auto grow = [&](ProcessMetric metric, std::uint64_t by) {
      process.values.set(metric, *process.values.get(metric) + by);
    };
    grow(ProcessMetric::MinorFaults, 1 + random() % 400);
    if (random() % 2 != 0) grow(ProcessMetric::ResidentBytes, (random() % 2 != 0 ? 60 : std::uint64_t(0) - 60) << 12U);
  }
}

// As many as a recording keeps, a second long, over all of its time.
std::deque<Spike> spikesUntil(MonotonicTime end) {
  constexpr std::uint64_t kSpikes = 1000;
  const Snapshot first = firstSnapshot();
  const Nanoseconds apart = (end - first.time) / kSpikes;
  std::deque<Spike> spikes;
  for (std::uint64_t id = 1; id <= kSpikes; ++id) {
    const ProcessSample& process = first.processes[id % first.processes.size()];
    Spike& spike = spikes.emplace_back();
    spike.id = id;
    spike.key = process.key;
    spike.name = process.name;
    spike.parent = "parent";
    spike.start = first.time + apart * (id - 1);
    spike.peakTime = spike.end = spike.start + std::chrono::seconds(1);
    spike.wallStart = {first.wallTime.sinceEpoch + apart * (id - 1)};
    spike.peakPerSecond = 60'000;
    spike.faults = 60'000;
    spike.cost.set(ProcessMetric::MinorFaults, spike.faults);
    spike.open = false;
  }
  return spikes;
}

// Gives the time of the last snapshot.
MonotonicTime record(const std::filesystem::path& path, double megabytes) {
  Hello hello;
  hello.version = "bench";
  hello.source = "sweep";
  hello.interval = std::chrono::milliseconds(500);
  hello.collectorPid = 1;
  auto writer = RecordingWriter::create(path, hello);
  std::mt19937 random(1);
  Snapshot snapshot = firstSnapshot();
  while (writer && static_cast<double>(writer->bytes()) < megabytes * 1e6) {
    advance(snapshot, random);
    if (!writer->add(snapshot)) std::abort();
  }
  if (!writer) std::abort();
  const std::deque<Spike> spikes = spikesUntil(snapshot.time);
  if (!writer->finish(&spikes)) std::abort();
  return snapshot.time;
}

// A number of a file about this process; 0 where the system has no such file.
double ofThisProcess(const char* file, std::string_view name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name)) return std::atof(line.c_str() + name.size());
  return 0;
}

double peakMegabytes() {
  return ofThisProcess("/proc/self/status", "VmHWM:") * 1024 / 1e6;
}

double megabytesRead() {
  return ofThisProcess("/proc/self/io", "rchar:") / 1e6;
}

void tell(const char* what, double measured, const char* unit, double goal) {
  std::printf("opening, %s: %.2f %s", what, measured, unit);
  if (goal > 0) std::printf(" (to reach: %.2f)%s", goal, measured <= goal ? "" : "  NOT REACHED");
  std::printf("\n");
  std::fflush(stdout);
}

// Processor time, because other programs may run in between; all of this is one thread.
double milliseconds(std::clock_t since) {
  return static_cast<double>(std::clock() - since) * 1000 / CLOCKS_PER_SEC;
}

// Of all values of all processes at an instant, the slowest of a hundred instants.
double scrub(const History& history) {
  std::mt19937_64 random(1);
  const auto length = static_cast<std::uint64_t>((*history.newest() - *history.oldest()).count());
  double slowest = 0;
  std::size_t known = 0;
  for (int i = 0; i < 100; ++i) {
    const MonotonicTime instant = *history.oldest() + Nanoseconds(static_cast<Nanoseconds::rep>(random() % length));
    const std::clock_t begin = std::clock();
    for (const ProcessKey& key : history.aliveAt(instant))
      for (const ProcessMetric metric : kKeptMetrics) known += history.at(key, metric, instant) ? 1 : 0;
    slowest = std::max(slowest, milliseconds(begin));
  }
  if (known == 0) std::puts("nothing was found");
  return slowest;
}

void measure(const QString& file, MonotonicTime end) {
  Session session{Settings()};
  double longest = 0;
  std::clock_t opened = 0;
  const auto until = [&](auto holds) {
    while (!holds()) {
      const std::clock_t begin = std::clock();
      QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
      longest = std::max(longest, milliseconds(begin));
    }
    return milliseconds(opened) / 1000;
  };
  const auto averagesOf = [&](Nanoseconds most) {
    return session.averages() && *session.averages() <= most && session.monitor().history().newest() == end;
  };
  opened = std::clock();
  const double before = megabytesRead();
  session.openRecording(file);
  tell("until the whole of it is on show", until([&] { return averagesOf(Nanoseconds::max()); }), "s", kGoalFirst);
  tell("of the file read until then", megabytesRead() - before, "MB", 0);
  tell("spikes on show then", static_cast<double>(session.monitor().spikes().size()), "", 0);
  tell("the values of an instant by that part", scrub(session.monitor().history()), "ms", kGoalScrub);
  tell("until every minute of it is on show", until([&] { return averagesOf(std::chrono::seconds(61)); }), "s",
       kGoalMinutes);
  tell("the values of an instant by minutes", scrub(session.monitor().history()), "ms", kGoalScrub);
  tell("peak memory then", peakMegabytes(), "MB", kGoalMegabytes);
  tell("until all of it has been read", until([&] { return session.state() == Session::State::Replay; }), "s", 0);
  tell("peak memory", peakMegabytes(), "MB", kGoalMegabytes);
  tell("the longest turn of the event loop", longest, "ms", kGoalTurn);
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 100;
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("long.faultline"));
  const MonotonicTime end = record(file.toStdU16String(), megabytes);
  tell("length of the recording", inNs(end - firstSnapshot().time) / 86'400e9, "days", 0);
  measure(file, end);
}

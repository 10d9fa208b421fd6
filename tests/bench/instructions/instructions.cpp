// One piece of fixed work of core's pure code per run, for a tool that counts instructions. Uses only functions that
// seldom change, as it is compiled with the core of earlier commits, too.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/frames/judge.h"
#include "core/join/live_join.h"
#include "core/marks/joiner.h"
#include "core/monitor/monitor.h"
#include "core/parse/meminfo.h"
#include "core/parse/proc_schedstat.h"
#include "core/parse/proc_stat.h"
#include "core/parse/proc_statm.h"
#include "core/parse/vmstat.h"
#include "core/stream/decoder.h"
#include "core/stream/encoder.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// What the work found: printed, so that no compiler leaves work out, and so that two commits can be seen to agree.
std::uint64_t g_found = 0;

constexpr std::uint32_t kProcesses = 1000;
constexpr std::uint32_t kActive = 150;

// The metrics of long ago: where a commit adds metrics, the work stays the same.
constexpr std::size_t kMetrics = 14;

Snapshot machine() {
  Snapshot snapshot;
  snapshot.time = {1h};
  for (std::uint32_t pid = 1; pid <= kProcesses; ++pid) {
    ProcessSample& sample = snapshot.processes.emplace_back();
    sample.key = {pid, 0};
    sample.name = "process";
    for (std::size_t i = 0; i < kMetrics; ++i) sample.values.set(static_cast<ProcessMetric>(i), 4096);
  }
  return snapshot;
}

void advance(Snapshot& snapshot, std::minstd_rand& random) {
  snapshot.time = snapshot.time + 500ms;
  snapshot.wallTime.sinceEpoch += 500ms;
  for (std::uint32_t i = 0; i < kActive; ++i) {
    ProcessValues& values = snapshot.processes[i].values;
    values.set(ProcessMetric::MinorFaults, *values.get(ProcessMetric::MinorFaults) + random() % 2000);
    values.set(ProcessMetric::ResidentBytes, (random() % 1000) * 4096);
  }
}

Hello hello() {
  Hello hello;
  hello.interval = 500ms;
  return hello;
}

void ingest() {
  Monitor monitor;
  monitor.ingest(hello());
  Snapshot snapshot = machine();
  std::minstd_rand random;
  for (int i = 0; i < 60; ++i) {
    advance(snapshot, random);
    monitor.ingest(snapshot);
    g_found += monitor.spikesNow().size() + monitor.now().rows.size();
  }
}

std::vector<std::byte> encoded(int snapshots) {
  Encoder encoder;
  Snapshot snapshot = machine();
  std::minstd_rand random;
  const auto first = encoder.hello(hello());
  std::vector<std::byte> bytes(first.begin(), first.end());
  for (int i = 0; i < snapshots; ++i) {
    advance(snapshot, random);
    const auto packet = encoder.snapshot(snapshot);
    bytes.insert(bytes.end(), packet.begin(), packet.end());
  }
  return bytes;
}

void encode() {
  g_found += encoded(200).size();
}

void decode() {
  const auto bytes = encoded(20);
  for (int i = 0; i < 15; ++i) {
    Decoder decoder;
    decoder.feed(bytes);
    for (bool more = true; more;) {
      const auto event = decoder.next();
      if (!event) std::abort();
      const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
      if (snapshot != nullptr) g_found += (*snapshot)->processes.size();
      more = !std::holds_alternative<NeedMoreBytes>(*event);
    }
  }
}

// One process of a sweep without privileges, and now and then the machine.
void parse() {
  constexpr std::string_view kStat =
      "27798 (Web Content) S 27760 27760 4655 0 -1 4194304 8012345 31 127 2 91234 17834 5 7 20 0 29 0 161212 "
      "2400256000 "
      "72034 18446744073709551615 94083862925312 94083862926009 140730028274784 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0\n";
  constexpr std::string_view kStatm = "586000 72034 31947 12 0 199230 0\n";
  constexpr std::string_view kSchedstat = "912341234567 91234567 6543210\n";
  std::string vmstat;
  for (int i = 0; i < 60; ++i) vmstat += "nr_of_something_else_" + std::to_string(i) + " 1234567\n";
  vmstat += "pgalloc_dma32 4711\npgalloc_normal 123456789\npgfree 123456780\npgfault 987654321\npgmajfault 54321\n";
  std::string meminfo = "MemTotal:       16384000 kB\nMemFree:         1234567 kB\nMemAvailable:    8765432 kB\n";
  for (int i = 0; i < 40; ++i) meminfo += "Something" + std::to_string(i) + ":      12345 kB\n";
  meminfo += "SwapTotal:       8192000 kB\nCommitLimit:    12345678 kB\nCommitted_AS:    9876543 kB\n";
  for (int i = 0; i < 40'000; ++i) {
    const auto stat = parseProcStat(kStat);
    const auto statm = parseProcStatm(kStatm);
    const auto schedstat = parseProcSchedstat(kSchedstat);
    if (!stat || !statm || !schedstat) std::abort();
    g_found += stat->minorFaults + statm->resident + schedstat->runs;
    if (i % 1000 != 0) continue;
    g_found += parseVmStat(vmstat).faults.value_or(0) + parseMemInfo(meminfo).committed.value_or(0);
  }
}

// The marks of a game at 60 Hz with some late frames.
std::vector<FrameMark> marks() {
  std::vector<FrameMark> marks;
  std::minstd_rand random;
  FrameMark mark;
  mark.thread = 1;
  mark.zeroedBytes = mark.ownZeroedBytes = 0;
  mark.faultTime = mark.ownFaultTime = 0ns;
  for (int i = 0; i < 6000; ++i) {
    const std::uint64_t faults = random() % 100 == 0 ? 3000 : random() % 200;
    const Nanoseconds inFaults(static_cast<std::int64_t>(faults) * 2000);
    ++mark.number;
    mark.time = mark.time + 16'600us + Nanoseconds(random() % 100'000) + (faults == 3000 ? inFaults : 0ns);
    mark.minorFaults += faults;
    mark.ownMinorFaults += faults / 2;
    *mark.zeroedBytes += faults * 4096;
    *mark.ownZeroedBytes += faults * 2048;
    *mark.faultTime += inFaults;
    *mark.ownFaultTime += inFaults / 2;
    marks.push_back(mark);
  }
  return marks;
}

std::vector<GameFrame> joined(const std::vector<FrameMark>& marks) {
  std::vector<GameFrame> frames;
  MarkJoiner joiner;
  for (const FrameMark& mark : marks)
    if (const auto frame = joiner.add(mark, {24h})) frames.push_back(*frame);
  return frames;
}

void joinMarks() {
  const auto given = marks();
  for (int i = 0; i < 30; ++i) g_found += joined(given).size();
}

void judge() {
  const auto frames = joined(marks());
  for (int i = 0; i < 3; ++i) {
    FrameJudge judge({});
    for (const GameFrame& frame : frames) {
      const FrameVerdict verdict = judge.judge(frame);
      g_found += (verdict.late ? 1 : 0) + (verdict.costly ? 1 : 0);
    }
  }
}

// The frames of another tool, each with the faults of four slots.
void joinLive() {
  LiveJoin join;
  std::vector<GameFrame> out;
  GameFrame slot;
  slot.duration = 4ms;
  for (int i = 0; i < 160'000; ++i) {
    slot.start = {i * 4ms};
    slot.minorFaults = static_cast<std::uint64_t>(i % 7);
    join.addSlot(slot);
    if (i % 4 == 3) join.addFrames(std::array{FrameSpan{(i - 3) * 4ms, 16ms}});
    if (i % 100 != 99) continue;
    join.take(out);
    g_found += out.size();
    out.clear();
  }
}

struct Case {
  std::string_view name;
  void (*work)();
};
constexpr std::array kCases{Case{"nothing", [] {}}, Case{"ingest", ingest},     Case{"encode", encode},
                            Case{"decode", decode}, Case{"parse", parse},       Case{"join marks", joinMarks},
                            Case{"judge", judge},   Case{"join live", joinLive}};

}  // namespace

// Without a name of a case: lists them.
int main(int count, char** arguments) {
  for (const Case& one : kCases) {
    if (count < 2) std::puts(std::string(one.name).c_str());
    else if (one.name == arguments[1])
      return one.work(), std::printf("%llu\n", static_cast<unsigned long long>(g_found)), 0;
  }
  return count < 2 ? 0 : 2;
}

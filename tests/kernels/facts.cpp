// kernel_facts COLLECTOR [granted] [clears-all]: measures known workloads and a game of known frames by that collector,
// on this very kernel. Prints a line per metric, its parts separated by tabs: "@@", the metric, a verdict, words. The
// verdicts: exact, estimated: so it is graded, and the known truth lies where the grade has it; missing: not measured,
// and the reason fits this machine, `granted` or not; WRONG: anything else. clears-all: the kernel's init_on_alloc is
// on.
#include <sys/mman.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <tuple>

#include "tests/kernels/collector_stream.h"
#include "tests/support/function_place.h"
#include "tests/support/workload.h"

namespace faultline::test {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kPages = 20000;
constexpr std::uint64_t kHuge = 8;
constexpr std::uint64_t kHugePages = 512;  // small ones in a large one
#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;
#endif

struct Truth {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

// This machine, as far as a reason may have to do with it.
struct Setting {
  std::string collector;
  bool granted = false;
  bool clearsAll = false;
  int paranoid = 0;
  int version = 0;  // 6012: Linux 6.12

  [[nodiscard]] bool perf() const { return paranoid < 3; }
};

void tell(const std::string& metric, const std::string& verdict, const std::string& words) {
  std::printf("@@\t%s\t%s\t%s\n", metric.c_str(), verdict.c_str(), words.c_str());
  std::fflush(stdout);
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

bool says(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// Whether the words name what is really in the way: of a collector without its grant, the capabilities; on a kernel
// that is too old, the version that is needed; else the setting, with the line to type.
bool fits(const Setting& setting, const std::string& words, int needs, bool byPerf) {
  if (!setting.granted) return says(words, "cap_perfmon");
  if (setting.version < needs)
    return says(words, ("Linux " + number(needs / 1000U) + "." + number(needs % 1000U)).c_str());
  return byPerf && !setting.perf() && says(words, "sudo sysctl kernel.perf_event_paranoid=") && !says(words, "missing");
}

struct Demand {
  Truth truth;
  int needs = 5012;     // the version of Linux without which there may be no number
  bool byPerf = false;  // it takes a perf event
};

void judge(const Setting& setting, const std::string& metric, const Quality& quality,
           std::optional<std::uint64_t> value, const Demand& demand) {
  const auto [least, most] = demand.truth;
  const std::string words = quality.how + (quality.enable.empty() ? "" : " To enable: " + quality.enable);
  const std::string seen = value ? number(*value) + " of " + number(least) + " to " + number(most) : "no value";
  if (quality.grade == Grade::Unavailable)
    return tell(metric, fits(setting, words, demand.needs, demand.byPerf) && !value ? "missing" : "WRONG", words);
  if (!value) return tell(metric, "WRONG", "no value, though " + words);
  if (quality.grade == Grade::Exact)
    return tell(metric, *value >= least && *value <= most ? "exact" : "WRONG", seen + ": " + words);
  const bool inside = *value <= most + most / 4 && (says(words, "lower bound") || *value >= least - least / 4);
  tell(metric, inside ? "estimated" : "WRONG", seen + ": " + words);
}

// Memory, all of which is given back.
struct Memory {
  Memory(std::uint64_t pages, int flags, int file = -1)
      : bytes(pages * kPage), start(static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0))) {}
  ~Memory() { munmap(start, bytes); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void touch() const {
    for (std::uint64_t at = 0; at < bytes; at += kPage) const_cast<volatile char*>(start)[at] = 1;
  }
  std::uint64_t bytes;
  char* start;
};

constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;

void touchSmall(std::uint64_t pages) {
  const Memory memory(pages, kPrivate);
  madvise(memory.start, memory.bytes, MADV_NOHUGEPAGE);
  memory.touch();
}

void populate(std::uint64_t pages) {
  const Memory memory(pages, kPrivate);
  madvise(memory.start, memory.bytes, MADV_NOHUGEPAGE);
  madvise(memory.start, memory.bytes, MADV_POPULATE_WRITE);
}

void touchHuge(std::uint64_t count) {
  const Memory memory((count + 1) * kHugePages, kPrivate);
  const std::uint64_t step = kHugePages * kPage;
  char* const first = memory.start + (step - reinterpret_cast<std::uintptr_t>(memory.start) % step);
  madvise(first, count * step, MADV_HUGEPAGE);
  for (std::uint64_t page = 0; page < count; ++page) const_cast<volatile char*>(first)[page * step] = 1;
}

void touchShared(std::uint64_t pages) {
  const int file = memfd_create("shared", 0);
  if (ftruncate(file, static_cast<off_t>(pages * kPage)) == 0) Memory(pages, MAP_SHARED, file).touch();
  close(file);
}

// Each page is written by this process after another shares it.
void copyOnWrite(std::uint64_t pages) {
  const Memory memory(pages, kPrivate);
  madvise(memory.start, memory.bytes, MADV_NOHUGEPAGE);
  memory.touch();
  const pid_t other = fork();
  if (other == 0) {
    pause();
    _exit(0);
  }
  memory.touch();
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

MonotonicTime now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return MonotonicTime{} + (std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec));
}

class Sweeps {
 public:
  explicit Sweeps(const Setting& setting) : m_stream({setting.collector, "sweep", "--interval", "100ms"}) {
    if (auto hello = m_stream.next<Hello>()) m_hello = std::move(*hello);
  }
  [[nodiscard]] const Hello& hello() const { return m_hello; }

  // As of a sweep that begins after this call; others may still wait to be read.
  ProcessValues of(pid_t pid) {
    const MonotonicTime begin = now();
    for (;;) {
      const auto snapshot = m_stream.next<const Snapshot*>();
      if (!snapshot) return {};
      if ((*snapshot)->time < begin) continue;
      for (const ProcessSample& process : (*snapshot)->processes)
        if (process.key.pid == static_cast<std::uint32_t>(pid)) return process.values;
      return {};
    }
  }

 private:
  CollectorStream m_stream;
  Hello m_hello;
};

class Growth {
 public:
  Growth(Sweeps& sweeps, const std::function<void(std::uint64_t)>& work, std::uint64_t much) {
    const Workload child([&](int round) { work(round == 0 ? 1 : much); });
    m_before = sweeps.of(child.pid());
    const MonotonicTime begin = now();
    child.next();
    took = now() - begin;
    m_after = sweeps.of(child.pid());
  }
  [[nodiscard]] std::optional<std::uint64_t> of(ProcessMetric metric) const {
    if (!m_after.has(metric)) return std::nullopt;
    return *m_after.get(metric) - m_before.get(metric).value_or(0);
  }
  Nanoseconds took{0};

 private:
  ProcessValues m_before;
  ProcessValues m_after;
};

Truth about(std::uint64_t pages, std::uint64_t tables) {
  return {pages, pages + tables};
}
Truth bytes(Truth pages) {
  return {pages.least * kPage, pages.most * kPage};
}

void sweepFacts(const Setting& setting) {
  Sweeps sweeps(setting);
  const auto told = [&](const std::string& name, ProcessMetric metric, const Growth& growth, const Demand& demand) {
    judge(setting, name, sweeps.hello().quality(metric), growth.of(metric), demand);
  };
  const std::uint64_t tables = kPages / kHugePages + 4;
  const Growth small(sweeps, touchSmall, kPages);
  const auto most = static_cast<std::uint64_t>(small.took.count());
  told("faults", ProcessMetric::MinorFaults, small, {.truth = {kPages, kPages}, .needs = 0});
  told("zeroed", ProcessMetric::ZeroedBytes, small, {.truth = bytes(about(kPages, tables))});
  told("timed faults", ProcessMetric::TimedFaults, small, {.truth = about(kPages, 8)});
  told("fault time", ProcessMetric::FaultTime, small, {.truth = {most / 50, most}});
  told("sampled zeroing", ProcessMetric::SampledZeroingTime, small, {.truth = {1, most}, .needs = 0, .byPerf = true});
  const Growth huge(sweeps, touchHuge, kHuge);
  const Truth large{kHuge * kHugePages, kHuge * kHugePages};
  told("zeroed, large", ProcessMetric::ZeroedLargeBytes, huge, {.truth = bytes(large)});
  const Growth shared(sweeps, touchShared, kPages);
  told("zeroed, shared memory", ProcessMetric::ZeroedBytes, shared, {.truth = bytes(about(kPages, 4 * tables))});
  const Growth copied(sweeps, copyOnWrite, kPages);
  const std::uint64_t cleared = (setting.clearsAll ? 2 : 1) * kPages;
  told("zeroed, copy on write", ProcessMetric::ZeroedBytes, copied, {.truth = bytes(about(cleared, 8 * tables))});
  if (setting.version < 5014) return;
  const Growth populated(sweeps, populate, kPages);
  told("zeroed, populated", ProcessMetric::ZeroedBytes, populated, {.truth = bytes(about(kPages, tables))});
}

struct Played {
  bool counts = false;  // each frame has the faults that it should
  bool zeroed = false;
  bool times = false;
  std::string odd;  // frames of other counts
};

constexpr std::uint64_t kFramePages = 24;
constexpr std::uint64_t kBurst = 5000;
constexpr std::uint64_t kEvery = 20;
constexpr std::size_t kMostFrames = 400;
constexpr std::ptrdiff_t kWholeFrames = 60;

// Bursts come every so often, so that the first one seen tells which of the others they are.
Played compare(const std::vector<GameFrame>& frames, bool mayHoldProbe) {
  Played played{.counts = true, .zeroed = true, .times = true, .odd = {}};
  std::uint64_t measured = 0;
  std::uint64_t phase = 0;
  for (const GameFrame& frame : frames)
    if (phase == 0 && frame.minorFaults > kFramePages * 10) phase = frame.number % kEvery + kEvery;
  for (const GameFrame& frame : frames) {
    const std::uint64_t truth = frame.number % kEvery + kEvery == phase ? kBurst : kFramePages;
    const std::uint64_t most = (truth + truth / kHugePages + 3) * kPage;
    if (frame.minorFaults != truth || frame.majorFaults != 0) {
      // Where a probe comes into the game's code, each of its two threads may fault once more.
      const bool atProbe = mayHoldProbe && frame.minorFaults > truth && frame.minorFaults <= truth + 2;
      if (!atProbe) played.counts = false;
      mayHoldProbe = false;
      played.odd += " frame " + number(frame.number) + ": " + number(frame.minorFaults) + " of " + number(truth) + ";";
    }
    measured += frame.zeroedBytes || frame.faultTime ? 1 : 0;
    if (measured == 0) continue;  // the marks are the game's own word, the rest may come some frames later
    const std::uint64_t zeroed = frame.zeroedBytes.value_or(0);
    const Nanoseconds time = frame.faultTime.value_or(Nanoseconds(0));
    played.zeroed = played.zeroed && zeroed >= truth * kPage && zeroed <= most;
    played.times = played.times && time.count() > 0 && time <= 2 * frame.duration;  // of two threads
  }
  const auto enough = [](std::uint64_t count) { return count > 2 * kEvery; };
  played.counts = played.counts && phase != 0 && enough(frames.size());
  played.zeroed = played.zeroed && enough(measured);
  played.times = played.times && enough(measured);
  return played;
}

// As many as there are to compare; on an emulated processor the first ones may long be over when all of it is measured.
std::vector<GameFrame> framesOf(CollectorStream& stream) {
  std::vector<GameFrame> frames;
  const auto measured = [&] {
    return std::ranges::count_if(frames, [](const GameFrame& frame) { return frame.faultTime || frame.zeroedBytes; });
  };
  while (frames.size() < kMostFrames && measured() < kWholeFrames) {
    const auto batch = stream.next<const GameFrameBatch*>();
    if (!batch) break;
    frames.insert(frames.end(), (*batch)->frames.begin(), (*batch)->frames.end());
  }
  return frames;
}

// `probe`: the frames end at the calls of a function; else at the game's own marks.
void frameFacts(const Setting& setting, bool probe) {
  const std::string name = probe ? "frames by function" : "frames by mark";
  const std::string game = FAULTLINE_BIN "/fake_game";
  const pid_t child = fork();
  if (child == 0) {
    execl(game.c_str(), "fake_game", "rate=60", "frames=3600", "pages=24", "burst=5000", "every=20",
          probe ? "mark=" : "mark=render", nullptr);
    _exit(127);
  }
  usleep(500'000);
  std::vector<std::string> line{setting.collector, "watch", "--wait", "5s", std::to_string(child)};
  if (probe) line.insert(line.end(), {"--probe", game, std::to_string(fakeGamePresent()), "fakeGamePresent"});
  CollectorStream stream(line);
  const auto hello = stream.next<Hello>();
  const std::vector<GameFrame> frames = framesOf(stream);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const int needs = probe ? 6006 : 5012;
  if (!hello || !hello->watched) {
    const std::string words = stream.complaint();
    return tell(name, probe && fits(setting, words, needs, false) ? "missing" : "WRONG", words);
  }
  const WatchedGame& watched = *hello->watched;
  const Played played = compare(frames, says(watched.faults.how, "at the probe"));
  if (!played.odd.empty()) std::printf("%s:%s\n", name.c_str(), played.odd.c_str());
  const auto one = [&](const char* of, const Quality& quality, bool right) {
    judge(setting, name + of, quality,
          quality.grade == Grade::Unavailable ? std::nullopt : std::optional(right ? 1U : 0U),
          {.truth = {1, 1}, .needs = needs});
  };
  one("", watched.faults, played.counts);
  one(", zeroed", watched.zeroed, played.zeroed);
  one(", times", watched.faultTime, played.times);
}

Setting settingOf(int argc, char** argv) {
  Setting setting{.collector = argv[1]};
  for (int i = 2; i < argc; ++i) {
    setting.granted = setting.granted || argv[i] == std::string("granted");
    setting.clearsAll = setting.clearsAll || argv[i] == std::string("clears-all");
  }
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> setting.paranoid;
  utsname names{};
  uname(&names);
  int major = 0;
  int minor = 0;
  if (std::sscanf(names.release, "%d.%d", &major, &minor) == 2) setting.version = major * 1000 + minor;
  return setting;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Setting setting = settingOf(argc, argv);
  sweepFacts(setting);
  frameFacts(setting, false);
  frameFacts(setting, true);
  return 0;
}

}  // namespace faultline::test

int main(int argc, char** argv) {
  return faultline::test::main(argc, argv);
}

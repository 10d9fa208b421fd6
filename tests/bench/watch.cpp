// The cost of BPF in a watched game: 240 frames of 200 faults and a mark per second, alternately unwatched and watched;
// the cost in another process; and the number of lost records when one core does nothing but fault.
#include <sys/mman.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "core/base/median.h"
#include "core/watch/choice.h"
#include "platform/sampling/linux/bpf/sampler.h"
#include "platform/sampling/linux/watch/frame_bpf.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace std::chrono_literals;

// Stands for a library's swap function.
extern "C" __attribute__((noinline)) void benchPresent() {
  asm volatile("" ::: "memory");
}

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr int kPairs = 11;
constexpr long kFrameNs = 1'000'000'000 / 240;
constexpr int kTurnMs = 10;
constexpr Nanoseconds kBudget = 16'700us;
constexpr auto kFrame = static_cast<double>(kBudget.count());

struct Work {
  std::size_t faultsPerFrame = 200;
  std::size_t frames = 60;
  bool paced = true;
  double nsPerFrame = 0;  // result: CPU time, the 10th percentile of the frames
};

double threadNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void play(Work& work, std::vector<double>& took) {
  const std::size_t bytes = work.faultsPerFrame * kPageBytes;
  for (std::size_t frame = 0; frame < work.frames; ++frame) {
    const double before = threadNs();
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (std::size_t i = 0; i < bytes; i += kPageBytes) static_cast<volatile char*>(memory)[i] = 1;
    munmap(memory, bytes);
    benchPresent();
    took[frame] = threadNs() - before;
    const timespec rest{.tv_sec = 0, .tv_nsec = kFrameNs - std::min(static_cast<long>(took[frame]), kFrameNs)};
    if (work.paced) nanosleep(&rest, nullptr);
  }
  const auto tenth = took.begin() + static_cast<std::ptrdiff_t>(work.frames / 10);
  std::nth_element(took.begin(), tenth, took.begin() + static_cast<std::ptrdiff_t>(work.frames));
  work.nsPerFrame = *tenth;
}

// A process that draws frames on request, and its watchers.
class Player {
 public:
  Player()
      : m_work(new(mmap(nullptr, sizeof(Work), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Work),
        m_child([this](int) {
          static std::vector<double> took(100'000);
          prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
          play(*m_work, took);
        }) {}

  [[nodiscard]] Work& work() const { return *m_work; }
  double nsPerFrame(FrameSource* watcher = nullptr) {
    m_child.begin();
    while (!m_child.endsWithin(kTurnMs)) {
      GameFrameBatch frames;
      FaultSampleBatch samples;
      if (watcher != nullptr) watcher->collect(frames, samples);
    }
    m_child.end();
    return m_work->nsPerFrame;
  }
  void begin() const { m_child.begin(); }

  [[nodiscard]] std::unique_ptr<FrameSource> watch(SampleMode samples, Nanoseconds sampleAfter = 0ns) const {
    auto target = WatchTarget::open(static_cast<std::uint32_t>(m_child.pid()));
    if (!target) return {};
    std::vector<ProbeFile> places;
    auto place = ProbeFile::openAt(*target, reinterpret_cast<std::uintptr_t>(&benchPresent));
    if (!place) return {};
    places.push_back(std::move(*place));
    auto source = openBpfFrames(*target, places, {.samples = samples, .sampleAfter = sampleAfter}, systemClock());
    if (source) return std::move(*source);
    std::printf("%s\n", source.error().why.c_str());
    return {};
  }

 private:
  Work* m_work;
  test::Workload m_child;
};

// Any of them may be null.
struct Running {
  std::unique_ptr<FrameSource> watch;
  std::unique_ptr<Sampler> sweep;
};

// Runs `player` alternately without and with what `start` starts.
bool compare(const char* what, Player& player, const std::function<Running()>& start) {
  std::vector<double> without;
  std::vector<double> added;
  std::vector<double> ratios;
  for (int pair = 0; pair < kPairs; ++pair) {
    without.push_back(player.nsPerFrame());
    const Running running = start();
    if (!running.watch && !running.sweep) return false;
    const double with = player.nsPerFrame(running.watch.get());
    ratios.push_back(with / without.back());
    added.push_back(with - without.back());
  }
  const double more = *median(added);
  std::printf("%-28s %7.1f us a frame unwatched, x %.3f watched: %6.1f ns a fault, %.2f %% of a 60 Hz frame\n", what,
              *median(without) / 1e3, *median(ratios), more / static_cast<double>(player.work().faultsPerFrame),
              100 * more / kFrame);
  return true;
}

// As while zeroing and fault time are on show.
std::unique_ptr<Sampler> sweep() {
  auto sampler = makeBpfSampler(systemClock(), true);
  if (!sampler) return {};
  (*sampler)->attend(true);
  return std::move(*sampler);
}

void worst(Player& player, SampleMode samples, const char* what) {
  const auto source = player.watch(samples);
  if (!source) return;
  player.work() = {.faultsPerFrame = 4096, .frames = 200, .paced = false};
  const MonotonicTime begin = systemClock().now();
  player.begin();
  GameFrameBatch frames;
  std::uint64_t told = 0;
  std::uint64_t faults = 0;
  std::uint64_t lost = 0;
  while (frames.frames.size() < 190 && systemClock().now() - begin < 60s) {
    FaultSampleBatch batch;
    source->collect(frames, batch);
    told += batch.samples.size();
    lost = batch.lost;
    const timespec pause{.tv_sec = 0, .tv_nsec = 10'000'000};
    nanosleep(&pause, nullptr);
  }
  for (const GameFrame& frame : frames.frames) faults += frame.faults();
  const Nanoseconds span = frames.frames.back().start + frames.frames.back().duration - frames.frames.front().start;
  std::printf("worst case, %-16s %8.0f faults/s, %llu told, %llu records lost, %llu frames lost\n", what,
              static_cast<double>(faults) * 1e9 / static_cast<double>(span.count()),
              static_cast<unsigned long long>(told), static_cast<unsigned long long>(lost),
              static_cast<unsigned long long>(frames.lost));
}

}  // namespace

int main() {
  {
    Player game;
    Player stranger;
    const auto watching = [&](SampleMode samples, Nanoseconds sampleAfter = 0ns) {
      return [&game, samples, sampleAfter] { return Running{.watch = game.watch(samples, sampleAfter), .sweep = {}}; };
    };
    // Readers ask for this unless a person chooses: stacks once a frame's faults have taken a while (core/watch).
    const Nanoseconds after = watchOptions({}, 0ns, SampleMode::Spikes, kBudget).sampleAfter;
    if (!compare("counts, zeroing, fault time", game, watching(SampleMode::None))) return 1;
    compare("  the default", game, watching(SampleMode::Spikes, after));
    compare("  and every 16th fault whole", game, watching(SampleMode::Some));
    compare("  and every fault whole", game, watching(SampleMode::All));
    compare("somebody else's frames", stranger, watching(SampleMode::Spikes));
    // Both attach programs to the same events.
    compare("a sweep alone", game, [] { return Running{.watch = {}, .sweep = sweep()}; });
    const auto other = sweep();
    if (!other) return 1;
    compare("the default, beside a sweep", game, watching(SampleMode::Spikes, after));
    compare("somebody else's, and a sweep", stranger, watching(SampleMode::Spikes));
  }
  for (const auto& [samples, what] : {std::pair{SampleMode::None, "counts"}, std::pair{SampleMode::Some, "every 16th"},
                                      std::pair{SampleMode::All, "every fault"}}) {
    Player game;
    worst(game, samples, what);
  }
}

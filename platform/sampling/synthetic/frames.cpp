#include "platform/sampling/synthetic/frames.h"

#include <algorithm>
#include <array>

#include "core/culprits/synthetic_stacks.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kPeriod = 6000;  // frames; then the durations repeat
constexpr std::uint32_t kRenderThread = 1;
constexpr std::uint32_t kWorkerThread = 2;
constexpr std::uint64_t kPageBytes = 4096;
constexpr auto kFaultCost = 1700ns;

std::uint64_t faultsOf(std::uint64_t number) {
  if (number % 50 == 0) return kSyntheticBurst;
  return number % 50 == 25 ? kSyntheticSmallBurst : kSyntheticUsualFaults;
}

Nanoseconds faultTimeOf(std::uint64_t number) {
  return static_cast<std::int64_t>(faultsOf(number)) * Nanoseconds(kFaultCost);
}

Nanoseconds durationOf(std::uint64_t number) {
  const std::uint64_t n = number % kPeriod;
  const std::uint64_t wave = n % 240 < 120 ? n % 240 : 240 - n % 240;  // 0 to 120 and back
  const std::uint64_t jitter = n * 2654435761U % 400;                  // us
  Nanoseconds duration = 4600us + wave * 8us + jitter * 1us + faultTimeOf(number);
  if (n % 400 == 130) duration += 13ms;
  return duration;
}

// The end of each frame of a period, since the start of the period.
const std::array<Nanoseconds, kPeriod>& ends() {
  static const auto all = [] {
    std::array<Nanoseconds, kPeriod> sums{};
    Nanoseconds sum{0};
    for (std::uint64_t n = 0; n < kPeriod; ++n) sums.at(n) = sum += durationOf(n);
    return sums;
  }();
  return all;
}

MonotonicTime endOf(std::uint64_t number, MonotonicTime start) {
  const Nanoseconds skipped = ends()[0];  // there is no frame 0
  return start + (static_cast<std::int64_t>(number / kPeriod) * ends().back() + ends().at(number % kPeriod) - skipped);
}

struct Place {
  SyntheticStack stack = SyntheticStack::UnpackMesh;
  std::uint64_t address = 0;
  FaultMapping mapping;
};

// The code and memory of fault number `index` of a burst.
const Place& placeOf(std::uint64_t index) {
  constexpr std::uint64_t kHeap = 0x55'0000'0000;
  constexpr std::uint64_t kArena = 0x7f'1000'0000;
  constexpr std::uint64_t kFile = 0x7f'8000'0000;
  const auto mapping = [](std::uint64_t begin, bool file, std::string name) {
    return FaultMapping{.begin = begin,
                        .end = begin + (std::uint64_t{1} << 30U),
                        .writable = !file,
                        .executable = false,
                        .shared = false,
                        .file = file,
                        .name = std::move(name)};
  };
  static const std::array<Place, 4> places{
      {{SyntheticStack::UnpackMesh, kHeap, mapping(kHeap, false, "[heap]")},
       {SyntheticStack::DecodeTexture, kArena, mapping(kArena, false, "")},
       {SyntheticStack::CopyTile, kFile, mapping(kFile, true, "harbour/tiles.pak")},
       {SyntheticStack::GrowParticles, kHeap, mapping(kHeap, false, "[heap]")}}};
  const std::uint64_t part = index / 16 % 16;
  return places.at(part < 8 ? 0 : part < 13 ? 1 : part < 15 ? 2 : 3);
}

FaultSample sampleOf(const GameFrame& frame, std::uint64_t index, std::uint64_t weight) {
  const bool burst = frame.faults() > kSyntheticUsualFaults;
  const Place& place = placeOf(burst ? index : 240);
  const bool worker = place.stack == SyntheticStack::CopyTile;
  FaultSample sample;
  sample.time = frame.start + (static_cast<std::int64_t>(index) + 1) * Nanoseconds(kFaultCost);
  sample.thread = worker ? kWorkerThread : kRenderThread;
  sample.threadName = worker ? "worker" : "render";
  sample.address = place.address + (frame.number % 4096 * kSyntheticBurst + index) % (1U << 18U) * kPageBytes;
  sample.weight = weight;
  sample.took = kFaultCost;
  sample.access = FaultAccess{.write = !worker, .present = place.stack == SyntheticStack::GrowParticles};
  sample.mapping = place.mapping;
  sample.registers = registersOf(place.stack);
  return sample;
}

}  // namespace

GameFrame syntheticFrame(std::uint64_t number, MonotonicTime start) {
  const std::uint64_t faults = faultsOf(number);
  GameFrame frame;
  frame.number = number;
  frame.duration = durationOf(number);
  frame.start = endOf(number, start) - frame.duration;
  frame.thread = kRenderThread;
  const std::uint64_t own = faults > kSyntheticUsualFaults ? faults - faults / 8 : faults;
  const Nanoseconds inFaults = faultTimeOf(number);
  const Nanoseconds ownInFaults = static_cast<std::int64_t>(own) * Nanoseconds(kFaultCost);
  const Nanoseconds waiting = inFaults / 16;
  const Nanoseconds blocked = inFaults / 64;
  FrameValues& values = frame.values;
  values.setFaults(faults, 0);
  values.set(FrameMetric::ThreadMinorFaults, own);
  values.set(FrameMetric::ThreadMajorFaults, std::uint64_t{0});
  for (const FrameMetric zeroed : {FrameMetric::ZeroedBytes, FrameMetric::ThreadZeroedBytes})
    values.set(zeroed, own * kPageBytes);
  values.set(FrameMetric::FaultTime, inFaults);
  values.set(FrameMetric::ThreadFaultTime, ownInFaults);
  values.setFaultParts(FaultTimeParts{inFaults - waiting - blocked, waiting, blocked});
  values.setThreadTime(ThreadTime{.inFaults = {ownInFaults, Nanoseconds(0), Nanoseconds(0)}});
  // The game has memory enough, in small pages; it reads nothing from the disk, and gives no memory back.
  for (const FrameField& row : kFrameFields)
    if (!values.has(row.metric) && row.group != FrameGroup::Delays && row.metric != FrameMetric::TimedFaults)
      values.set(row.metric, 0);
  return frame;
}

void syntheticSamples(const GameFrame& frame, const WatchOptions& options, std::vector<FaultSample>& out) {
  if (options.samples == SampleMode::None) return;
  const std::uint64_t step = options.samples == SampleMode::All ? 1 : kSampleEvery;
  const bool onlySpikes = options.samples == SampleMode::Spikes;
  const std::uint64_t from =
      onlySpikes ? static_cast<std::uint64_t>(std::max<std::int64_t>(options.sampleAfter / Nanoseconds(kFaultCost), 0))
                 : 0;
  for (std::uint64_t i = (from + step - 1) / step * step; i < frame.faults(); i += step)
    out.push_back(sampleOf(frame, i, step));
}

SyntheticFrames::SyntheticFrames(const WatchOptions& options, const Clock& clock)
    : m_options(options), m_clock(clock), m_start(clock.now()) {}

Hello SyntheticFrames::hello() const {
  const Quality synthetic = exact("synthetic, by a formula");
  Hello hello;
  hello.source = "synthetic";
  hello.clock = "CLOCK_MONOTONIC";
  hello.interval = 50ms;
  hello.machine.system = "Synthetic machine";
  hello.machine.pageBytes = kPageBytes;
  hello.watched = WatchedGame{.pid = m_options.pid,
                              .name = "harbour",
                              .by = FrameEnd::OwnMarks,
                              .mark = "synthetic frames",
                              .faults = synthetic,
                              .nsPerFault = std::nullopt};
  for (const FrameQuality& row : kFurtherFrameQualities) (*hello.watched).*row.quality = synthetic;
  if (m_options.samples == SampleMode::None) hello.watched->samples = unavailable("not requested");
  return hello;
}

void SyntheticFrames::collect(GameFrameBatch& frames, FaultSampleBatch& samples) {
  const MonotonicTime now = m_clock.now();
  while (endOf(m_number + 1, m_start) <= now) {
    const GameFrame frame = syntheticFrame(++m_number, m_start);
    syntheticSamples(frame, m_options, samples.samples);
    frames.frames.push_back(frame);
  }
}

}  // namespace faultline

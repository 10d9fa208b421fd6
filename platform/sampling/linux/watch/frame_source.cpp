#include "platform/sampling/frame_source.h"

#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/linux/watch/frame_bpf.h"
#include "platform/sampling/linux/watch/frame_clock.h"
#include "platform/sampling/linux/watch/frame_marks.h"
#include "platform/sampling/linux/watch/frame_perf.h"
#include "platform/sampling/linux/watch/frame_slots.h"

namespace faultline {
namespace {

// In the order of `points`, without those that the game has not loaded; error if it has none.
Result<std::vector<ProbeFile>> holdProbeFiles(const WatchTarget& target, const std::vector<ProbePoint>& points) {
  std::vector<ProbeFile> files;
  std::optional<Error> first;
  for (const ProbePoint& point : points) {
    if (point.calls == ProbeCalls::Lookups && KernelGrounds::read().version < kReturnProbes) continue;
    auto file = ProbeFile::open(target, point);
    if (file) files.push_back(std::move(*file));
    else if (!first) first = file.error();
  }
  if (files.empty() && first) return tl::unexpected(*first);
  return files;
}

// Prefers BPF. Perf events need less privilege, but give only counts, and no arguments of calls.
Result<std::unique_ptr<FrameSource>> openProbes(WatchTarget target, std::vector<ProbeFile> files,
                                                const WatchOptions& options, const Clock& clock) {
  auto whole = openBpfFrames(target, files, options, clock);
  if (whole) return std::move(*whole);
  if (target.exited()) return fail("Process " + std::to_string(target.pid()) + " has exited while watching began.");
  std::erase_if(files, [](const ProbeFile& file) {
    return file.calls() == ProbeCalls::SurfaceCommits || file.calls() == ProbeCalls::Lookups;
  });
  if (files.empty())
    return fail("Only BPF programs can detect the requests of a Wayland client that commit a surface. " +
                whole.error().why +
                ". Grant the collector its capabilities (see README), let the game call "
                "faultline_frame() of faultline_frame.h, or assume a rate, such as --assume 60.");
  auto counts = PerfFrames::open(std::move(target), options, files, clock, whole.error());
  const auto& [why, enable] = whole.error();
  if (counts || enable.empty()) return counts;
  if (enable.find(kOpenEvents) != std::string::npos)  // needed by both
    return fail(why + ". To enable: " + enable +
                " Or let the game call faultline_frame() of faultline_frame.h, or assume a rate, such as --assume 60.");
  return fail(counts.error().message + " Or by BPF programs: " + enable + " " + why + ".");
}

}  // namespace

Result<std::unique_ptr<FrameSource>> openFrameSource(const WatchOptions& options, const Clock& clock,
                                                     const std::function<Result<void>()>& onceHeld) {
  if (!options.presentMon.empty()) return fail("PresentMon runs on Windows alone.");
  const auto held = [&] { return onceHeld ? onceHeld() : Result<void>(); };
  auto target = WatchTarget::open(options.pid);
  if (!target) return tl::unexpected(target.error());
  if (!options.probes.empty()) {
    auto files = holdProbeFiles(*target, options.probes);
    if (!files) return tl::unexpected(files.error());
    if (const auto may = held(); !may) return tl::unexpected(may.error());
    return openProbes(std::move(*target), std::move(*files), options, clock);
  }
  if (options.assumedRate > 0) {
    if (const auto may = held(); !may) return tl::unexpected(may.error());
    auto slots = openSlottedFrames(*target, options, clock);
    if (slots) return std::move(*slots);
    return ClockedFrames::open(std::move(*target), options, clock, slots.error());
  }
  auto source = MarkedFrames::open(std::move(*target), options, clock);
  if (!source) return tl::unexpected(source.error());
  if (const auto may = held(); !may) return tl::unexpected(may.error());
  (*source)->measureMore(options);
  return std::move(*source);
}

}  // namespace faultline

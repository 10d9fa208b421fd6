#include "platform/sampling/linux/watch/bpf/quality.h"

#include "platform/sampling/linux/bpf/zeroed_quality.h"
#include "platform/sampling/linux/facts/init_on_alloc.h"
#include "platform/sampling/linux/facts/quality.h"

namespace faultline {
namespace {

std::string which(SampleMode mode) {
  std::string every = "every " + std::to_string(kSampleEvery) + "th fault";
  switch (mode) {
    case SampleMode::None:
      return {};
    case SampleMode::Spikes:
      return every + " of those after which a frame's faults have taken long";
    case SampleMode::Some:
      return every;
    case SampleMode::All:
      return "every fault";
  }
  return {};
}

}  // namespace

void describeBpfWatch(const WatchAbilities& abilities, SampleMode samples, WatchedGame& game) {
  Quality zeroed = zeroedQuality(initOnAlloc(), abilities.sparesClearing);
  zeroed.how += "; each thread's are those that it asked for";
  game.zeroed = qualityUnless(abilities.reason(WatchPart::Zeroing), std::move(zeroed));
  game.faultTime = qualityUnless(
      abilities.reason(WatchPart::FaultTime),
      exact(timedBy(abilities.timing) +
            ", all threads added up, waits included, the processor's own way into the kernel and back not"));
  game.faultParts = qualityUnless(
      abilities.reason(WatchPart::FaultParts),
      exact("BPF on sched_switch and sched_wakeup, of threads inside a fault, all added up; what a host takes from a "
            "virtual machine counts as on a processor"));
  if (const Unavailable& ends = abilities.reason(WatchPart::Ends); !ends.why.empty())
    game.faults = estimated(game.faults.how + "; the last one of each other thread may be told with a later frame: " +
                            "their ends are not seen (" + ends.why + ")");
  game.samples =
      qualityUnless(abilities.reason(WatchPart::Samples), exact("BPF at the fault's end, " + which(samples)));
}

void describeBpfMissing(const Unavailable& reason, WatchedGame& game) {
  for (Quality* quality : {&game.zeroed, &game.faultTime, &game.faultParts, &game.samples})
    *quality = unavailable(reason);
}

}  // namespace faultline

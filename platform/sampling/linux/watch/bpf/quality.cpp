#include "platform/sampling/linux/watch/bpf/quality.h"

#include <string>
#include <utility>

#include "core/text/duration.h"
#include "platform/sampling/linux/bpf/zeroed_quality.h"
#include "platform/sampling/linux/facts/init_on_alloc.h"
#include "platform/sampling/linux/facts/quality.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {
namespace {

std::string which(SampleMode mode) {
  std::string every = "every " + std::to_string(kSampleEvery) + "th fault";
  switch (mode) {
    case SampleMode::None:
      return {};
    case SampleMode::Spikes:
      return every + " after a frame's faults have taken long";
    case SampleMode::Some:
      return every;
    case SampleMode::All:
      return "every fault";
  }
  return {};
}

std::string delayedBy(Nanoseconds delay) {
  return "BPF at the fault's end, busy for " + durationText(delay) + " at least, after faults outside the kernel, in " +
         std::to_string(kStretchFrames) + " frames of each " + std::to_string(2 * kStretchFrames) +
         " in random order, and at most 20 ms of each 100 ms";
}

}  // namespace

void describeBpfWatch(const WatchAbilities& abilities, SampleMode samples, Nanoseconds delay, WatchedGame& game) {
  Quality zeroed = zeroedQuality(initOnAlloc(), abilities.sparesClearing);
  zeroed.how += "; a thread's bytes are those that it asked for";
  game.zeroed = qualityUnless(abilities.reason(WatchPart::Zeroing), std::move(zeroed));
  game.faultTime = qualityUnless(
      abilities.reason(WatchPart::FaultTime),
      exact(timedBy(abilities.timing) +
            ", summed over all threads, including waits, without the processor's entry to the kernel and return" +
            (delay > Nanoseconds(0) ? ", and without the delay that was asked for" : "")));
  game.faultParts = qualityUnless(
      abilities.reason(WatchPart::FaultParts),
      exact(
          "BPF on sched_switch and sched_wakeup, summed over all threads inside a fault; time that a host takes from a "
          "virtual machine counts as on a processor"));
  game.faultEfforts = qualityUnless(
      abilities.reason(WatchPart::Efforts),
      exact("BPF on the beginnings and ends of direct reclaim (also of a group's limit) and of compaction, running and "
            "waiting, summed over all threads inside a fault"));
  game.path = qualityUnless(
      abilities.reason(WatchPart::Path),
      exact(
          "BPF on sched_waking: a thread that sleeps waits for the thread of the game that wakes it, and for nobody if "
          "an interrupt or another process does; what that one did meanwhile is known to 0.1 ms, in waits of more than "
          "8 ms to 4 ms; it is followed through its own waits if it has begun, or has faulted, while watched; its "
          "waits for a processor outside faults from 16 us on; the program that ran longest where the thread waited "
          "for "
          "a processor by sched_switch, among four"));
  game.teardown = qualityUnless(
      abilities.reason(WatchPart::Teardown),
      exact(
          std::string(
              "BPF from tlb_gather_mmu to tlb_finish_mmu: the part of munmap, madvise, mremap, brk, mprotect and mmap "
              "over memory that takes pages away") +
          (abilities.works(WatchPart::Freeing)
               ? "; MADV_DONTNEED, mmap and mremap where they free a page, which a thread's exit does not"
               : ", even if it finds none, as in each thread's exit") +
          "; summed over all threads, " +
          (abilities.works(WatchPart::FaultParts) ? "without waits" : "including waits") +
          ". Without memory files (memfd, tmpfs, shmget) when they are closed, cut or punched, whose unmapping alone "
          "has a time"));
  game.freed = qualityUnless(
      abilities.reason(WatchPart::Freeing),
      estimated(
          "BPF on mm_page_free: anonymous and shared memory in pages of all sizes, freed by the game's threads; of "
          "memory shared with other processes, by the last of them. Up to 31 of the pages that a processor gave "
          "out last count for a later frame, another thread or another program that runs there. Without page "
          "tables, files, hugetlb pages, and pages that the kernel reclaims"));
  if (const Unavailable& ends = abilities.reason(WatchPart::Ends); !ends.why.empty())
    game.faults =
        estimated(game.faults.how + "; the last fault of each other thread may be counted in a later frame, because " +
                  "ends of faults are not seen (" + ends.why + ")");
  if (delay > Nanoseconds(0)) game.delay = qualityUnless(abilities.reason(WatchPart::Delay), exact(delayedBy(delay)));
  game.samples =
      qualityUnless(abilities.reason(WatchPart::Samples), exact("BPF at the fault's end, " + which(samples)));
}

void describeSkippedRuns(WatchedGame& game) {
  for (const FrameQuality& row : kFurtherFrameQualities)
    game.*row.quality = withSkippedRuns(std::move(game.*row.quality));
  if (game.delay) game.delay = withSkippedRuns(std::move(*game.delay));
}

void describeBpfMissing(const Unavailable& reason, WatchedGame& game) {
  for (const FrameQuality& row : kFurtherFrameQualities) game.*row.quality = unavailable(reason);
}

}  // namespace faultline

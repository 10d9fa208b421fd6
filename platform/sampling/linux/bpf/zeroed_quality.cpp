#include "platform/sampling/linux/bpf/zeroed_quality.h"

#include <utility>

namespace faultline {

Quality zeroedQuality(std::optional<bool> initOnAlloc, bool spares) {
  std::string how;
  if (initOnAlloc.value_or(false)) {
    how =
        "BPF on mm_page_alloc: init_on_alloc is on, so the kernel clears every page that it hands out; all are counted "
        "except those for interrupts. hugetlb pages are not seen: a lower bound";
  } else {
    how =
        "BPF on mm_page_alloc: pages requested as zeroed (including page tables), large folios, and pages of shared "
        "memory (memfd, tmpfs; including those that write() and userfaultfd fill), the last page of each thread after "
        "its fault. hugetlb pages, and pages of sparse files, which the file system clears, are not seen: a lower "
        "bound";
    if (!initOnAlloc)
      how +=
          "; not known: whether init_on_alloc makes the kernel clear all other pages, too, because /proc/cmdline does "
          "not say and the kernel's configuration cannot be read in /boot, /proc/config.gz or /lib/modules";
  }
  if (spares) how += "; an upper bound where this kernel skips the clearing of pages that it knows to be zero";
  return estimated(std::move(how));
}

Quality withSkippedRuns(Quality quality) {
  if (quality.grade == Grade::Unavailable) return quality;
  return estimated(std::move(quality.how) +
                   "; a lower bound: the kernel skips a program on a processor on which it has preempted that program");
}

}  // namespace faultline

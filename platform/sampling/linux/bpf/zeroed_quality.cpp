#include "platform/sampling/linux/bpf/zeroed_quality.h"

#include "platform/sampling/linux/facts/quality.h"

namespace faultline {

Quality zeroedQuality(std::optional<bool> initOnAlloc, bool spares) {
  std::string how;
  if (initOnAlloc.value_or(false)) {
    how =
        "BPF on mm_page_alloc: init_on_alloc is on, so the kernel clears every page that it hands out, and all are "
        "counted but those for interrupts. hugetlb pages are not seen: a lower bound";
  } else {
    how =
        "BPF on mm_page_alloc: pages asked for zeroed (page tables included), large folios, and pages of shared memory "
        "(memfd, tmpfs; those that write() fills included), the last one of each thread when its fault has ended. "
        "hugetlb pages, and pages of sparse files, which the file system clears, are not seen: a lower bound";
    if (!initOnAlloc)
      how +=
          "; whether init_on_alloc has the kernel clear all other pages, too, is not known: /proc/cmdline does not "
          "say, and the kernel's configuration can be read neither in /boot nor in /proc/config.gz nor in "
          "/lib/modules";
  }
  if (spares) how += "; an upper bound as far as this kernel spares the clearing of pages that it knows to be zero";
  return estimated(std::move(how));
}

}  // namespace faultline

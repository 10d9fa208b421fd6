#include "core/trial/remedy.h"

#include <array>
#include <utility>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr const char* kKeep = "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824";
constexpr const char* kHuge = "glibc.malloc.hugetlb=1";

struct OtherMalloc {
  const char* name;
  std::array<const char*, 2> libraries;
};
constexpr std::array kMallocs{OtherMalloc{"jemalloc", {"libjemalloc.so.2", "libjemalloc.so.1"}},
                              OtherMalloc{"mimalloc", {"libmimalloc.so.3", "libmimalloc.so.2"}},
                              OtherMalloc{"tcmalloc", {"libtcmalloc_minimal.so.4", "libtcmalloc.so.4"}}};

std::optional<Unavailable> whyNoHugeHeap(const TrialPlace& place) {
  if (place.tunables) return place.tunables;
  if (place.hugePages) return place.hugePages;
  if (place.glibcMinor >= 35) return std::nullopt;
  return Unavailable{.why = "glibc reads this setting from version 2.35 on", .enable = {}};
}

// Adds one of Faultline's own libraries. `needed`: why the remedy is absent for other reasons.
void addOwn(const char* library, const TrialPlace& place, const std::optional<Unavailable>& needed, Remedy& remedy) {
  if (const auto found = place.libraries.find(library); found != place.libraries.end()) remedy.preload = found->second;
  if (place.preload) remedy.absent = place.preload;
  else if (place.ownPreload) remedy.absent = place.ownPreload;
  else if (needed) remedy.absent = needed;
  else if (remedy.preload.empty())
    remedy.absent = Unavailable{.why = std::string(library) + " is not installed beside Faultline", .enable = {}};
}

Remedy ownHeap(const TrialPlace& place, std::string name, std::string what, const std::string& heap,
               const std::optional<Unavailable>& needed) {
  Remedy remedy{.name = std::move(name), .what = std::move(what), .tunables = kKeep, .heap = heap};
  addOwn(kHeapLibrary, place, place.tunables ? place.tunables : needed, remedy);
  return remedy;
}

Remedy freeLater(const TrialPlace& place) {
  Remedy remedy{.name = "free-later", .what = "frees blocks of 256 KiB or more in a thread of its own"};
  addOwn(kFreeLibrary, place, std::nullopt, remedy);
  return remedy;
}

Remedy otherMalloc(const OtherMalloc& malloc, const TrialPlace& place) {
  Remedy remedy{.name = malloc.name, .what = "serves the program's memory by " + std::string(malloc.name)};
  for (const char* library : malloc.libraries)
    if (const auto found = place.libraries.find(library); found != place.libraries.end() && remedy.preload.empty())
      remedy.preload = found->second;
  if (place.preload) remedy.absent = place.preload;
  else if (remedy.preload.empty())
    remedy.absent = Unavailable{.why = "the loader does not find " + std::string(malloc.libraries[0]),
                                .enable = "Install " + std::string(malloc.name) + "."};
  return remedy;
}

// None can be tried: `absent` says how a developer does.
std::vector<Remedy> remediesOfWindows() {
  return {
      {.name = "segment-heap",
       .what = "serves the program's memory by the segment heap",
       .absent = Unavailable{.why = "a manifest inside the program asks for this heap, and a trial changes no program",
                             .enable = "Add <heapType>SegmentHeap</heapType> to the manifest of a copy (mt.exe), "
                                       "and compare both by 'faultline-cli record'."}},
      {.name = "top-down",
       .what = "places new allocations at the highest addresses",
       .absent = Unavailable{.why = "AllocationPreference in the registry changes the whole machine, after a restart",
                             .enable = "'faultline-cli lab topdown' shows the cost of that place."}}};
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + ":" + second;
}

}  // namespace

std::vector<std::string> mallocLibraries() {
  std::vector<std::string> names;
  for (const OtherMalloc& malloc : kMallocs)
    names.insert(names.end(), malloc.libraries.begin(), malloc.libraries.end());
  return names;
}

std::vector<Remedy> mallocRemedies(const TrialPlace& place) {
  std::vector<Remedy> remedies;
  for (const OtherMalloc& malloc : kMallocs) remedies.push_back(otherMalloc(malloc, place));
  return remedies;
}

std::vector<Remedy> remediesFor(const TrialPlace& place, std::uint64_t prefaultBytes) {
  if (place.windows) return remediesOfWindows();
  constexpr std::uint64_t kAdvisedBytes = std::uint64_t{1} << 30U;
  std::vector<Remedy> remedies{
      {.name = "keep",
       .what = "keeps freed memory up to 1 GiB instead of giving it back",
       .tunables = kKeep,
       .absent = place.tunables},
      {.name = "pad",
       .what = "grows the heap by 64 MiB at a time",
       .tunables = "glibc.malloc.top_pad=67108864",
       .absent = place.tunables},
      {.name = "huge",
       .what = "asks for transparent huge pages for the heap",
       .tunables = kHuge,
       .absent = whyNoHugeHeap(place)},
      {.name = "huge-keep",
       .what = "keep and huge together",
       .tunables = std::string(kKeep) + ":" + kHuge,
       .absent = whyNoHugeHeap(place)},
      {.name = "huge-pool",
       .what = "takes memory of malloc from the system's pool of huge pages",
       .tunables = "glibc.malloc.hugetlb=2",
       .absent = place.hugePool ? place.hugePool : whyNoHugeHeap(place)},
      ownHeap(place, "advise",
              "keeps freed memory, and advises 1 GiB of the heap, and mappings of 2 MiB or more, for huge pages",
              "advise=" + std::to_string(kAdvisedBytes), place.hugePages),
      ownHeap(place, "prefault",
              "keeps freed memory, and populates " + formatBytes(prefaultBytes) + " of it at the start",
              "populate=" + std::to_string(prefaultBytes), std::nullopt),
      freeLater(place),
      {.name = "one-arena",
       .what = "gives all threads one heap",
       .tunables = "glibc.malloc.arena_max=1",
       .absent = place.tunables},
      {.name = "big-tcache",
       .what = "keeps up to 2000 freed small blocks of each size per thread",
       .tunables = "glibc.malloc.tcache_count=2000",
       .absent = place.tunables},
      {.name = "no-huge",
       .what = "forbids transparent huge pages",
       .hugePages = HugePagesForbidden::All,
       .absent = place.hugePages},
      {.name = "advised-huge",
       .what = "forbids transparent huge pages for memory that is not advised for them",
       .hugePages = HugePagesForbidden::UnlessAdvised,
       .absent = place.hugePages ? place.hugePages : place.adviceAlone}};
  for (Remedy& remedy : mallocRemedies(place)) remedies.push_back(std::move(remedy));
  remedies.push_back({.name = "interleave",
                      .what = "spreads memory over all nodes",
                      .wrapper = {"numactl", "--interleave=all"},
                      .absent = place.nodes});
  remedies.push_back({.name = "one-node",
                      .what = "keeps threads and memory on node 0",
                      .wrapper = {"numactl", "--cpunodebind=0", "--membind=0"},
                      .absent = place.nodes});
  return remedies;
}

std::vector<EnvironmentSetting> environmentWith(const Remedy& remedy, const std::string& tunables,
                                                const std::string& preload) {
  std::vector<EnvironmentSetting> settings;
  // Of two settings of one tunable, glibc takes the later; of two libraries with malloc, the loader takes the first.
  if (!remedy.tunables.empty()) settings.push_back({"GLIBC_TUNABLES", joined(tunables, remedy.tunables)});
  if (!remedy.heap.empty()) settings.push_back({"FAULTLINE_HEAP", remedy.heap});
  if (!remedy.preload.empty()) settings.push_back({"LD_PRELOAD", joined(remedy.preload, preload)});
  return settings;
}

std::string asTyped(const Remedy& remedy) {
  std::string typed;
  const auto add = [&typed](const std::string& word) { typed += (typed.empty() ? "" : " ") + word; };
  for (const EnvironmentSetting& setting : environmentWith(remedy, {}, {})) add(setting.name + "=" + setting.value);
  for (const std::string& word : remedy.wrapper) add(word);
  if (remedy.hugePages == HugePagesForbidden::All) add("prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)");
  if (remedy.hugePages == HugePagesForbidden::UnlessAdvised)
    add("prctl(PR_SET_THP_DISABLE, 1, PR_THP_DISABLE_EXCEPT_ADVISED, 0, 0)");
  return typed;
}

}  // namespace faultline

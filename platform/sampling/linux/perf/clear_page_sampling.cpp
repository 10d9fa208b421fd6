#include "platform/sampling/linux/perf/clear_page_sampling.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "platform/sampling/linux/facts/kernel_symbols.h"
#include "platform/sampling/linux/facts/quality.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {
namespace {

// Functions that only clear pages. The first ones clear one page each, and so show small pages too. The others clear
// many pages; compilers, and x86 kernels since 7.0, inline the first ones into them.
constexpr std::array<std::string_view, 15> kCandidates{
    "clear_page_erms",
    "clear_page_rep",
    "clear_page_orig",
    "clear_page",
    "clear_pages",
    "clear_user_page",
    "clear_user_highpage",
    "kernel_init_pages",
    "folio_zero_user",
    "clear_contig_highpages",
    "clear_huge_page",
    "process_huge_page",
    "clear_subpage",
    "clear_gigantic_page",
    "memzero_page_aligned_unrolled",
};
constexpr std::size_t kOfOnePage = 8;

constexpr const char* kEnable = "A collector with cap_perfmon and cap_syslog.";

Unavailable refusedSampling(int error) {
  const std::string errorText = std::strerror(error);
  switch (error) {
    case EACCES:
    case EPERM:
      return refusedEvent("let this program sample processors", error);
    case ENOBUFS:
      return {.why = "Other programs of this user use all the memory that the kernel allows for sampling",
              .enable = "A higher kernel.perf_event_mlock_kb."};
    case ENOSYS:
    case ENOENT:
    case EOPNOTSUPP:
      return {.why = "This kernel cannot sample processors (" + errorText + ")", .enable = {}};
    default:
      return {.why = "The kernel refusedSampling to sample processors (" + errorText + ")", .enable = {}};
  }
}

Result<std::vector<PerfRing>, int> openRings(Nanoseconds period) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = static_cast<std::uint64_t>(period.count());
  attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
  attributes.exclude_user = 1;
  attributes.exclude_idle = 1;
  std::vector<PerfRing> rings;
  const auto processors = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
  for (int processor = 0; processor < processors; ++processor) {
    auto ring = PerfRing::open(attributes, processor);
    if (ring) rings.push_back(std::move(*ring));
    else if (ring.error() != ENODEV) return tl::unexpected(ring.error());
  }
  if (rings.empty()) return tl::unexpected(ENODEV);
  return rings;
}

bool isIn(const std::vector<KernelFunction>& code, std::uint64_t address) {
  return std::ranges::any_of(code, [&](const KernelFunction& f) { return f.begin <= address && address < f.end; });
}

// True if samples can fall into these functions; a compiler may have inlined them into others. This thread lets the
// kernel clear pages, and is sampled much more often than processes are later. If hits are possible, far fewer bytes
// than kMost cause one.
bool seesClearing(const std::vector<KernelFunction>& code) {
  constexpr Nanoseconds kOften{50'000};
  constexpr std::size_t kBytes = std::size_t{8} << 20U;
  constexpr std::size_t kMost = std::size_t{512} << 20U;
  auto rings = openRings(kOften);
  if (!rings) return true;  // unknown
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return true;
  madvise(memory, kBytes, MADV_HUGEPAGE);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bool seen = false;
  PerfRecords records;
  for (std::size_t done = 0; done < kMost && !seen; done += kBytes) {
    for (PerfRing& ring : *rings) ring.enable(true);
    for (std::size_t at = 0; at < kBytes; at += page) static_cast<volatile char*>(memory)[at] = 1;
    for (PerfRing& ring : *rings) ring.enable(false);
    records.samples.clear();
    for (PerfRing& ring : *rings) ring.read(records);
    seen = std::ranges::any_of(records.samples, [&](const PerfSample& sample) { return isIn(code, sample.address); });
    madvise(memory, kBytes, MADV_DONTNEED);
  }
  munmap(memory, kBytes);
  return seen;
}

std::string describe(Nanoseconds period, const std::vector<KernelFunction>& code) {
  std::string names;
  bool small = false;
  for (std::size_t name = 0; name < kCandidates.size(); ++name) {
    if (std::ranges::find(code, name, &KernelFunction::name) == code.end()) continue;
    if (!names.empty()) names += ", ";
    names += kCandidates[name];
    small = small || name < kOfOnePage;
  }
  return "While the numbers are on show, each processor is sampled " +
         std::to_string(std::chrono::seconds(1) / period) + " times a second for time in " + names +
         ". Right for huge pages, " +
         (small ? "3 to 20 times too low for small pages" : "without small pages on this kernel") +
         ". Absent where two sweeps are more than 10 s apart: the buffer of samples is full then";
}

}  // namespace

Result<ClearPageSampling, Unavailable> ClearPageSampling::open(Nanoseconds period,
                                                               std::span<const std::string_view> candidates) {
  if (candidates.empty()) candidates = kCandidates;
  auto rings = openRings(period);
  if (!rings) return tl::unexpected(refusedSampling(rings.error()));
  KernelSymbols symbols = readKernelSymbols(candidates);
  if (symbols.error != 0)
    return tl::unexpected(
        Unavailable{std::string("/proc/kallsyms cannot be read (") + std::strerror(symbols.error) + ")", kEnable});
  if (symbols.hidden)
    return tl::unexpected(Unavailable{
        "/proc/kallsyms hides the functions that clear pages: cap_syslog is missing, or kernel.kptr_restrict is 2",
        kEnable});
  if (symbols.functions.empty())
    return tl::unexpected(Unavailable{"/proc/kallsyms lists no known function that only clears pages", {}});
  if (!seesClearing(symbols.functions))
    return tl::unexpected(Unavailable{
        "Samples do not show clearing on this kernel: while 512 MB were cleared at the start, no sample fell into a "
        "known function that clears pages. The compiler has inlined these functions into others",
        {}});
  return ClearPageSampling(period, std::move(*rings), std::move(symbols.functions));
}

ClearPageSampling::ClearPageSampling(Nanoseconds period, std::vector<PerfRing> rings, std::vector<KernelFunction> code)
    : m_period(period),
      m_rings(std::move(rings)),
      m_code(std::move(code)),
      m_quality(estimated(describe(m_period, m_code))) {}

void ClearPageSampling::attend(bool active) {
  if (active == m_attended) return;
  m_attended = active;
  for (PerfRing& ring : m_rings) {
    if (active) ring.discard();
    ring.enable(active);
  }
}

void ClearPageSampling::drain() {
  if (!m_attended) return;
  m_records.samples.clear();
  m_records.lost = 0;
  m_records.full = false;
  for (PerfRing& ring : m_rings) ring.read(m_records);
  for (const PerfSample& sample : m_records.samples) {
    if (isIn(m_code, sample.address)) m_totals.hit(sample.pid);
  }
}

void ClearPageSampling::addTo(Snapshot& snapshot) {
  if (m_attended) m_totals.addTo(snapshot, m_period);
  if (m_attended && !m_records.full && m_records.lost == 0) return;
  for (auto* const processes : {&snapshot.processes, &snapshot.exited}) {
    for (ProcessSample& process : *processes) process.values.clear(ProcessMetric::SampledZeroingTime);
  }
}

}  // namespace faultline

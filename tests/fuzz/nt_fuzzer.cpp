// What NtQuerySystemInformation answers is the kernel's, but names in it are anybody's, and nothing in it is taken on
// trust. Names are pointers: the bytes are taken to lie at one address.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/parse/nt/processes.h"
#include "core/parse/nt/system.h"
#include "platform/sampling/nt/etw_faults.h"
#include "platform/sampling/nt/fault_records.h"
#include "platform/sampling/nt/process_table.h"
#include "platform/sampling/nt/zero_threads.h"

namespace {

using namespace faultline;

constexpr std::uint64_t kAddress = 0x20000;
constexpr std::uint64_t kBooted = 1'000'000;

void demand(bool condition) {
  if (!condition) std::abort();
}

void demandWithin(std::span<const std::byte> part, std::span<const std::byte> whole) {
  demand(part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size()));
}

// Each process once, none from the future, none without its name's bytes.
void demandSound(const std::vector<ProcessSample>& samples, Nanoseconds now) {
  const auto keys = [](const ProcessSample& a, const ProcessSample& b) { return a.key >= b.key; };
  demand(std::ranges::adjacent_find(samples, keys) == samples.end());
  for (const ProcessSample& sample : samples) {
    demand(sample.key.pid != 0 && sample.name.find('\0') == std::string::npos);
    demand(sample.key.startTime <= static_cast<std::uint64_t>(now.count()) + 1);
  }
}

// The same list again is the same processes, whatever else has been there meanwhile.
void sweep(std::span<const std::byte> bytes) {
  std::vector<NtProcess> list;
  const auto sweepOf = [&](NtProcessTable& table, Nanoseconds now) {
    static_cast<void>(listNtProcesses(bytes, kAddress, list));
    std::vector<ProcessSample> samples;
    table.sweep(list, now, samples);
    demandSound(samples, now);
    return samples;
  };
  static_cast<void>(listNtProcesses(bytes, kAddress, list));
  NtProcessTable table(fieldsProvided(list, true), kBooted);
  const auto first = sweepOf(table, std::chrono::hours(1));
  const auto second = sweepOf(table, std::chrono::hours(2));
  demand(first == second);
}

void lookAtThreads(const NtProcess& process) {
  int open = 0;
  const NtFunctions nt{.query = nullptr,
                       .openThread =
                           [&](std::uint32_t thread) {
                             ++open;
                             return thread % 3 == 0 ? std::optional<std::uintptr_t>(thread) : (--open, std::nullopt);
                           },
                       .threadCycles = [](std::uintptr_t handle) { return std::optional<std::uint64_t>(handle * 7); },
                       .ownCycles = [] { return std::optional<std::uint64_t>(7); },
                       .listBytes = [] { return std::optional<std::uint64_t>(4096); },
                       .close = [&](std::uintptr_t) { --open; }};
  {
    ZeroThreads zero(nt);
    const ZeroThreadTotals first = zero.look(process);
    demand(first.threads <= process.threads());
    bool sane = true;  // sums of centuries may wrap
    for (std::size_t i = 0; i < process.threads(); ++i) sane = sane && process.thread(i).kernelTime >> 56U == 0;
    demand(!sane || zero.look(process).kernelTime >= first.kernelTime);
  }
  demand(open == 0);
}

void readFaults(std::span<const std::byte> bytes) {
  std::vector<NtFault> faults;
  readNtFaults(bytes, faults);
  demand(faults.size() <= bytes.size() / kNtFaultBytes);
  demand(std::ranges::none_of(faults, [](const NtFault& fault) { return fault.code == 0; }));
  if (bytes.size() < 2) return;
  const EtwEvent event{.provider = kEtwPageFault,
                       .type = std::to_integer<std::uint8_t>(bytes[0]),
                       .pointer = std::to_integer<std::uint8_t>(bytes[1]),
                       .payload = bytes.subspan(2)};
  const auto fault = parseEtwFault(event);
  demand(!fault || event.payload.size() >= std::size_t{2} * event.pointer);
  demand(!fault || event.pointer == 8 || fault->address >> 32U == 0);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  NtProcessList list{.bytes = bytes, .address = kAddress};
  std::size_t threads = 0;
  while (const auto process = takeNtProcess(list)) {
    demandWithin(process->name, bytes);
    demandWithin(process->threadRecords, bytes);
    threads += process->threads();
    if (process->threads() < 64) lookAtThreads(*process);
  }
  demand(threads * 0x50 <= size);
  sweep(bytes);
  static_cast<void>(parseNtPerformance(bytes));
  static_cast<void>(parseNtMemoryLists(bytes));
  static_cast<void>(parseNtBootTime(bytes));
  readFaults(bytes);
  return 0;
}

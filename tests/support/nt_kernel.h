// Buffers as the kernel of 64-bit Windows fills them. The offsets are those of Microsoft's winternl.h and the phnt
// headers, written independently of the parsers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace faultline::test {

struct NtThreadScript {
  std::uint32_t id = 0;
  std::uint64_t createTime = 0;
  std::uint64_t kernelTime = 0;  // 100 ns
  std::int32_t basePriority = 8;
  std::int32_t priority = 8;
  std::uint32_t switches = 0;
  std::uint64_t startAddress = 0xFFFFF80000001000;
};

struct NtProcessScript {
  std::uint32_t pid = 0;
  std::uint32_t parent = 0;
  std::u16string name{};
  std::uint64_t createTime = 0;
  std::uint64_t kernelTime = 0;
  std::uint64_t userTime = 0;
  std::uint64_t cycles = 0;
  std::uint32_t faults = 0;
  std::uint32_t hardFaults = 0;
  std::uint64_t workingSet = 0;
  std::uint64_t privateWorkingSet = 0;
  std::uint64_t pagefile = 0;
  std::uint64_t privateBytes = 0;
  std::vector<NtThreadScript> threads{};
};

using NtBytes = std::vector<std::byte>;

template <class Value>
void putAt(NtBytes& out, std::size_t offset, Value value) {
  std::memcpy(out.data() + offset, &value, sizeof value);
}

inline constexpr std::size_t kNtProcessSize = 0x100;
inline constexpr std::size_t kNtThreadSize = 0x50;

// Each record is followed by its threads and its name; the next record begins at the next multiple of 8.
[[nodiscard]] inline NtBytes ntProcessList(const std::vector<NtProcessScript>& processes, std::uint64_t address) {
  NtBytes out;
  std::size_t begin = 0;
  for (const NtProcessScript& process : processes) {
    begin = out.size();
    const std::size_t name = begin + kNtProcessSize + kNtThreadSize * process.threads.size();
    const std::size_t nameBytes = process.name.size() * 2;
    out.resize((name + nameBytes + 2 + 7) / 8 * 8);
    putAt(out, begin + 0x00, static_cast<std::uint32_t>(out.size() - begin));
    putAt(out, begin + 0x04, static_cast<std::uint32_t>(process.threads.size()));
    putAt(out, begin + 0x08, process.privateWorkingSet);
    putAt(out, begin + 0x10, process.hardFaults);
    putAt(out, begin + 0x18, process.cycles);
    putAt(out, begin + 0x20, process.createTime);
    putAt(out, begin + 0x28, process.userTime);
    putAt(out, begin + 0x30, process.kernelTime);
    putAt(out, begin + 0x38, static_cast<std::uint16_t>(nameBytes));
    putAt(out, begin + 0x3A, static_cast<std::uint16_t>(nameBytes + 2));
    if (nameBytes > 0) putAt(out, begin + 0x40, address + name);
    putAt(out, begin + 0x50, std::uint64_t{process.pid});
    putAt(out, begin + 0x58, std::uint64_t{process.parent});
    putAt(out, begin + 0x80, process.faults);
    putAt(out, begin + 0x90, process.workingSet);
    putAt(out, begin + 0xB8, process.pagefile);
    putAt(out, begin + 0xC8, process.privateBytes);
    std::size_t at = begin + kNtProcessSize;
    for (const NtThreadScript& thread : process.threads) {
      putAt(out, at + 0x00, thread.kernelTime);
      putAt(out, at + 0x10, thread.createTime);
      putAt(out, at + 0x20, thread.startAddress);
      putAt(out, at + 0x28, std::uint64_t{process.pid});
      putAt(out, at + 0x30, std::uint64_t{thread.id});
      putAt(out, at + 0x38, thread.priority);
      putAt(out, at + 0x3C, thread.basePriority);
      putAt(out, at + 0x40, thread.switches);
      at += kNtThreadSize;
    }
    std::memcpy(out.data() + name, process.name.data(), nameBytes);
  }
  if (!out.empty()) putAt(out, begin, std::uint32_t{0});
  return out;
}

struct NtPerformanceScript {
  std::uint32_t available = 0;  // pages
  std::uint32_t committed = 0;
  std::uint32_t commitLimit = 0;
  std::uint32_t faults = 0;
  std::uint32_t copyOnWrite = 0;
  std::uint32_t transitions = 0;
  std::uint32_t demandZero = 0;
  std::uint32_t pageReads = 0;
};

[[nodiscard]] inline NtBytes ntPerformance(const NtPerformanceScript& script, std::size_t size = 344) {
  NtBytes out(size);
  putAt(out, 0x2C, script.available);
  putAt(out, 0x30, script.committed);
  putAt(out, 0x34, script.commitLimit);
  putAt(out, 0x3C, script.faults);
  putAt(out, 0x40, script.copyOnWrite);
  putAt(out, 0x44, script.transitions);
  putAt(out, 0x4C, script.demandZero);
  putAt(out, 0x54, script.pageReads);
  return out;
}

[[nodiscard]] inline NtBytes ntMemoryLists(std::uint64_t zeroed, std::uint64_t free) {
  NtBytes out(176);
  putAt(out, 0, zeroed);
  putAt(out, 8, free);
  return out;
}

}  // namespace faultline::test

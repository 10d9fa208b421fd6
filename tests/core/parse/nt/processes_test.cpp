#include "core/parse/nt/processes.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <random>

#include "core/text/utf16.h"
#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"
#include "tests/support/nt_kernel.h"

using namespace faultline;
using test::NtBytes;
using test::ntProcessList;
using test::putAt;

namespace {

constexpr std::uint64_t kAddress = 0x20000;

struct Listed {
  std::vector<NtProcess> processes;
  bool ended = false;
};

// A copy that ends at a guard page.
Listed listed(const NtBytes& bytes, std::uint64_t address = kAddress) {
  Listed out;
  const test::GuardedText guarded({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  NtProcessList list{.bytes = std::as_bytes(std::span(guarded.view())), .address = address};
  while (const auto process = takeNtProcess(list)) {
    out.processes.push_back(*process);
    std::string name;
    appendUtf16(process->name, name);  // reads every byte
    for (std::size_t i = 0; i < process->threads(); ++i) static_cast<void>(process->thread(i));
  }
  out.ended = list.ended;
  return out;
}

std::vector<test::NtProcessScript> three() {
  test::NtProcessScript idle{.pid = 0, .threads = {{.id = 0, .basePriority = 0}, {.id = 0, .basePriority = 0}}};
  test::NtProcessScript system{.pid = 4, .name = u"System", .threads = {{.id = 8}}};
  test::NtProcessScript game{.pid = 0xFFFFFFFC, .parent = 4, .name = u"a\u20ac.exe"};
  return {idle, system, game};
}

}  // namespace

TEST_CASE("all fields of a Windows process are read") {
  const test::NtProcessScript script{.pid = 4096,
                                     .parent = 4000,
                                     .name = u"game.exe",
                                     .createTime = 0x0123456789ABCDEF,
                                     .kernelTime = 71,
                                     .userTime = 72,
                                     .faults = 0xFFFFFFFF,
                                     .hardFaults = 73,
                                     .workingSet = 0x1111111111,
                                     .privateWorkingSet = 0x2222222222,
                                     .pagefile = 0x3333333333,
                                     .privateBytes = 0x4444444444,
                                     .threads = {{.id = 12},
                                                 {.id = 16,
                                                  .createTime = 81,
                                                  .kernelTime = 82,
                                                  .basePriority = -15,
                                                  .priority = 1,
                                                  .switches = 83,
                                                  .startAddress = 0}}};
  const NtBytes bytes = ntProcessList({script}, kAddress);
  NtProcessList list{.bytes = bytes, .address = kAddress};
  const auto process = takeNtProcess(list);
  REQUIRE(process);
  CHECK(list.ended);
  CHECK(process->pid == 4096);
  CHECK(process->parentPid == 4000);
  CHECK(process->createTime == 0x0123456789ABCDEF);
  CHECK(process->kernelTime == 71);
  CHECK(process->userTime == 72);
  CHECK(process->faults == 0xFFFFFFFF);
  CHECK(process->hardFaults == 73);
  CHECK(process->workingSetBytes == 0x1111111111);
  CHECK(process->privateWorkingSetBytes == 0x2222222222);
  CHECK(process->pagefileBytes == 0x3333333333);
  CHECK(process->privateBytes == 0x4444444444);
  std::string name;
  appendUtf16(process->name, name);
  CHECK(name == "game.exe");
  REQUIRE(process->threads() == 2);
  CHECK(process->thread(0).thread == 12);
  CHECK(process->thread(1) == NtThread{.process = 4096,
                                       .thread = 16,
                                       .createTime = 81,
                                       .kernelTime = 82,
                                       .basePriority = -15,
                                       .contextSwitches = 83});
}

TEST_CASE("consecutive records are read at any alignment") {
  for (std::size_t shift = 0; shift < 9; ++shift) {
    NtBytes bytes(shift, std::byte{0xEE});
    const NtBytes list = ntProcessList(three(), kAddress);
    bytes.insert(bytes.end(), list.begin(), list.end());
    NtProcessList unaligned{.bytes = std::span(bytes).subspan(shift), .address = kAddress};
    std::vector<std::uint32_t> pids;
    std::vector<std::size_t> threads;
    while (const auto process = takeNtProcess(unaligned)) {
      pids.push_back(process->pid);
      threads.push_back(process->threads());
    }
    CHECK(unaligned.ended);
    CHECK(pids == std::vector<std::uint32_t>{0, 4, 0xFFFFFFFC});
    CHECK(threads == std::vector<std::size_t>{2, 1, 0});
  }
}

TEST_CASE("a list cut anywhere is read up to the cut and has no end") {
  const NtBytes whole = ntProcessList(three(), kAddress);
  std::size_t most = 0;
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    const Listed list = listed({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut)});
    CHECK(list.processes.size() >= most);
    most = list.processes.size();
    // The last record's size is not stored: only its threads must be present.
    CHECK(list.ended == (list.processes.size() == 3));
  }
  CHECK(most == 3);
  CHECK(listed({}).processes.empty());
}

TEST_CASE("bytes after the last process are not read") {
  NtBytes bytes = ntProcessList(three(), kAddress);
  bytes.resize(bytes.size() + 1000, std::byte{1});
  CHECK(listed(bytes).processes.size() == 3);
  CHECK(listed(bytes).ended);
}

TEST_CASE("a next record inside this one or beyond the end is invalid and ends the list") {
  const NtBytes whole = ntProcessList(three(), kAddress);
  const std::uint32_t size = static_cast<std::uint32_t>(whole.size());
  const std::uint32_t least = 0x100 + 2 * 0x50;  // the first process with its threads
  for (const std::uint32_t offset :
       {1U, 8U, 0xFFU, 0x100U, least - 1, size + 1, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
    NtBytes bytes = whole;
    putAt(bytes, 0, offset);
    CAPTURE(offset);
    const Listed list = listed(bytes);
    CHECK(list.processes.empty());
    CHECK_FALSE(list.ended);
  }
  NtBytes atTheEnd = whole;  // the first record is whole and announces another
  putAt(atTheEnd, 0, size);
  CHECK(listed(atTheEnd).processes.size() == 1);
  CHECK_FALSE(listed(atTheEnd).ended);
}

TEST_CASE("a process with more threads than there is room for is refused") {
  for (const std::uint32_t threads : {3U, 4U, 0x10000U, 0x03333334U, 0xFFFFFFFFU}) {
    NtBytes bytes = ntProcessList(three(), kAddress);
    putAt(bytes, 4, threads);
    CAPTURE(threads);
    CHECK(listed(bytes).processes.empty());
    CHECK_FALSE(listed(bytes).ended);
  }
}

TEST_CASE("an impossible process id ends the list") {
  for (const std::size_t field : {std::size_t{0x50}, std::size_t{0x58}}) {
    NtBytes bytes = ntProcessList(three(), kAddress);
    putAt(bytes, field, std::uint64_t{0x100000000});
    CHECK(listed(bytes).processes.empty());
  }
}

TEST_CASE("a process whose name lies outside the list is returned with an empty name") {
  const test::NtProcessScript script{.pid = 8, .name = u"name", .threads = {{.id = 12}}};
  const NtBytes whole = ntProcessList({script}, kAddress);
  const std::uint64_t end = kAddress + whole.size();
  for (const std::uint64_t pointer :
       {std::uint64_t{0}, kAddress - 1, end - 7, end, end + 1, UINT64_MAX, UINT64_MAX - 7}) {
    NtBytes bytes = whole;
    putAt(bytes, 0x40, pointer);
    CAPTURE(pointer);
    const Listed list = listed(bytes);
    REQUIRE(list.processes.size() == 1);
    CHECK(list.processes[0].name.empty());
  }
  NtBytes tooLong = whole;
  putAt(tooLong, 0x38, std::uint16_t{0xFFFF});
  CHECK(listed(tooLong).processes.at(0).name.empty());
  NtBytes atTheEnd = whole;
  putAt(atTheEnd, 0x40, end - 8);
  CHECK(listed(atTheEnd).processes.at(0).name.size() == 8);
}

TEST_CASE("with any byte changed, nothing outside the list is read") {
  const NtBytes whole = ntProcessList(three(), kAddress);
  std::mt19937 random(7);
  for (int turn = 0; turn < 3000; ++turn) {
    NtBytes bytes = whole;
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = random() % bytes.size();
      bytes[at] = static_cast<std::byte>(turn % 2 == 0 ? 0xFF : random());
    }
    CHECK(listed(bytes).processes.size() <= bytes.size() / test::kNtProcessSize);
  }
}

// The fuzzer's corpus.
TEST_CASE("the recorded lists equal those that the builder makes") {
  auto processes = three();
  processes[1].threads = {
      {.id = 12, .createTime = 5, .kernelTime = 7, .switches = 9},
      {.id = 16, .createTime = 6, .kernelTime = 100, .basePriority = 0, .priority = 1, .switches = 3},
      {.id = 20, .createTime = 6, .basePriority = 0, .priority = 0, .startAddress = 0}};
  processes[2].createTime = 133'000'000'000'000'000;
  processes[2].faults = 0xFFFFFFFF;
  processes[2].name = {u'a', 0, 0xD83C, 0xDFAE, 0xDC00};
  const auto textOf = [](const NtBytes& bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  CHECK(test::fixture("nt/processes") == textOf(ntProcessList(processes, kAddress)));
  CHECK(test::fixture("nt/performance") ==
        textOf(test::ntPerformance({.available = 5, .faults = 77, .demandZero = 3})));
  CHECK(test::fixture("nt/memory_lists") == textOf(test::ntMemoryLists(0x123456789A, 42)));
}

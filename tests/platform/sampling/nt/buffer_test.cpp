#include "platform/sampling/nt/buffer.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

// Answers with `needed` bytes, or says how many it wants.
struct Answering {
  std::size_t needed = 100;
  bool exact = false;  // takes no more room than that either
  bool tells = true;   // how many
  std::uint32_t status = kNtSuccess;
  std::vector<std::size_t> asked{};

  NtFunctions functions() {
    NtFunctions nt;
    nt.query = [this](NtClass, std::span<std::byte> out, std::uint32_t& length) {
      asked.push_back(out.size());
      if (status != kNtSuccess) return status;
      if (tells) length = static_cast<std::uint32_t>(needed);
      if (out.size() < needed || (exact && out.size() != needed)) return kNtLengthMismatch;
      std::ranges::fill(out.first(needed), std::byte{7});
      return kNtSuccess;
    };
    return nt;
  }
};

}  // namespace

TEST_CASE("a buffer grows to the reported size and an eighth more, and keeps its size") {
  Answering system{.needed = 8000};
  const NtFunctions nt = system.functions();
  NtBuffer buffer(NtClass::Processes, 1000);
  const auto bytes = buffer.read(nt);
  REQUIRE(bytes);
  CHECK(bytes->size() == 8000);
  CHECK(bytes->back() == std::byte{7});
  CHECK(system.asked == std::vector<std::size_t>{1000, 9000});
  system.needed = 8500;  // grown in between
  REQUIRE(buffer.read(nt));
  CHECK(system.asked.size() == 3);
  system.needed = 10;
  CHECK(buffer.read(nt)->size() == 10);
  CHECK(system.asked.back() == 9000);
}

TEST_CASE("a buffer doubles if the needed size is not reported") {
  Answering system{.needed = 3000, .tells = false};
  NtBuffer buffer(NtClass::Processes, 1000);
  const auto bytes = buffer.read(system.functions());
  REQUIRE(bytes);
  CHECK(system.asked == std::vector<std::size_t>{1000, 2000, 4000});
  CHECK(bytes->size() == 4000);  // nor how much of it was written
}

TEST_CASE("a buffer shrinks to the only accepted size") {
  Answering system{.needed = 176, .exact = true};
  for (const std::size_t first : {std::size_t{16}, std::size_t{512}}) {
    NtBuffer buffer(NtClass::MemoryLists, first);
    const auto bytes = buffer.read(system.functions());
    REQUIRE(bytes);
    CHECK(bytes->size() == 176);
  }
}

TEST_CASE("a failed query is reported with its status, and repeated the next time") {
  Answering system{.status = 0xC0000022};
  const NtFunctions nt = system.functions();
  NtBuffer buffer(NtClass::MemoryLists, 176);
  const auto refused = buffer.read(nt);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "NtQuerySystemInformation fails for class 80 with status 0xC0000022");
  CHECK(system.asked.size() == 1);
  system.status = kNtSuccess;
  CHECK(buffer.read(nt));
}

TEST_CASE("a query that always asks for more is given up before memory is exhausted") {
  NtFunctions nt;
  int calls = 0;
  nt.query = [&](NtClass, std::span<std::byte> out, std::uint32_t& length) {
    ++calls;
    length = calls % 2 == 0 ? 0 : static_cast<std::uint32_t>(out.size());
    return kNtLengthMismatch;
  };
  NtBuffer doubling(NtClass::Processes, 1000);
  CHECK_FALSE(doubling.read(nt));
  CHECK(calls == 16);
  nt.query = [&](NtClass, std::span<std::byte>, std::uint32_t& length) {
    ++calls;
    length = UINT32_MAX;
    return kNtLengthMismatch;
  };
  calls = 0;
  NtBuffer greedy(NtClass::Processes, 1000);
  CHECK_FALSE(greedy.read(nt));
  CHECK(calls == 1);
}

#include "platform/sampling/windows/attention.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "platform/system/windows/unique_handle.h"

using namespace faultline;

namespace {

struct Wisher {
  UniqueHandle reader;
  UniqueHandle writer;

  Wisher() {
    std::array<HANDLE, 2> ends{};
    REQUIRE(::CreatePipe(&ends[0], &ends[1], nullptr, 0) != 0);
    reader = UniqueHandle(ends[0]);
    writer = UniqueHandle(ends[1]);
  }
  void tell(std::string_view wishes) const {
    DWORD count = 0;
    REQUIRE(::WriteFile(writer.get(), wishes.data(), static_cast<DWORD>(wishes.size()), &count, nullptr) != 0);
  }
};

}  // namespace

TEST_CASE("attention is active until '-' is read, and reading never blocks") {
  const Wisher wisher;
  AttentionReader attention(wisher.reader.get());
  CHECK(attention.read().active);
  wisher.tell("-");
  CHECK_FALSE(attention.read().active);
  CHECK_FALSE(attention.read().active);
  wisher.tell("-- what is this?+");
  CHECK(attention.read().active);
}

TEST_CASE("after the end of the input attention is active") {
  Wisher wisher;
  AttentionReader attention(wisher.reader.get());
  wisher.tell("-");
  CHECK_FALSE(attention.read().active);
  wisher.writer.reset();
  CHECK(attention.read().active);
  CHECK(attention.read().active);
}

TEST_CASE("without an input attention is active") {
  AttentionReader nothing(nullptr);
  CHECK(nothing.read().active);
  const UniqueHandle nul(::CreateFileW(L"NUL", GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr));
  AttentionReader attention(nul.get());
  CHECK(attention.read().active);
}

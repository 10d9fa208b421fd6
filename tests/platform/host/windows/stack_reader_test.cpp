#include "platform/host/stack_reader.h"

#include <windows.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>
#include <thread>

#include "core/base/file_name.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

__attribute__((noinline)) int ownCode(int value) {
  return value * 3 + static_cast<int>(::GetTickCount64() % 2);
}

FaultSample sampleOf(std::uint64_t code) {
  FaultSample sample;
  sample.registers = {code};
  return sample;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

TEST_CASE("The code of a fault has its function, its library and its place, and its callers are unknown") {
  const auto reader = openStackReader(ownProcess());
  REQUIRE(reader);
  CHECK((*reader)->trouble().empty());
  const HMODULE library = ::GetModuleHandleW(L"kernel32.dll");
  const auto code = reinterpret_cast<std::uintptr_t>(::GetProcAddress(library, "GetTickCount64"));
  const FaultSample sample = sampleOf(code);
  (*reader)->notice(sample);
  for (int wait = 0; !(*reader)->ready(sample) && wait < 6000; ++wait) std::this_thread::sleep_for(10ms);
  const CallStack stack = (*reader)->read(sample);
  REQUIRE(stack.size() == 2);
  INFO(stack[0].module << ' ' << stack[0].function);
  CHECK(lower(stack[0].module).ends_with("\\kernel32.dll"));
  CHECK(stack[0].function == "GetTickCount64");
  CHECK(stack[0].offset == code - reinterpret_cast<std::uintptr_t>(library));
  CHECK(stack[0].system);
  CHECK(stack[1].function == kTruncatedStack);
}

TEST_CASE("A program's own code is the program's; code of no module has an address alone; a fault without code none") {
  const auto reader = openStackReader(ownProcess());
  REQUIRE(reader);
  CHECK(ownCode(2) >= 6);
  const FaultSample own = sampleOf(reinterpret_cast<std::uintptr_t>(&ownCode));
  (*reader)->notice(own);
  const CallStack stack = (*reader)->read(own);
  REQUIRE(stack.size() == 2);
  CHECK(lower(stack[0].module) == lower(nameInUtf8(executableFolder() / "test_platform.exe")));
  CHECK_FALSE(stack[0].system);
  const FaultSample nowhere = sampleOf(0x10);
  (*reader)->notice(nowhere);
  CHECK((*reader)->ready(nowhere));
  const CallStack unknown = (*reader)->read(nowhere);
  REQUIRE(unknown.size() == 2);
  CHECK(unknown[0].module.empty());
  CHECK(unknown[0].offset == 0x10);
  CHECK((*reader)->read(FaultSample{}).empty());
}

TEST_CASE("A process that is not there has no code to read") {
  const auto reader = openStackReader(0x7FFFFFF0);
  REQUIRE_FALSE(reader);
  CHECK(reader.error().message.find("The code of process 2147483632 cannot be read: ") == 0);
}

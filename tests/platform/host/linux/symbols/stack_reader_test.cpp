#include "platform/host/stack_reader.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "platform/system/posix/unique_fd.h"
#include "tests/support/caught_fault.h"
#include "tests/support/in_child.h"
#include "tests/support/scratch_folder.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;
using Touch = void (*)(char*, unsigned long);

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

class Library {
 public:
  explicit Library(const std::filesystem::path& name) : m_handle(dlopen((FAULTLINE_BIN / name).c_str(), RTLD_NOW)) {
    if (!m_handle) FAIL(dlerror());
  }
  [[nodiscard]] Touch function(const char* name) const {
    void* const found = dlsym(m_handle.get(), name);
    REQUIRE(found != nullptr);
    return reinterpret_cast<Touch>(found);
  }

 private:
  std::unique_ptr<void, CloseLibrary> m_handle;
};

std::unique_ptr<GameStackReader> readerOf(pid_t pid) {
  auto reader = openStackReader(static_cast<std::uint32_t>(pid));
  if (!reader) FAIL(reader.error().message);
  return std::move(*reader);
}

CallStack ownStack(const Library& library, const char* function) {
  const FaultSample sample = catchFault(library.function(function));
  const auto reader = readerOf(getpid());
  reader->notice(sample);
  return reader->read(sample);
}

// Number of the source line with this mark.
int lineOf(const std::string& mark) {
  std::ifstream source(FAULTLINE_FIXTURES "/../support/programs/deep_calls.cpp");
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.ends_with("// line: " + mark)) return number;
  }
  return -1;
}

void checkFrame(const StackFrame& frame, const std::string& function, const std::string& mark, bool inlined) {
  CAPTURE(frame.function, frame.file, frame.line, frame.module);
  CHECK(frame.function == function);
  CHECK(frame.line == lineOf(mark));
  CHECK(frame.file.ends_with("programs/deep_calls.cpp"));
  CHECK(frame.inlined == inlined);
  CHECK_FALSE(frame.system);
}

bool reachesOurMain(const CallStack& stack) {
  return std::ranges::any_of(stack, [](const StackFrame& frame) { return frame.function == "main"; });
}

}  // namespace

TEST_CASE("A stack has functions and lines, including inlined functions, up to the thread's start") {
  for (const std::string library : {"deep.so", "deep_unlisted.so"}) {
    const CallStack stack = ownStack(Library(library), "deepTouch");
    REQUIRE(stack.size() > 5);
    checkFrame(stack[0], "deep::touch", "touch", true);
    checkFrame(stack[1], "deep::Filler::fill", "fill", true);
    checkFrame(stack[2], "deep::World::build<char>", "build", false);
    checkFrame(stack[3], "deepTouch", "deepTouch", false);
    CHECK(stack[3].module == FAULTLINE_BIN "/" + library);
    CHECK(reachesOurMain(stack));
    CHECK(stack.back().function != kTruncatedStack);
  }
}

TEST_CASE("A stack that begins in the C library leads to the caller") {
  const CallStack stack = ownStack(Library("deep.so"), "deepClear");
  REQUIRE(stack.size() > 2);
  const auto own = std::ranges::find(stack, "deepClear", &StackFrame::function);
  REQUIRE(own != stack.end());
  CHECK(own != stack.begin());
  checkFrame(*own, "deepClear", "deepClear", false);
}

TEST_CASE("A reader of stacks that hangs does not block a caller of ready(), and lets games go first") {
  const Library library("deep.so");
  const FaultSample sample = catchFault(library.function("deepTouch"));
  const auto reader = readerOf(getpid());
  reader->notice(sample);
  pid_t child = 0;
  std::ifstream("/proc/self/task/" + std::to_string(getpid()) + "/children") >> child;
  if (child == 0) SKIP("this kernel does not list a program's children (CONFIG_PROC_CHILDREN)");
  CHECK(getpriority(PRIO_PROCESS, static_cast<id_t>(child)) >= 5);
  REQUIRE(kill(child, SIGSTOP) == 0);
  FaultSample other = sample;
  other.time = sample.time + 1s;
  for (int i = 0; i < 100; ++i) {
    reader->notice(other);
    CHECK_FALSE(reader->ready(sample));
    CHECK_FALSE(reader->ready(other));
  }
  kill(child, SIGCONT);
  while (!reader->ready(sample)) continue;
  CHECK(reader->read(sample).size() > 5);
  CHECK(reader->trouble().empty());
}

TEST_CASE("Without names and lines, module and offset are given; debug information beside the file restores both") {
  const Library stripped("deep_stripped.so");
  const CallStack stack = ownStack(stripped, "deepTouch");
  REQUIRE(stack.size() > 2);
  CHECK(stack[0].function.empty());
  CHECK(stack[0].module == FAULTLINE_BIN "/deep_stripped.so");
  Dl_info place{};
  REQUIRE(dladdr(reinterpret_cast<void*>(CaughtFault::current().registers[CaughtFault::current().registerCount - 1]),
                 &place) != 0);
  CHECK(stack[0].offset == CaughtFault::current().registers[CaughtFault::current().registerCount - 1] -
                               reinterpret_cast<std::uint64_t>(place.dli_fbase));
  CHECK(stack[1].function == "deepTouch");  // exported by the library
  CHECK(stack[1].line == 0);
  CHECK(reachesOurMain(stack));

  const CallStack split = ownStack(Library("deep_split.so"), "deepTouch");
  REQUIRE(split.size() > 5);
  checkFrame(split[0], "deep::touch", "touch", true);
  checkFrame(split[2], "deep::World::build<char>", "build", false);
}

TEST_CASE("Without tables for unwinding, frame pointers are used") {
  const CallStack stack = ownStack(Library("deep_bare.so"), "deepTouch");
  REQUIRE(stack.size() > 3);
  CHECK(stack[0].function.empty());
  CHECK(stack[1].function == "deepTouch");
  CHECK(reachesOurMain(stack));
}

#ifdef __x86_64__
TEST_CASE("Generated code has the name that its program wrote for perf, also if that comes later") {
  // push %rbp; mov %rsp,%rbp; movb $1,(%rdi); pop %rbp; ret
  constexpr unsigned char kCode[] = {0x55, 0x48, 0x89, 0xe5, 0xc6, 0x07, 0x01, 0x5d, 0xc3};
  void* const code = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(code, kCode, sizeof kCode);
  REQUIRE(mprotect(code, 4096, PROT_READ | PROT_EXEC) == 0);
  const FaultSample sample = catchFault(reinterpret_cast<Touch>(code));
  const auto reader = readerOf(getpid());
  reader->notice(sample);
  CHECK(reader->read(sample).front().function == "[jit]");

  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  std::ofstream(path) << std::hex << reinterpret_cast<std::uint64_t>(code) << " 9 LazyCompile:*update world.js:12\n";
  const CallStack stack = reader->read(sample);
  std::filesystem::remove(path);
  munmap(code, 4096);
  CHECK(stack.front().function == "LazyCompile:*update world.js:12");
  CHECK_FALSE(stack.front().system);
  CHECK(reachesOurMain(stack));
}
#endif

TEST_CASE("A truncated stack is marked as truncated, and its part is given") {
  const Library library("deep.so");
  FaultSample sample = catchFault(library.function("deepTouch"));
  sample.stack.resize(128);
  const auto reader = readerOf(getpid());
  const CallStack cut = reader->read(sample);
  REQUIRE(cut.size() > 4);
  CHECK(cut[3].function == "deepTouch");
  CHECK(cut.back().function == kTruncatedStack);
  CHECK(cut.back().system);
  CHECK_FALSE(reachesOurMain(cut));

  sample.stack.clear();
  CHECK(reader->read(sample).front().function == "deep::touch");
  sample.registers.clear();
  CHECK(reader->read(sample).empty());
}

TEST_CASE("Stacks of an ended process are read, also in code that was loaded late") {
  int channel[2];
  REQUIRE(pipe(channel) == 0);
  const pid_t child = fork();
  if (child == 0) {
    void* const library = dlopen(FAULTLINE_BIN "/deep.so", RTLD_NOW);
    const FaultSample sample = catchFault(reinterpret_cast<Touch>(dlsym(library, "deepTouch")));
    const std::size_t sizes[2] = {sample.registers.size(), sample.stack.size()};
    const bool sent = write(channel[1], sizes, sizeof sizes) > 0 &&
                      write(channel[1], sample.registers.data(), sizes[0] * 8) > 0 &&
                      write(channel[1], sample.stack.data(), sizes[1]) > 0;
    pause();
    _exit(sent ? 0 : 1);
  }
  close(channel[1]);
  const auto reader = readerOf(child);
  FaultSample sample;
  std::size_t sizes[2] = {0, 0};
  const auto take = [&](void* to, std::size_t bytes) {
    for (std::size_t got = 0; got < bytes;) {
      const ssize_t more = read(channel[0], static_cast<char*>(to) + got, bytes - got);
      REQUIRE(more > 0);
      got += static_cast<std::size_t>(more);
    }
  };
  take(sizes, sizeof sizes);
  sample.registers.resize(sizes[0]);
  sample.stack.resize(sizes[1]);
  take(sample.registers.data(), sizes[0] * 8);
  take(sample.stack.data(), sizes[1]);
  close(channel[0]);
  reader->notice(sample);
  FaultSample elsewhere = sample;
  elsewhere.registers.back() = 0;
  static_cast<void>(reader->read(elsewhere));  // comes after the notice, of which there is no answer
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);

  const CallStack stack = reader->read(sample);
  REQUIRE(stack.size() > 3);
  checkFrame(stack[0], "deep::touch", "touch", true);
  checkFrame(stack[3], "deepTouch", "deepTouch", false);
  CHECK(reachesOurMain(stack));
}

TEST_CASE("Code that a program generates at run time is named as such") {
  FaultSample sample = catchFault(Library("deep.so").function("deepTouch"));
  void* const made = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sample.registers.back() = reinterpret_cast<std::uint64_t>(made) + 16;
  const auto reader = readerOf(getpid());
  munmap(made, 4096);
  const CallStack stack = reader->read(sample);
  REQUIRE_FALSE(stack.empty());
  CHECK(stack.front().function == "[jit]");
  CHECK_FALSE(stack.front().system);
}

TEST_CASE("Code that was replaced by other code has the new names") {
  constexpr std::size_t kBytes = 4096;
  void* const place = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto load = [&](const char* name) {
    const UniqueFd file(open((std::string(FAULTLINE_BIN "/") + name).c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(mmap(place, kBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file.get(), 0x1000) == place);
  };
  FaultSample sample = catchFault(Library("deep.so").function("deepTouch"));
  sample.registers.back() = reinterpret_cast<std::uint64_t>(place);
  load("deep_stripped.so");
  const auto reader = readerOf(getpid());
  reader->notice(sample);
  CHECK(reader->read(sample).front().module == FAULTLINE_BIN "/deep_stripped.so");
  load("deep_split.so");
  sample.time = {1h};
  reader->notice(sample);
  CHECK(reader->read(sample).front().module == FAULTLINE_BIN "/deep_split.so");
  munmap(place, kBytes);
}

TEST_CASE("Debug information that is rewritten while its game is watched gives an error, and no crash") {
  const std::filesystem::path folder = makeScratchFolder();
  const std::filesystem::path debug = folder / "deep_split.so.debug";
  std::filesystem::copy_file(FAULTLINE_BIN "/deep_split.so", folder / "deep_split.so");
  std::filesystem::copy_file(FAULTLINE_BIN "/deep_split.so.debug", debug);
  const Library library(folder / "deep_split.so");
  const FaultSample first = catchFault(library.function("deepTouch"));
  const FaultSample second = catchFault(library.function("deepClear"));
  const auto reader = readerOf(getpid());
  reader->notice(first);
  REQUIRE(reader->read(first).size() > 5);
  CHECK(reader->trouble().empty());

  std::filesystem::resize_file(debug, 0);
  CHECK(reader->read(second).empty());
  CHECK(reader->trouble().find("was ended by signal 7") != std::string::npos);
  const CallStack later = reader->read(second);  // by another reader, which finds no debug information
  REQUIRE(later.size() > 1);
  CHECK(std::ranges::find(later, "deepClear", &StackFrame::function) != later.end());
  std::filesystem::remove_all(folder);
}

TEST_CASE("A missing process has no call stacks") {
  const auto reader = openStackReader(4'000'000);
  REQUIRE_FALSE(reader);
  CHECK(reader.error().message == "There is no process 4000000.");
}

}  // namespace faultline::test

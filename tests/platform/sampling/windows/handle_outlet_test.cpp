#include "platform/sampling/windows/handle_outlet.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <thread>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

struct Pipe {
  UniqueHandle reader;
  UniqueHandle writer;

  Pipe() {
    std::array<HANDLE, 2> ends{};
    REQUIRE(::CreatePipe(&ends[0], &ends[1], nullptr, 0) != 0);
    reader = UniqueHandle(ends[0]);
    writer = UniqueHandle(ends[1]);
  }
  std::vector<std::byte> readSome(std::size_t most) const {
    std::vector<std::byte> bytes(most);
    DWORD count = 0;
    ::ReadFile(reader.get(), bytes.data(), static_cast<DWORD>(most), &count, nullptr);
    bytes.resize(count);
    return bytes;
  }
};

std::vector<std::byte> frame(char letter, std::size_t size) {
  return std::vector<std::byte>(size, static_cast<std::byte>(letter));
}

MonotonicTime in(Nanoseconds duration) {
  return systemClock().now() + duration;
}

}  // namespace

TEST_CASE("a slow reader gets whole packets, some dropped, none mixed") {
  const Pipe pipe;
  HandleOutlet outlet(pipe.writer.get(), nullptr, systemClock(), false);
  REQUIRE(outlet.send(frame('a', 50'000)) == Sent::Accepted);  // larger than the pipe: the rest is kept
  REQUIRE(outlet.send(frame('b', 10)) == Sent::Dropped);
  REQUIRE(outlet.waitForRoom(in(1ms)) == Wake::Deadline);
  std::size_t read = 0;
  while (read < 50'000) {
    const auto bytes = pipe.readSome(3000);
    REQUIRE(bytes == frame('a', bytes.size()));
    read += bytes.size();
    REQUIRE(outlet.waitUntil(in(0s)) == Wake::Deadline);
  }
  REQUIRE(outlet.waitForRoom(in(24h)) == Wake::Room);
  REQUIRE(outlet.send(frame('c', 10)) == Sent::Accepted);
  CHECK(pipe.readSome(100) == frame('c', 10));
}

TEST_CASE("a patient outlet drops nothing") {
  Pipe pipe;
  std::size_t total = 0;
  std::thread reader([&] {
    for (auto bytes = pipe.readSome(3000); !bytes.empty(); bytes = pipe.readSome(3000)) total += bytes.size();
  });
  {
    HandleOutlet outlet(pipe.writer.get(), nullptr, systemClock(), true);
    for (int i = 0; i < 9; ++i) CHECK(outlet.send(frame('p', 10'000)) == Sent::Accepted);
    CHECK(outlet.send(frame('e', 10'000)) == Sent::Accepted);
    CHECK(outlet.send({}) == Sent::Accepted);  // waits for the last one
  }
  pipe.writer.reset();
  reader.join();
  CHECK(total == 100'000);
}

TEST_CASE("a closed reader ends the wait at once") {
  Pipe pipe;
  HandleOutlet outlet(pipe.writer.get(), nullptr, systemClock(), false);
  pipe.reader.reset();
  CHECK(outlet.waitUntil(in(24h)) == Wake::ReaderGone);
  CHECK(outlet.send(frame('x', 10)) == Sent::ReaderGone);
}

TEST_CASE("the end of the parent ends the wait if the reader has gone, and only then") {
  Pipe pipe;
  const UniqueHandle parent(::CreateEventW(nullptr, TRUE, FALSE, nullptr));  // waited for as a process is
  const auto copy = [&] {
    HANDLE same = nullptr;
    const HANDLE ourselves = ::GetCurrentProcess();
    REQUIRE(::DuplicateHandle(ourselves, parent.get(), ourselves, &same, 0, FALSE, DUPLICATE_SAME_ACCESS) != 0);
    return UniqueHandle(same);
  };
  ::SetEvent(parent.get());
  HandleOutlet read(pipe.writer.get(), nullptr, systemClock(), false, copy());
  CHECK(read.waitUntil(in(1ms)) == Wake::Deadline);
  pipe.reader.reset();
  HandleOutlet alone(pipe.writer.get(), nullptr, systemClock(), false, copy());
  CHECK(alone.waitUntil(in(24h)) == Wake::ReaderGone);
}

TEST_CASE("a stop request ends the wait at once, also while a packet is partly written") {
  const Pipe pipe;
  const UniqueHandle stop(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
  HandleOutlet outlet(pipe.writer.get(), stop.get(), systemClock(), true);
  REQUIRE(outlet.send(frame('x', 100'000)) == Sent::Accepted);
  ::SetEvent(stop.get());
  CHECK(outlet.send(frame('y', 10)) == Sent::Dropped);
  CHECK(outlet.waitUntil(in(24h)) == Wake::Stop);
}

TEST_CASE("a wait lasts until its deadline") {
  const Pipe pipe;
  HandleOutlet outlet(pipe.writer.get(), nullptr, systemClock(), false);
  const MonotonicTime deadline = in(120ms);  // more than one look at the reader
  CHECK(outlet.waitUntil(deadline) == Wake::Deadline);
  CHECK(systemClock().now() >= deadline);
}

TEST_CASE("a stuck reader does not delay finish() for ever") {
  const Pipe pipe;
  HandleOutlet outlet(pipe.writer.get(), nullptr, systemClock(), false);
  REQUIRE(outlet.send(frame('x', 100'000)) == Sent::Accepted);
  CHECK(outlet.finish(frame('e', 10)) == Sent::Dropped);
}

TEST_CASE("the error for a failed write is a sentence") {
  const Pipe pipe;
  HandleOutlet outlet(pipe.reader.get(), nullptr, systemClock(), false);
  const auto sent = outlet.send(frame('x', 10));
  REQUIRE_FALSE(sent);
  CHECK(sent.error().message.starts_with("Cannot write the stream: "));
  CHECK(sent.error().message.ends_with("."));
}

TEST_CASE("the destructor restores the pipe's mode") {
  const Pipe pipe;
  const auto waits = [&] {
    DWORD state = 0;
    REQUIRE(::GetNamedPipeHandleStateW(pipe.writer.get(), &state, nullptr, nullptr, nullptr, nullptr, 0) != 0);
    return (state & PIPE_NOWAIT) == 0;
  };
  REQUIRE(waits());
  {
    HandleOutlet outlet(pipe.writer.get(), nullptr, systemClock(), false);
    CHECK_FALSE(waits());
  }
  CHECK(waits());
}

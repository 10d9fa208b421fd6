#include "platform/sampling/posix/outlet.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

struct FullPipe {
  std::array<int, 2> ends{-1, -1};

  FullPipe() { REQUIRE(pipe(ends.data()) == 0); }
  ~FullPipe() {
    closeReader();
    close(ends[1]);
  }
  FullPipe(const FullPipe&) = delete;
  FullPipe& operator=(const FullPipe&) = delete;
  void closeReader() {
    if (ends[0] >= 0) close(ends[0]);
    ends[0] = -1;
  }
  std::vector<std::byte> readSome(std::size_t most) const {
    std::vector<std::byte> bytes(most);
    const ssize_t count = read(ends[0], bytes.data(), bytes.size());
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
};

std::vector<std::byte> frame(char letter, std::size_t size) {
  return std::vector<std::byte>(size, static_cast<std::byte>(letter));
}

MonotonicTime in(Nanoseconds duration) {
  return systemClock().now() + duration;
}

struct IgnoredSigpipe {
  IgnoredSigpipe() { std::signal(SIGPIPE, SIG_IGN); }
};

}  // namespace

TEST_CASE("a slow reader gets whole packets, some dropped, none mixed") {
  FullPipe pipe;
  FdOutlet outlet(pipe.ends[1], -1, systemClock(), false);
  REQUIRE(outlet.send(frame('a', 1'000'000)) == Sent::Accepted);  // larger than the pipe: the rest is kept
  REQUIRE(outlet.send(frame('b', 10)) == Sent::Dropped);
  REQUIRE(outlet.waitForRoom(in(1ms)) == Wake::Deadline);
  std::size_t read = 0;
  while (read < 1'000'000) {
    const auto bytes = pipe.readSome(30'000);
    REQUIRE(bytes == frame('a', bytes.size()));
    read += bytes.size();
    REQUIRE(outlet.waitUntil(in(0s)) == Wake::Deadline);
  }
  REQUIRE(outlet.waitForRoom(in(24h)) == Wake::Room);
  REQUIRE(outlet.send(frame('c', 10)) == Sent::Accepted);
  CHECK(pipe.readSome(100) == frame('c', 10));
}

TEST_CASE("an errand is run while the outlet waits, each time its file is readable, and does not end the wait") {
  FullPipe pipe;
  FullPipe called;
  FdOutlet outlet(pipe.ends[1], -1, systemClock(), false);
  int runs = 0;
  outlet.serve({.file = called.ends[0], .run = [&] { runs += static_cast<int>(called.readSome(1).size()); }});
  REQUIRE(write(called.ends[1], "ab", 2) == 2);
  CHECK(outlet.waitUntil(in(20ms)) == Wake::Deadline);
  CHECK(runs == 2);
  CHECK(outlet.waitUntil(in(0s)) == Wake::Deadline);
  CHECK(runs == 2);
}

TEST_CASE("a patient outlet drops nothing") {
  FullPipe pipe;
  const pid_t reader = fork();
  if (reader == 0) {
    std::array<char, 1000> buffer{};
    std::size_t total = 0;
    close(pipe.ends[1]);
    for (;;) {
      const ssize_t count = read(pipe.ends[0], buffer.data(), buffer.size());
      if (count <= 0) _exit(total == 4'000'000 ? 0 : 1);
      total += static_cast<std::size_t>(count);
    }
  }
  pipe.closeReader();
  {
    FdOutlet outlet(pipe.ends[1], -1, systemClock(), true);
    for (int i = 0; i < 39; ++i) REQUIRE(outlet.send(frame('p', 100'000)) == Sent::Accepted);
    REQUIRE(outlet.finish(frame('e', 100'000)) == Sent::Accepted);
  }
  close(pipe.ends[1]);
  pipe.ends[1] = -1;
  int status = 0;
  waitpid(reader, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("a closed reader ends the wait at once") {
  const IgnoredSigpipe ignored;
  FullPipe pipe;
  FdOutlet outlet(pipe.ends[1], -1, systemClock(), false);
  pipe.closeReader();
  CHECK(outlet.waitUntil(in(24h)) == Wake::ReaderGone);
  CHECK(outlet.send(frame('x', 10)) == Sent::ReaderGone);
}

TEST_CASE("a stop request ends the wait at once, also while a packet is partly written") {
  FullPipe pipe;
  FullPipe stop;
  FdOutlet outlet(pipe.ends[1], stop.ends[0], systemClock(), true);
  REQUIRE(outlet.send(frame('x', 1'000'000)) == Sent::Accepted);
  REQUIRE(write(stop.ends[1], "s", 1) == 1);
  CHECK(outlet.send(frame('y', 10)) == Sent::Dropped);
  CHECK(outlet.waitUntil(in(24h)) == Wake::Stop);
}

TEST_CASE("a reader that asks for a sample ends one wait, however often it has asked") {
  FullPipe pipe;
  FullPipe asked;
  REQUIRE(fcntl(asked.ends[0], F_SETFL, O_NONBLOCK) == 0);
  FdOutlet outlet(pipe.ends[1], -1, systemClock(), false, asked.ends[0]);
  REQUIRE(write(asked.ends[1], "aaa", 3) == 3);
  CHECK(outlet.waitUntil(in(24h)) == Wake::Asked);
  CHECK(outlet.waitUntil(in(1ms)) == Wake::Deadline);
}

TEST_CASE("a wait lasts until its deadline") {
  FullPipe pipe;
  FdOutlet outlet(pipe.ends[1], -1, systemClock(), false);
  const MonotonicTime deadline = in(20ms);
  CHECK(outlet.waitUntil(deadline) == Wake::Deadline);
  CHECK(systemClock().now() >= deadline);
}

TEST_CASE("a patient outlet writes the last packet completely, however late its reader begins") {
  FullPipe pipe;
  std::size_t total = 0;
  std::thread reader([&, end = pipe.ends[0]] {
    std::this_thread::sleep_for(1500ms);  // longer than any other is waited for
    std::array<char, 100'000> buffer{};
    for (ssize_t count = 0; total < 1'000'010 && (count = read(end, buffer.data(), buffer.size())) > 0;)
      total += static_cast<std::size_t>(count);
  });
  FdOutlet outlet(pipe.ends[1], -1, systemClock(), true);
  CHECK(outlet.send(frame('x', 1'000'000)) == Sent::Accepted);
  CHECK(outlet.finish(frame('e', 10)) == Sent::Accepted);
  close(std::exchange(pipe.ends[1], -1));
  reader.join();
  CHECK(total == 1'000'010);
}

TEST_CASE("a stuck reader does not delay finish() for ever") {
  FullPipe pipe;
  FdOutlet outlet(pipe.ends[1], -1, systemClock(), false);
  REQUIRE(outlet.send(frame('x', 1'000'000)) == Sent::Accepted);
  CHECK(outlet.finish(frame('e', 10)) == Sent::Dropped);
}

TEST_CASE("the error for a full disk is a sentence") {
  const int full = open("/dev/full", O_WRONLY);
  REQUIRE(full >= 0);
  FdOutlet outlet(full, -1, systemClock(), false);
  const auto sent = outlet.send(frame('x', 10));
  REQUIRE_FALSE(sent);
  CHECK(sent.error().message == "Cannot write the stream: No space left on device.");
  close(full);
}

TEST_CASE("the destructor restores the pipe's mode") {
  FullPipe pipe;
  const int flags = fcntl(pipe.ends[1], F_GETFL);
  {
    FdOutlet outlet(pipe.ends[1], -1, systemClock(), false);
    CHECK(fcntl(pipe.ends[1], F_GETFL) != flags);
  }
  CHECK(fcntl(pipe.ends[1], F_GETFL) == flags);
}

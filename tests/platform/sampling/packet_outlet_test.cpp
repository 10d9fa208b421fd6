#include "platform/sampling/packet_outlet.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/fake_clock.h"

using namespace faultline;
using namespace std::chrono_literals;
using faultline::test::FakeClock;

namespace {

// A pipe whose reader takes `reads` bytes in each millisecond that the outlet waits for room.
class FakePipe final : public PacketOutlet {
 public:
  FakePipe(FakeClock& clock, bool patient) : PacketOutlet(clock, patient), m_clock(clock) {}

  std::size_t room = 4;
  std::size_t reads = 0;
  bool stop = false;
  bool readerGone = false;
  std::string written;

 private:
  std::optional<Wake> await(Nanoseconds timeout, bool waitsForRoom, Heed heed) override {
    if (stop && heed != Heed::Nothing) return Wake::Stop;
    if (readerGone) return Wake::ReaderGone;
    const bool getsRoom = waitsForRoom && reads > 0 && timeout >= 1ms;
    if (getsRoom) room += reads;
    m_clock.tick(getsRoom ? 1ms : timeout);
    return std::nullopt;
  }
  Result<Sent> write(std::span<const std::byte>& rest) override {
    for (; room > 0 && !rest.empty(); --room, rest = rest.subspan(1)) written += static_cast<char>(rest.front());
    return Sent::Accepted;
  }

  FakeClock& m_clock;
};

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

TEST_CASE("the rest of a packet is written before other packets, which are dropped meanwhile") {
  FakeClock clock;
  FakePipe pipe(clock, false);
  CHECK(pipe.send(bytesOf("abcdef")) == Sent::Accepted);
  CHECK(pipe.send(bytesOf("ghi")) == Sent::Dropped);
  CHECK(pipe.waitForRoom(clock.now() + 1s) == Wake::Deadline);
  CHECK(pipe.written == "abcd");
  pipe.room = 3;
  CHECK(pipe.send(bytesOf("jkl")) == Sent::Accepted);
  CHECK(pipe.written == "abcdefj");
  pipe.reads = 1;
  const MonotonicTime start = clock.now();
  CHECK(pipe.waitForRoom(start + 1s) == Wake::Room);
  CHECK(clock.now() == start + 2ms);
  CHECK(pipe.waitForRoom(start + 1s) == Wake::Room);  // at once
  CHECK(pipe.waitUntil(start + 1s) == Wake::Deadline);
  CHECK(clock.now() == start + 1s);
  CHECK(pipe.written == "abcdefjkl");
}

TEST_CASE("a patient outlet waits for room until its program is asked to end") {
  FakeClock clock;
  FakePipe pipe(clock, true);
  CHECK(pipe.send(bytesOf("abcdef")) == Sent::Accepted);
  pipe.reads = 1;
  CHECK(pipe.send(bytesOf("ghi")) == Sent::Accepted);
  CHECK(pipe.written == "abcdef");
  pipe.stop = true;
  CHECK(pipe.send(bytesOf("jkl")) == Sent::Dropped);
  CHECK(pipe.waitUntil(clock.now() + 1s) == Wake::Stop);
}

TEST_CASE("finish() waits a second for a slow reader, also after its program was asked to end") {
  for (const bool patient : {false, true}) {
    FakeClock clock;
    FakePipe pipe(clock, patient);
    pipe.stop = true;
    CHECK(pipe.send(bytesOf("abcdef")) == Sent::Accepted);
    const MonotonicTime start = clock.now();
    CHECK(pipe.finish(bytesOf("end")) == Sent::Dropped);
    CHECK(clock.now() == start + 1s);
    pipe.reads = 1;
    CHECK(pipe.finish(bytesOf("end")) == Sent::Accepted);
    CHECK(pipe.written == "abcdefend");
  }
}

TEST_CASE("each call tells that the reader has closed a full pipe") {
  FakeClock clock;
  FakePipe pipe(clock, true);
  CHECK(pipe.send(bytesOf("abcdef")) == Sent::Accepted);
  pipe.readerGone = true;
  CHECK(pipe.send(bytesOf("ghi")) == Sent::ReaderGone);
  CHECK(pipe.waitForRoom(clock.now() + 1s) == Wake::ReaderGone);
  CHECK(pipe.finish(bytesOf("end")) == Sent::ReaderGone);
}

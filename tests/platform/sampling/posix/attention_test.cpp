#include "platform/sampling/posix/attention.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

using namespace faultline;

namespace {

struct Pipe {
  Pipe() { REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void tell(std::string_view wishes) {
    REQUIRE(write(ends[1], wishes.data(), wishes.size()) == static_cast<ssize_t>(wishes.size()));
  }
  void end() {
    close(ends[1]);
    ends[1] = -1;
  }

  std::array<int, 2> ends{};
};

}  // namespace

TEST_CASE("Attention is active until '-' is read, and the last sign counts") {
  Pipe pipe;
  AttentionReader attention(pipe.ends[0]);
  CHECK(attention.read().active);  // and does not wait, though the pipe is empty
  pipe.tell("-");
  CHECK_FALSE(attention.read().active);
  CHECK_FALSE(attention.read().active);
  pipe.tell("+-+");
  CHECK(attention.read().active);
  pipe.tell("hello\n");
  CHECK(attention.read().active);
}

TEST_CASE("A game is watched from '>' to '<' or the end of the input, whether the numbers are on show or not") {
  Pipe pipe;
  AttentionReader attention(pipe.ends[0]);
  CHECK_FALSE(attention.read().watching);
  pipe.tell("->");
  CHECK(attention.read() == Attention{.active = false, .watching = true});
  pipe.tell("<>x+");
  CHECK(attention.read() == Attention{.active = true, .watching = true});
  pipe.tell("<");
  CHECK_FALSE(attention.read().watching);
  pipe.tell(">");
  pipe.end();
  CHECK(attention.read().watching);
  CHECK(attention.read() == Attention{});
}

TEST_CASE("After the end of the input attention stays active") {
  Pipe pipe;
  AttentionReader attention(pipe.ends[0]);
  pipe.tell("-");
  pipe.end();
  CHECK_FALSE(attention.read().active);
  CHECK(attention.read().active);
  CHECK(attention.read().active);
}

TEST_CASE("An input that does not exist has ended") {
  AttentionReader attention(987654);
  CHECK(attention.read().active);
}

#include "platform/host/posix/waits/descriptors.h"

#include <sys/socket.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "platform/system/posix/unique_fd.h"

using namespace faultline;

// The process that keeps a run ends without reading an order that comes with the end of its program.
TEST_CASE("The last words of a process are received, though it ends with words unread") {
  std::array<int, 2> ends{};
  REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  REQUIRE(send(ours.get(), "order", 5, MSG_NOSIGNAL) == 5);
  REQUIRE(send(theirs.get(), "report", 6, MSG_NOSIGNAL) == 6);
  theirs.reset();
  std::array<char, 16> words{};
  REQUIRE(receiveAtOnce(ours.get(), words.data(), words.size()) == 6);
  CHECK(std::string_view(words.data(), 6) == "report");
  CHECK(receiveAtOnce(ours.get(), words.data(), words.size()) == 0);
}

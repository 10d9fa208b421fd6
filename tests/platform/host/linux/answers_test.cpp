#include "platform/host/answers.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "platform/system/posix/unique_fd.h"
#include "tests/support/scratch_folder.h"

namespace faultline {
namespace {

// A folder of this user's own for the sockets.
struct OwnSession {
  OwnSession() { ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1); }
  ~OwnSession() {
    before ? ::setenv("XDG_RUNTIME_DIR", before->c_str(), 1) : ::unsetenv("XDG_RUNTIME_DIR");
    std::filesystem::remove_all(folder);
  }
  OwnSession(const OwnSession&) = delete;
  OwnSession& operator=(const OwnSession&) = delete;

  std::filesystem::path folder = test::makeScratchFolder();
  std::optional<std::string> before = [] {
    const char* const value = std::getenv("XDG_RUNTIME_DIR");
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }();
};

Result<std::string> twice(std::string_view question) {
  if (question.empty()) return fail("Nothing is asked.");
  return std::string(question) + std::string(question);
}

}  // namespace

TEST_CASE("A question is answered by a program of the same user, or refused with its sentence") {
  const OwnSession session;
  CHECK(askRunning("ab").error().message.find("No Faultline") == 0);
  {
    const auto server = AnswerServer::start("serve", twice);
    REQUIRE(server);
    CHECK(askRunning("ab").value() == "abab");
    CHECK(askRunning("").error().message == "Nothing is asked.");
    CHECK(askRunning(std::string(300, 'x')).error().message.find("No Faultline") == 0);  // too long a question
    CHECK_FALSE(AnswerServer::start("serve", twice));
    const auto tray = AnswerServer::start("tray", [](auto) { return Result<std::string>("tray"); });
    REQUIRE(tray);
    CHECK(askRunning("ab").value() == "tray");
  }
  CHECK(std::filesystem::is_empty(session.folder));
}

TEST_CASE("A long answer comes whole to whoever allows its length and time") {
  const OwnSession session;
  const std::string text(std::size_t{20} << 20U, 'a');
  const auto slow = AnswerServer::start("tray", [&](auto) {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return Result<std::string>(text);
  });
  REQUIRE(slow);
  CHECK(askRunning("all", {.within = std::chrono::minutes(1), .bytes = text.size() + 1}).value() == text);
  CHECK_FALSE(askRunning("all", {.within = std::chrono::minutes(1), .bytes = 1000}));
  CHECK_FALSE(askRunning("all", {.within = std::chrono::milliseconds(50), .bytes = text.size() + 1}));
}

TEST_CASE("A client that says nothing keeps no other one out for long, and a killed program's socket is replaced") {
  const OwnSession session;
  const std::string path = session.folder / "faultline-serve.answers";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  {
    const UniqueFd left(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));  // closed, as by the kernel after a kill
    REQUIRE(::bind(left.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  }
  const auto server = AnswerServer::start("serve", twice);
  REQUIRE(server);
  const UniqueFd silent(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(::connect(silent.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(askRunning("ab").value() == "abab");
}

TEST_CASE("No socket is made in a folder that others may enter") {
  const OwnSession session;
  ::chmod(session.folder.c_str(), 0755);
  const auto server = AnswerServer::start("serve", twice);
  CHECK(std::filesystem::is_empty(session.folder));
}

}  // namespace faultline

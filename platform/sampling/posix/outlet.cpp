#include "platform/sampling/posix/outlet.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace faultline {
namespace {

constexpr int kPipeBytes = 512 << 10;  // each time that a pipe is full, reader and writer wait for each other

// Returns the flags to restore; -1 for files and devices, where writing never waits for a reader.
int makeNonBlocking(int file) {
  struct stat status{};
  if (fstat(file, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) return -1;
  if (S_ISFIFO(status.st_mode)) static_cast<void>(fcntl(file, F_SETPIPE_SZ, kPipeBytes));
  const int flags = fcntl(file, F_GETFL);
  if (flags < 0 || fcntl(file, F_SETFL, flags | O_NONBLOCK) != 0) return -1;
  return flags;
}

timespec toTimespec(Nanoseconds duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  return {.tv_sec = seconds.count(), .tv_nsec = (duration - seconds).count()};
}

// Whether there was something to read.
bool readAll(int file) {
  std::array<char, 512> bytes{};
  bool any = false;
  while (::read(file, bytes.data(), bytes.size()) > 0) any = true;
  return any;
}

}  // namespace

FdOutlet::FdOutlet(int output, int stop, const Clock& clock, bool patient, int asked)
    : PacketOutlet(clock, patient),
      m_output(output),
      m_stop(stop),
      m_asked(asked),
      m_oldFlags(makeNonBlocking(output)) {}

FdOutlet::~FdOutlet() {
  if (m_oldFlags >= 0) fcntl(m_output, F_SETFL, m_oldFlags);  // the parent may share the pipe
}

std::optional<Wake> FdOutlet::await(Nanoseconds timeout, bool room, Heed heed) {
  const int stop = heed == Heed::Nothing ? -1 : m_stop;
  const bool all = heed == Heed::StopAndErrands;
  std::array<pollfd, 4> files{{{.fd = m_output, .events = static_cast<short>(room ? POLLOUT : 0), .revents = 0},
                               {.fd = stop, .events = POLLIN, .revents = 0},
                               {.fd = all ? m_errand.file : -1, .events = POLLIN, .revents = 0},
                               {.fd = all ? m_asked : -1, .events = POLLIN, .revents = 0}}};
  const timespec time = toTimespec(timeout);
  if (ppoll(files.data(), files.size(), &time, nullptr) <= 0) return std::nullopt;
  if ((files[2].revents & POLLIN) != 0) m_errand.run();
  if (files[1].revents != 0) return Wake::Stop;
  if ((files[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return Wake::ReaderGone;
  if (files[3].revents != 0 && readAll(m_asked)) return Wake::Asked;
  return std::nullopt;
}

Result<Sent> FdOutlet::write(std::span<const std::byte>& rest) {
  while (!rest.empty()) {
    const ssize_t count = ::write(m_output, rest.data(), rest.size());
    if (count >= 0) rest = rest.subspan(static_cast<std::size_t>(count));
    else if (errno == EAGAIN) break;
    else if (errno == EPIPE || errno == ECONNRESET) return Sent::ReaderGone;
    else if (errno != EINTR) return fail(std::string("Cannot write the stream: ") + std::strerror(errno) + ".");
  }
  return Sent::Accepted;
}

}  // namespace faultline

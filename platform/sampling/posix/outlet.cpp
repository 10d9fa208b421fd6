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

using namespace std::chrono_literals;

constexpr Nanoseconds kLastPatience = 1s;
constexpr Nanoseconds kEver = 24h;
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

}  // namespace

FdOutlet::FdOutlet(int output, int stop, const Clock& clock, bool patient)
    : m_output(output), m_stop(stop), m_clock(clock), m_patient(patient), m_oldFlags(makeNonBlocking(output)) {}

FdOutlet::~FdOutlet() {
  if (m_oldFlags >= 0) fcntl(m_output, F_SETFL, m_oldFlags);  // the parent may share the pipe
}

Result<Sent> FdOutlet::send(std::span<const std::byte> packet) {
  if (pending()) {
    auto flushed = flushPatiently();
    if (!flushed || *flushed == Sent::ReaderGone) return flushed;
    if (pending()) return Sent::Dropped;
  }
  m_rest.assign(packet.begin(), packet.end());
  m_written = 0;
  return flush();
}

Result<Wake> FdOutlet::wait(MonotonicTime deadline, bool forRoom) {
  for (;;) {
    const Nanoseconds left = forRoom && !pending() ? Nanoseconds(0) : deadline - m_clock.now();
    const Ready ready = await(std::max(left, Nanoseconds(0)), pending(), true, true);
    if (ready.errand) m_errand.run();
    if (ready.stop) return Wake::Stop;
    if (ready.readerGone) return Wake::ReaderGone;
    if (ready.room) {
      const auto flushed = flush();
      if (!flushed) return tl::unexpected(flushed.error());
      if (*flushed == Sent::ReaderGone) return Wake::ReaderGone;
    }
    if (m_clock.now() >= deadline) return Wake::Deadline;
    if (forRoom && !pending()) return Wake::Room;
  }
}

Result<Sent> FdOutlet::finish(std::span<const std::byte> packet) {
  auto flushed = flushLast();
  if (!flushed || *flushed == Sent::ReaderGone) return flushed;
  if (pending()) return Sent::Dropped;
  m_rest.assign(packet.begin(), packet.end());
  m_written = 0;
  return flushLast();
}

FdOutlet::Ready FdOutlet::await(Nanoseconds timeout, bool room, bool stop, bool errand) const {
  std::array<pollfd, 3> files{{{.fd = m_output, .events = static_cast<short>(room ? POLLOUT : 0), .revents = 0},
                               {.fd = stop ? m_stop : -1, .events = POLLIN, .revents = 0},
                               {.fd = errand ? m_errand.file : -1, .events = POLLIN, .revents = 0}}};
  const timespec time = toTimespec(timeout);
  if (ppoll(files.data(), files.size(), &time, nullptr) <= 0) return {};
  return {.room = (files[0].revents & POLLOUT) != 0,
          .errand = (files[2].revents & POLLIN) != 0,
          .stop = files[1].revents != 0,
          .readerGone = (files[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0};
}

Result<Sent> FdOutlet::flush() {
  while (pending()) {
    const ssize_t count = write(m_output, m_rest.data() + m_written, m_rest.size() - m_written);
    if (count >= 0) m_written += static_cast<std::size_t>(count);
    else if (errno == EAGAIN) break;
    else if (errno == EPIPE || errno == ECONNRESET) return Sent::ReaderGone;
    else if (errno != EINTR) return fail(std::string("Cannot write the stream: ") + std::strerror(errno) + ".");
  }
  return Sent::Accepted;
}

Result<Sent> FdOutlet::flushPatiently() {
  return m_patient ? flushUntil(m_clock.now() + kEver, true) : flush();
}

Result<Sent> FdOutlet::flushLast() {
  auto flushed = flushPatiently();
  if (!flushed || *flushed == Sent::ReaderGone || !pending()) return flushed;
  return flushUntil(m_clock.now() + kLastPatience, false);
}

Result<Sent> FdOutlet::flushUntil(MonotonicTime deadline, bool stop) {
  for (;;) {
    auto flushed = flush();
    const Nanoseconds left = deadline - m_clock.now();
    if (!flushed || *flushed == Sent::ReaderGone || !pending() || left <= Nanoseconds(0)) return flushed;
    const Ready ready = await(left, true, stop);
    if (ready.readerGone) return Sent::ReaderGone;
    if (ready.stop) return Sent::Accepted;  // `stop` stays readable for the next wait
  }
}

}  // namespace faultline

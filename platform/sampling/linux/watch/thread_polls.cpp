#include "platform/sampling/linux/watch/thread_polls.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <optional>

namespace faultline {
namespace {

constexpr std::size_t kMostThreads = 32;  // descriptors

// "RAN WAITED TIMESLICES", in ns. Zeros: the kernel does not count.
std::optional<ThreadReading> read(int file, MonotonicTime now) {
  std::array<char, 64> text{};
  const ssize_t count = pread(file, text.data(), text.size(), 0);
  if (count <= 0) return std::nullopt;
  const char* const end = text.data() + count;
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  const auto first = std::from_chars(text.data(), end, ran);
  if (first.ec != std::errc{} || first.ptr == end || ran <= 0) return std::nullopt;
  if (std::from_chars(first.ptr + 1, end, waited).ec != std::errc{} || waited < 0) return std::nullopt;
  return ThreadReading{.time = now, .ran = Nanoseconds(ran), .waited = Nanoseconds(waited)};
}

}  // namespace

// In another pid namespace than the game's its thread ids are others.
ThreadPolls::ThreadPolls(const WatchTarget& target) {
  if (target.status().innerPid != target.pid()) return;
  for (const std::uint32_t thread : target.folder().threads()) {
    UniqueFd file = target.folder().openOfThread(thread, "schedstat");
    if (file) m_threads[thread].schedstat = std::move(file);
    if (m_threads.size() == kMostThreads) return;
  }
}

void ThreadPolls::tell(std::span<GameFrame> frames, MonotonicTime now) {
  for (const GameFrame& frame : frames)
    if (const auto thread = m_threads.find(frame.thread); thread != m_threads.end()) thread->second.endsFrames = true;
  for (auto& [id, thread] : m_threads)
    if (thread.endsFrames)
      if (const auto reading = read(thread.schedstat.get(), now)) thread.times.add(*reading);
  for (GameFrame& frame : frames) {
    const auto thread = m_threads.find(frame.thread);
    if (thread == m_threads.end() || frame.threadTime() || !frame.get(FrameMetric::ThreadMinorFaults)) continue;
    frame.values.setThreadTime(thread->second.times.of(frame.start, frame.duration));
  }
}

}  // namespace faultline

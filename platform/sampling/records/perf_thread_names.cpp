#include "platform/sampling/records/perf_thread_names.h"

#include <algorithm>

namespace faultline {
namespace {

// The kernel's numbers, include/uapi/linux/perf_event.h.
constexpr std::uint32_t kExit = 4;
constexpr std::uint32_t kFork = 7;
constexpr std::size_t kNameBytes = 16;  // terminating zero included
constexpr std::size_t kMostThreads = 4096;

std::string takeName(std::span<const std::byte> body) {
  std::string name;
  for (const std::byte byte : body.first(std::min(body.size(), kNameBytes - 1))) {
    if (byte == std::byte{0}) break;
    name += static_cast<char>(byte);
  }
  return name;
}

}  // namespace

void PerfThreadNames::learn(const PerfRecord& record) {
  std::span<const std::byte> body = record.body;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  if (!takePerf(body, first) || !takePerf(body, second)) return;
  if (record.type == kPerfComm) set(second, takeName(body));  // process, thread, name
  if (record.type != kFork && record.type != kExit) return;
  std::uint32_t thread = 0;  // the record has: process, parent process, thread, parent thread
  std::uint32_t parent = 0;
  if (!takePerf(body, thread) || !takePerf(body, parent)) return;
  if (record.type == kFork) begin(thread, parent);
  else if (const auto ended = m_threads.find(thread); ended != m_threads.end()) ended->second.ended = true;
}

void PerfThreadNames::set(std::uint32_t thread, std::string name) {
  if (m_threads.size() >= kMostThreads) std::erase_if(m_threads, [](const auto& entry) { return entry.second.ended; });
  m_threads[thread] = {.name = std::move(name), .ended = false};
}

// Rings of several processors are read one after another: a later COMM record of this thread may have been read before.
void PerfThreadNames::begin(std::uint32_t thread, std::uint32_t parent) {
  const auto known = m_threads.find(thread);
  if (known == m_threads.end() || known->second.ended) set(thread, of(parent));
}

std::string PerfThreadNames::of(std::uint32_t thread) const {
  const auto known = m_threads.find(thread);
  return known == m_threads.end() ? std::string() : known->second.name;
}

}  // namespace faultline

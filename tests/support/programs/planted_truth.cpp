#include "tests/support/programs/planted_truth.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "core/base/median.h"

namespace {

constexpr std::size_t kRecent = 64;
constexpr std::int64_t kBudget = 16'700'000;
constexpr std::int64_t kSpare = kMs / 2;    // met its deadline for certain
constexpr std::int64_t kNothing = kMs / 5;  // of faults and teardown

const char* causeOf(const TrueFrame& frame, std::int64_t delay) {
  const Took& faults = frame.faults;
  const Took& teardown = frame.teardown;
  if (frame.asleep.cpu > kMs) return "either";
  const std::int64_t wall = faults.wall + teardown.wall;
  const std::int64_t cpu = faults.cpu + teardown.cpu;
  if (wall < kNothing || wall < delay / 10) return "other";
  if (delay <= 0 || wall < delay + kSpare || 4 * cpu < 3 * delay || 5 * cpu < 2 * wall) return "either";
  if (faults.wall > 4 * teardown.wall) return "faults";
  return teardown.wall > 4 * faults.wall ? "teardown" : "either";
}

}  // namespace

// The second number of the thread's schedstat (Linux, Documentation/scheduler/sched-stats.rst).
std::int64_t waitedForProcessor() {
  struct File {
    int number = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    ~File() { close(number); }
  };
  static thread_local const File file;
  std::array<char, 80> text{};
  if (pread(file.number, text.data(), text.size() - 1, 0) <= 0) return 0;
  char* second = nullptr;
  std::strtoll(text.data(), &second, 10);
  return std::strtoll(second, nullptr, 10);
}

// Of the faults that each frame has, what took longer than usual is a cause like further ones.
std::vector<TrueFrame> PlantedTruth::causes() const {
  std::vector<std::int64_t> wall, cpu, waiting;
  for (const TrueFrame& frame : m_frames) {
    wall.push_back(frame.usual.wall);
    cpu.push_back(frame.usual.cpu);
    waiting.push_back(frame.usual.waiting);
  }
  const Took usual{
      .wall = *faultline::median(wall), .cpu = *faultline::median(cpu), .waiting = *faultline::median(waiting)};
  std::vector<TrueFrame> frames = m_frames;
  for (TrueFrame& frame : frames)
    frame.faults += {.wall = std::max(frame.usual.wall - usual.wall, std::int64_t{0}),
                     .cpu = std::max(frame.usual.cpu - usual.cpu, std::int64_t{0}),
                     .waiting = std::max(frame.usual.waiting - usual.waiting, std::int64_t{0})};
  return frames;
}

std::int64_t PlantedTruth::usualBefore(std::size_t place) const {
  std::vector<std::int64_t> lasted;
  for (std::size_t i = place > kRecent ? place - kRecent : 0; i <= place; ++i)
    lasted.push_back(m_frames[i].end - m_frames[i].begin);
  return *faultline::median(std::move(lasted));
}

const char* PlantedTruth::late(std::int64_t lasted, std::int64_t usual) const {
  const bool display = m_period > 0;
  if (10 * usual > (display ? 12 * m_period : 9 * kBudget)) return "unclear";
  if (display ? 2 * lasted > 3 * m_period : 100 * lasted > 106 * kBudget) return "yes";
  const bool met = display ? 1000 * lasted < 1015 * m_period : lasted < kBudget && 10 * lasted < 18 * usual;
  return met ? "no" : "unclear";
}

void PlantedTruth::write(const std::string& file) const {
  if (m_frames.empty()) return;
  std::ofstream out(file);
  out << "frame,late,cause,lasted_ns,cpu_ns,late_ns,faults_ns,faults_cpu_ns,faults_waiting_ns,"
         "teardown_ns,teardown_cpu_ns\n";
  const std::vector<TrueFrame> frames = causes();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const TrueFrame& frame = frames[i];
    const std::int64_t lasted = frame.end - frame.begin;
    const std::int64_t usual = usualBefore(i);
    const std::int64_t within = lasted > kBudget ? std::max(kBudget, usual) : 2 * usual;
    const std::int64_t delay = frame.due > 0 ? frame.worked - frame.due : lasted - within;
    out << i + 1 << ',' << late(lasted, usual) << ',' << causeOf(frame, delay) << ',' << lasted << ',' << frame.cpu
        << ',' << delay << ',' << frame.faults.wall << ',' << frame.faults.cpu << ',' << frame.faults.waiting << ','
        << frame.teardown.wall << ',' << frame.teardown.cpu << '\n';
  }
}

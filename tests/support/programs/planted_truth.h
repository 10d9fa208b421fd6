// PlantedTruth: why the frames of a planted game were late, as the game measures it by itself. write() makes a row of
// each frame:
//   late   yes, no; unclear: near its deadline, or most of the frames before missed theirs
//   cause  of a late frame: faults, teardown: without these it had met its deadline; other: they took less than a tenth
//          of its delay; of the faults that each frame has, what took longer than usual counts; either: anything
//          between, three fifths of their time were waiting for a processor (beside one other process half of it is
//          usual), or the host took the processor before the frame could end
//   lasted_ns, cpu_ns: the frame's length, and its thread's processor time
//   late_ns, faults_ns, faults_cpu_ns, faults_waiting_ns, teardown_ns, teardown_cpu_ns: the delay, and the time of
//          these with and without waits, and in waits for a processor
// The deadline is the display's next slot; of a game that ends its frames when their work ends, 16.7 ms or, if the
// frame was faster, twice its usual time.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

inline constexpr std::int64_t kMs = 1'000'000;

inline std::int64_t now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000 * kMs + time.tv_nsec;
}

// How long the calling thread has waited for a processor since its start.
std::int64_t waitedForProcessor();

struct Took {
  std::int64_t wall = 0;
  std::int64_t cpu = 0;
  std::int64_t waiting = 0;  // for a processor

  void operator+=(const Took& more) {
    wall += more.wall;
    cpu += more.cpu;
    waiting += more.waiting;
  }
};

// What `work` took of the calling thread's time.
template <class Work>
Took timed(Work work) {
  const std::int64_t waited = waitedForProcessor();
  const std::int64_t wall = now(CLOCK_MONOTONIC);
  const std::int64_t cpu = now(CLOCK_THREAD_CPUTIME_ID);
  work();
  Took took{.wall = now(CLOCK_MONOTONIC) - wall, .cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu};
  took.waiting = waitedForProcessor() - waited;
  return took;
}

struct TrueFrame {
  std::int64_t begin = 0;
  std::int64_t worked = 0;  // when its work ended
  std::int64_t due = 0;     // 0: no slot of a display
  std::int64_t end = 0;
  std::int64_t cpu = 0;  // that its thread ran
  Took asleep;           // until the slot
  Took usual;            // faults that each frame has
  Took faults;           // further ones, or those it waited for; pages populated in advance are among them
  Took teardown;         // giving memory back
};

class PlantedTruth {
 public:
  explicit PlantedTruth(std::int64_t period) : m_period(period) {}  // of the display; 0: none

  void add(const TrueFrame& frame) { m_frames.push_back(frame); }
  void write(const std::string& file) const;

 private:
  [[nodiscard]] std::vector<TrueFrame> causes() const;
  [[nodiscard]] std::int64_t usualBefore(std::size_t place) const;
  [[nodiscard]] const char* late(std::int64_t lasted, std::int64_t usual) const;

  std::int64_t m_period;
  std::vector<TrueFrame> m_frames;
};

// A fake_game without own marks, and its watcher: by BPF, or by perf events.
#pragma once

#include <time.h>

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/sampling/linux/watch/frame_bpf.h"
#include "platform/sampling/linux/watch/frame_perf.h"
#include "tests/support/function_place.h"
#include "tests/support/game.h"

namespace faultline::test {

inline const std::string kFakeGame = FAULTLINE_BIN "/fake_game";

inline ProbePoint present(const std::string& name = "fakeGamePresent") {
  return {.file = kFakeGame, .offset = fakeGamePresent(), .name = name};
}

inline void pause(Nanoseconds duration) {
  const timespec time{.tv_sec = 0, .tv_nsec = duration.count()};
  nanosleep(&time, nullptr);
}

// A running game and its watcher; skips the test if the game cannot be watched here.
class Watched {
 public:
  using Open = Result<std::unique_ptr<FrameSource>> (*)(WatchTarget& target, const std::vector<ProbeFile>& files,
                                                        const WatchOptions& options);

  Watched(std::vector<std::string> arguments, WatchOptions options, Open open) : m_game(silent(std::move(arguments))) {
    options.pid = m_game.pid();
    if (options.probes.empty()) options.probes = {present()};
    while (!m_target) m_target.emplace(openTarget());
    std::vector<ProbeFile> files;
    for (const ProbePoint& point : options.probes) {
      auto file = ProbeFile::open(*m_target, point);
      REQUIRE(file);
      files.push_back(std::move(*file));
    }
    auto opened = open(*m_target, files, options);
    if (!opened) SKIP(opened.error().message);
    m_source = std::move(*opened);
  }

  [[nodiscard]] const Game& game() const { return m_game; }
  [[nodiscard]] FrameSource& source() const { return *m_source; }
  GameFrameBatch frames;
  FaultSampleBatch samples;

  template <class Done>
  void collectUntil(Done done) {
    const MonotonicTime end = systemClock().now() + std::chrono::seconds(60);
    for (;;) {
      m_source->collect(frames, samples);
      if (done()) return;
      REQUIRE(systemClock().now() < end);
      pause(std::chrono::milliseconds(10));
    }
  }
  void collectAll() {
    collectUntil([this] { return frames.state != GameState::Running; });
  }

 private:
  static std::vector<std::string> silent(std::vector<std::string> arguments) {
    arguments.emplace_back("mark=");
    return arguments;
  }
  // Waits until the child has executed the game.
  [[nodiscard]] WatchTarget openTarget() const {
    for (;;) {
      auto target = WatchTarget::open(m_game.pid());
      REQUIRE(target);
      REQUIRE_FALSE(target->exited());  // the game must outlive a slow start of its watch
      if (target->name() == "fake_game" && ProbeFile::open(*target, present())) return std::move(*target);
      pause(std::chrono::milliseconds(1));
    }
  }

  Game m_game;
  std::optional<WatchTarget> m_target;
  std::unique_ptr<FrameSource> m_source;
};

class WatchedByBpf : public Watched {
 public:
  explicit WatchedByBpf(std::vector<std::string> arguments, WatchOptions options = {})
      : Watched(std::move(arguments), std::move(options), open) {}

 private:
  static Result<std::unique_ptr<FrameSource>> open(WatchTarget& target, const std::vector<ProbeFile>& files,
                                                   const WatchOptions& options) {
    auto opened = openBpfFrames(target, files, options, systemClock());
    if (!opened) return fail(opened.error().why);
    return std::move(*opened);
  }
};

class WatchedByPerf : public Watched {
 public:
  explicit WatchedByPerf(std::vector<std::string> arguments, WatchOptions options = {})
      : Watched(std::move(arguments), std::move(options), open) {}

 private:
  static Result<std::unique_ptr<FrameSource>> open(WatchTarget& target, const std::vector<ProbeFile>& files,
                                                   const WatchOptions& options) {
    return PerfFrames::open(std::move(target), options, files, systemClock());
  }
};

}  // namespace faultline::test

// GameCollector: the collectors of one game as a single source of events. Starts a collector when WatchCourse has
// chosen how frames end, and replaces the collector when the choice changes or the game executes another program.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "app/cli/stream/collector.h"
#include "platform/host/watch/course.h"

namespace faultline {

struct GameCollectorOptions {
  MarkWishes wishes{};
  SampleMode samples = SampleMode::Spikes;
  Nanoseconds budget{0};
};

class GameCollector {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Take = std::function<Result<void>(const StreamEvent&)>;  // an error ends the watch
  using Say = std::function<void(const std::string&)>;           // receives a sentence for the user

  GameCollector(const CommonOptions& common, GameCollectorOptions options, std::uint32_t pid, Say say);

  [[nodiscard]] WaitHandle ready() const { return m_stream ? m_stream->ready() : kNoHandle; }
  // Time until step() is due although ready() is not ready; absent: never.
  [[nodiscard]] std::optional<Nanoseconds> timeUntilStep(Time now) const;
  // Does the due work and passes received events to `take`. Error: the watch has ended, for this reason.
  [[nodiscard]] Result<void> step(Time now, const Take& take);

  [[nodiscard]] bool ended() const { return m_ended; }
  [[nodiscard]] std::optional<Time> begun() const { return m_begun; }  // when the first Hello came
  void stop();                                                         // step() still passes on the remaining data
  void programEnded();  // the started PROGRAM has ended: no further collector is started

 private:
  [[nodiscard]] Result<void> search(Time now, const Take& take);
  [[nodiscard]] Result<void> begin(WatchChoice choice);
  [[nodiscard]] Result<void> receive(Time now, const Take& take);
  [[nodiscard]] Result<void> pass(const StreamEvent& event, Time now, const Take& take);
  [[nodiscard]] Result<void> finish(const Take& take);
  [[nodiscard]] Result<void> onSilence(Time now);
  void lookFurther(Time now);
  void onHello(const Hello& hello, Time now);
  [[nodiscard]] bool goesOn() const;
  [[nodiscard]] bool worthSaying() const;
  void leave(Time now);

  const CommonOptions& m_common;
  GameCollectorOptions m_options;
  Say m_say;
  WatchCourse m_course;
  std::optional<CollectorStream> m_stream;
  std::optional<Time> m_begun;
  Hello m_hello;  // the last; held back while the course waits for the first call
  std::string m_said;
  bool m_helloSeen = false;  // from the current collector
  GameState m_state = GameState::Running;
  bool m_stopped = false;
  bool m_programEnded = false;
  bool m_ended = false;
};

}  // namespace faultline

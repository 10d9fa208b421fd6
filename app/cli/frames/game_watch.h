// GameWatch: what collectors tell of a game, as if it were one: the first is started once it is known what ends a
// frame, another one when that turns out to be something else, or when the game has become another program.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "app/cli/stream/live_stream.h"
#include "platform/host/watch/course.h"

namespace faultline {

struct GameWatchOptions {
  MarkWishes wishes{};
  SampleMode samples = SampleMode::Spikes;
  Nanoseconds budget{0};
};

class GameWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Take = std::function<Result<void>(const StreamEvent&)>;
  using Say = std::function<void(const std::string&)>;  // a sentence for a person

  GameWatch(const CommonOptions& common, GameWatchOptions options, std::uint32_t pid, Say say);

  [[nodiscard]] WaitHandle ready() const { return m_stream ? m_stream->ready() : kNoHandle; }
  // How long there is nothing to do unless it is ready; absent: for ever.
  [[nodiscard]] std::optional<Nanoseconds> quiet(Time now) const;
  // Does what is due, and gives on what came. Error: there is nothing (more) to come.
  [[nodiscard]] Result<void> step(Time now, const Take& take);

  [[nodiscard]] bool ended() const { return m_ended; }
  [[nodiscard]] std::optional<Time> begun() const { return m_begun; }  // the first collector measures
  void stop();                                                         // what the collector still says can be received
  void programEnded();  // the program that we started; what it still had to say comes all the same

 private:
  [[nodiscard]] Result<void> search(Time now, const Take& take);
  [[nodiscard]] Result<void> begin(WatchChoice choice);
  [[nodiscard]] Result<void> receive(Time now, const Take& take);
  [[nodiscard]] Result<void> pass(const StreamEvent& event, Time now, const Take& take);
  [[nodiscard]] Result<void> finish(const Take& take);
  [[nodiscard]] Result<void> onSilence(Time now);
  void lookFurther(Time now);
  void greet(const Hello& hello, Time now);
  [[nodiscard]] bool goesOn() const;
  [[nodiscard]] bool worthSaying() const;
  void leave(Time now);

  const CommonOptions& m_common;
  GameWatchOptions m_options;
  Say m_say;
  WatchCourse m_course;
  std::optional<LiveStream> m_stream;
  std::optional<Time> m_begun;
  Hello m_hello;  // the last; not given on yet while the course waits
  std::string m_said;
  bool m_greeted = false;  // by the present collector
  GameState m_state = GameState::Running;
  bool m_stopped = false;
  bool m_programEnded = false;
  bool m_ended = false;
};

}  // namespace faultline

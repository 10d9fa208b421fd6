// PolledGame: a GameClient whose collectors are children of ours, driven by a loop that waits with poll.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/cli/stream/collector_child.h"
#include "core/watch/game_client.h"
#include "platform/host/mark_finder.h"

namespace faultline {

class PolledGame final : private GameClientOwner {
 public:
  using Time = GameClient::Time;
  using Take = std::function<Result<void>(const StreamEvent&)>;
  using Say = std::function<void(const std::string&)>;  // a sentence for a person

  PolledGame(const CommonOptions& common, GameClientOptions options, Say say);

  [[nodiscard]] WaitHandle ready() const { return m_child ? m_child->ready() : kNoHandle; }
  // How long there is nothing to do unless the handle is ready; absent: for ever.
  [[nodiscard]] std::optional<Nanoseconds> quiet(Time now) const;
  // Does what is due, and gives the events that have come to `take`. Error: the watch has failed, and why.
  [[nodiscard]] Result<void> step(Time now, const Take& take);

  // A collector is getting ready: a program that is held now misses none of its frames.
  [[nodiscard]] bool starting() const { return m_client.state() == GameClient::State::Starting; }
  [[nodiscard]] bool looking() const;  // for a game: none is watched at present
  [[nodiscard]] bool ended() const { return m_client.ended(); }
  [[nodiscard]] std::optional<Time> begun() const { return m_client.begun(); }
  void stop();  // the collector's last events still come
  void programEnded() { m_client.programEnded(); }

 private:
  [[nodiscard]] Result<void> startCollector(const std::vector<std::string>& arguments) override;
  void endCollector() override { m_child.reset(); }
  [[nodiscard]] Result<void> take(const StreamEvent& event) override { return (*m_take)(event); }
  void say(const std::string& sentence) override { m_say(sentence); }
  void receive(Time now);

  const CommonOptions& m_common;
  Say m_say;
  const Take* m_take = nullptr;  // of the present step
  MarkFinder m_marks;
  std::optional<CollectorChild> m_child;
  GameClient m_client;
  bool m_started = false;
};

}  // namespace faultline

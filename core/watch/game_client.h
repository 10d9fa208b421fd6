// GameClient: watches one game from its beginning to its end. The client decides what ends the game's frames, asks for
// a collector for each decision, decodes the stream of the collector, and decides again when no function of the
// decision is called, when the game maps a library with a better function, when the collector refuses, or when the
// process becomes another program. The client holds no process and no timer: its owner starts collectors, gives their
// bytes and calls onTime() when due() has come.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/stream/decoder.h"
#include "core/watch/collector_end.h"
#include "core/watch/controller.h"

namespace faultline {

struct GameClientOptions {
  std::uint32_t pid = 0;
  MarkWishes wishes{};
  SampleMode samples = SampleMode::Spikes;
  Nanoseconds budget{0};
  Nanoseconds delay{0};     // of each fault, in alternate stretches of frames; 0: none
  Nanoseconds patience{0};  // of a collector, for the game's first own mark
  bool mayAssume = false;   // an assumed rate where nothing else can be watched; else that is an error
  bool synthetic = false;   // a synthetic game in place of the process
  // The price of a minor fault in ns that estimates for processes use, in place of the collector's own measurement: a
  // fault has one price on all screens. Empty, or absent: there is none.
  std::function<std::optional<double>(const Machine&)> price{};
};

// The owner's side. No call of it may call the client.
class GameClientOwner {
 public:
  virtual ~GameClientOwner() = default;
  // Starts a collector for the client's choice(), in place of the one that runs.
  [[nodiscard]] virtual Result<void> startCollector(const std::vector<std::string>& arguments) = 0;
  virtual void endCollector() = 0;                                  // nothing more of it is wanted
  [[nodiscard]] virtual Result<void> take(const StreamEvent&) = 0;  // an error ends the watch
  virtual void say(const std::string& sentence) = 0;                // for a person
};

class GameClient {
 public:
  using Time = WatchController::Time;
  enum class State : std::uint8_t {
    Looking,      // for the end of the frames
    Starting,     // a collector was started and has not sent its Hello
    Waiting,      // no function has been called, or the game has not set its first mark
    Watching,     // frames can come
    ProgramLeft,  // the process is another program now, or a launcher's game has ended: the client looks again
    Exited,       // the game is gone
    Failed,       // why() says the reason
  };

  GameClient(GameClientOwner& owner, MarkSource& source, GameClientOptions options);

  void begin(Time now);  // also begins again
  void onBytes(std::span<const std::byte> bytes, Time now);
  void onCollectorEnd(const CollectorEnd& end, Time now);  // after its last bytes
  void onTime(Time now);
  void programEnded() { m_programEnded = true; }  // the program that our caller has started; its last frames still come
  void stop();                                    // the owner asks the collector to end; its last events still come
  void fail(std::string why);

  [[nodiscard]] std::optional<Time> due() const { return m_due; }
  [[nodiscard]] State state() const { return m_state; }
  [[nodiscard]] bool ended() const { return m_ended; }  // Exited or Failed, and nothing more comes
  [[nodiscard]] const std::string& why() const { return m_why; }
  [[nodiscard]] const WatchChoice& choice() const { return m_controller.choice(); }
  [[nodiscard]] std::optional<Time> begun() const { return m_begun; }  // of the first Hello

 private:
  void look(Time now);
  void searchAgain(Time now);
  void lookForBetter(Time now);
  void launch(WatchChoice choice);
  void setPrice(Hello& hello) const;
  void pass(const StreamEvent& event, Time now);
  void onHello(const Hello& hello, Time now);
  void restart(Time now);
  void finish();
  [[nodiscard]] bool goesOn() const;
  [[nodiscard]] bool worthSaying() const;

  GameClientOwner& m_owner;
  MarkSource& m_source;
  GameClientOptions m_options;
  WatchController m_controller;
  Decoder m_decoder;
  State m_state = State::Looking;
  std::string m_why;
  std::optional<Time> m_due;
  std::optional<WatchChoice> m_better;  // replaces the present choice at once
  std::optional<Time> m_begun;
  Time m_framesAt;     // of the last frames, or of the beginning of the state
  Hello m_hello;       // of the present collector
  std::string m_said;  // the last sentence about the end of the frames
  bool m_greeted = false;
  bool m_streamEnded = false;
  bool m_waitingSaid = false;
  bool m_missingSaid = false;
  Time m_lookedFrom;
  GameState m_game = GameState::Running;
  bool m_stopped = false;
  bool m_programEnded = false;
  bool m_ended = false;
};

}  // namespace faultline

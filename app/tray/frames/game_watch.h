// GameWatch: a collector that watches one game, as a child process, and all that it has told: frames judged and kept,
// the worst of them, samples of their faults. What ends a frame, and whose they are, is chosen by what the process and
// those it has started have; where that cannot be watched, a rate is assumed. What was seen stays when the game ends.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/tray/frames/game_process.h"
#include "core/frames/game_session.h"
#include "core/frames/history.h"
#include "core/frames/worst_frames.h"
#include "platform/host/stack_reader.h"

namespace faultline {

struct WatchedProcess {
  std::uint32_t pid = 0;
  QString name;  // printable
  bool synthetic = false;
};

class GameWatch : public QObject {
  Q_OBJECT
 public:
  enum class State : std::uint8_t {
    Starting,
    Waiting,  // the collector watches, no frame has come yet
    Live,
    Exited,       // the game is gone
    ProgramLeft,  // it has become another program, or was one that a launcher had started: the next one is waited for
    Failed,       // nothing can be watched, or the collector was lost
  };

  static constexpr std::size_t kWorst = 200;

  // `collectorFolder`: as CollectorProcess has it.
  GameWatch(WatchedProcess process, const FrameRules& rules, const QString& collectorFolder = {},
            QObject* parent = nullptr);
  ~GameWatch() override;

  void start(SampleMode stacks);  // also anew: the frames seen so far stay
  void stop();
  void setBudget(Nanoseconds budget);  // judges all frames anew

  [[nodiscard]] const WatchedProcess& process() const { return m_process; }
  [[nodiscard]] State state() const { return m_state; }
  [[nodiscard]] QString stateText() const;
  [[nodiscard]] const FrameHistory& history() const { return m_history; }
  [[nodiscard]] const WorstFrames& worst() const { return m_worst; }
  [[nodiscard]] const FrameTally& tally() const { return m_tally; }
  [[nodiscard]] const FrameRules& rules() const { return m_rules; }
  [[nodiscard]] const std::optional<WatchedGame>& game() const { return m_session->watched(); }
  [[nodiscard]] SessionTotals totals() const { return m_session->totals(); }
  [[nodiscard]] SampleMode stacks() const { return m_stacks; }
  // Those of the frame at `place`; valid until the next event. None: none were kept.
  [[nodiscard]] std::span<const FaultSample> samplesAt(std::uint64_t place) const;
  [[nodiscard]] CulpritSearch searchAt(std::uint64_t place);  // for the culprits of these; they are to be added
  [[nodiscard]] const WatchChoice& choice() const { return m_choice; }
  [[nodiscard]] bool grantable() const {
    return m_collector.grantable();
  }  // a collector with privileges would tell more
  [[nodiscard]] QString whyNoStacks() const;  // no stack can be read: why

 Q_SIGNALS:
  void ingested();
  void judgedAnew();
  void stateChanged();

 private:
  void openReader(std::uint32_t pid);
  void makeSession();
  [[nodiscard]] bool isOfSession(std::uint64_t place) const;  // its frame is kept, and told by the present session
  void beginChoice();
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  void keep(const JudgedFrame& judged);
  void onAdvance();
  [[nodiscard]] State presentState() const;

  WatchedProcess m_process;
  FrameRules m_rules;
  SampleMode m_stacks = SampleMode::None;
  std::vector<std::unique_ptr<StackReader>> m_readers;  // the last one's game is watched, the others may still be asked
  std::uint32_t m_readerOf = 0;
  const GameStackReader* m_gameReader = nullptr;  // the last of them, if it is one
  QString m_whyNoStacks;
  std::unique_ptr<GameSession> m_session;
  std::uint64_t m_sessionBegin = 0;  // the place of its first frame
  FrameHistory m_history;
  FrameTally m_tally;
  WorstFrames m_worst{kWorst};
  GameProcess m_collector;
  WatchChoice m_choice;
  State m_state = State::Starting;
};

}  // namespace faultline

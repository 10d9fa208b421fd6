// GameWatch: watches one game by a collector, or reads its recording, and keeps its judged frames, the worst of them,
// and samples of their faults, also after the game's end. Chooses the process to watch among the given process and its
// descendants, and the event that ends frames; if nothing can be watched, a rate is assumed.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/tray/frames/game_process.h"
#include "app/tray/replay/replay_source.h"
#include "core/frames/game_session.h"
#include "core/frames/history.h"
#include "core/frames/worst_frames.h"
#include "platform/host/stack_reader.h"

namespace faultline {

struct WatchedProcess {
  std::uint32_t pid = 0;
  QString name;  // printable
  bool synthetic = false;
  QString recording{};  // a file that is read in place of the process; empty: none
};

class GameWatch : public QObject {
  Q_OBJECT
 public:
  enum class State : std::uint8_t {
    Starting,  // or a recording is being read
    Waiting,   // the collector watches, no frame has come yet
    Live,
    Exited,       // the game has ended, or its recording has been read
    ProgramLeft,  // the process runs another program, or a launcher's game has ended: waits for the next program
    Failed,       // nothing can be watched, or the collector was lost
  };

  static constexpr std::size_t kWorst = 200;

  // `collectorFolder`: as CollectorProcess has it.
  GameWatch(WatchedProcess process, const FrameRules& rules, const QString& collectorFolder = {},
            QObject* parent = nullptr);
  ~GameWatch() override;

  void start(SampleMode stacks);           // or restarts; keeps the frames seen so far; reads a recording once
  void watchBy(const MarkWishes& wishes);  // the end of a frame; restarts
  void delayBy(Nanoseconds delay);         // of each page fault in half of the frames; 0: none; restarts
  void stop();
  void setBudget(Nanoseconds budget);  // judges all frames again

  [[nodiscard]] const WatchedProcess& process() const { return m_process; }
  [[nodiscard]] bool recorded() const { return !m_process.recording.isEmpty(); }
  [[nodiscard]] State state() const { return m_state; }
  [[nodiscard]] bool over() const {  // no frame of the present comes any more
    return recorded() || m_state == State::Exited || m_state == State::Failed;
  }
  [[nodiscard]] QString stateText() const;
  [[nodiscard]] const FrameHistory& history() const { return m_history; }
  [[nodiscard]] const WorstFrames& worst() const { return m_worst; }
  [[nodiscard]] const FrameTally& tally() const { return m_tally; }
  [[nodiscard]] const FrameRules& rules() const { return m_rules; }
  [[nodiscard]] const std::optional<WatchedGame>& game() const { return m_session->watched(); }
  [[nodiscard]] SessionTotals totals() const { return m_session->totals(); }
  [[nodiscard]] const GameSession& session() const { return *m_session; }
  [[nodiscard]] SampleMode stacks() const { return m_stacks; }
  [[nodiscard]] Nanoseconds delay() const { return m_delay; }
  [[nodiscard]] const Hello& hello() const { return m_hello; }                 // of the present game
  [[nodiscard]] std::uint64_t sessionBegin() const { return m_sessionBegin; }  // place of its first frame
  // Of its samples; may be null. A copy keeps the reader alive, to read on when the game has become another program.
  [[nodiscard]] const std::shared_ptr<StackReader>& reader() const { return m_reader; }
  // Samples of the frame at `place`; empty if none were kept.
  [[nodiscard]] std::vector<FaultSample> samplesAt(std::uint64_t place) const;
  [[nodiscard]] std::size_t sampleCountAt(std::uint64_t place) const;
  [[nodiscard]] CulpritSearch searchAt(std::uint64_t place);  // the caller adds the samples
  // Of call stacks. While it is tight, fewer of each frame are to be read, so that later frames have some.
  [[nodiscard]] ReadingBudget& budget() { return *m_budget; }
  [[nodiscard]] const WatchChoice& choice() const { return m_choice; }
  [[nodiscard]] bool grantable() const {
    return m_collector.grantable();
  }  // a collector with privileges would measure more
  [[nodiscard]] QString whyNoStacks() const;  // why no call stack can be read; else empty

 Q_SIGNALS:
  void received(const faultline::StreamEvent& event);  // and taken: raw, as the collector told it
  void ingested();
  void judgedAnew();
  void stateChanged();

 private:
  void replay();
  [[nodiscard]] QString replayText() const;
  void openReader(std::uint32_t pid);
  void judgeRest();
  void makeSession();
  [[nodiscard]] bool isOfSession(std::uint64_t place) const;  // the frame is kept, and belongs to the present session
  void beginChoice();
  [[nodiscard]] Result<void> take(const StreamEvent& event);
  void keep(const JudgedFrame& judged);
  void judgeAnew();
  void onAdvance();
  [[nodiscard]] State presentState() const;

  WatchedProcess m_process;
  FrameRules m_rules;
  SampleMode m_stacks = SampleMode::None;
  MarkWishes m_wishes;
  Nanoseconds m_delay{0};
  std::shared_ptr<ReadingBudget> m_budget = std::make_shared<ReadingBudget>(kWindowReading);  // of all games
  std::shared_ptr<StackReader> m_reader;
  std::uint32_t m_readerOf = 0;
  const GameStackReader* m_gameReader = nullptr;  // m_reader, if it reads a real game
  QString m_whyNoStacks;
  std::unique_ptr<GameSession> m_session;
  std::uint64_t m_sessionBegin = 0;  // place of the session's first frame
  Hello m_hello;
  FrameHistory m_history;
  FrameTally m_tally;
  WorstFrames m_worst{kWorst};
  GameProcess m_collector;
  std::unique_ptr<ReplaySource> m_replay;  // of a recording, once start() was called
  QString m_whyNotRead;                    // of a recording that cannot be read any further; else empty
  WatchChoice m_choice;
  State m_state = State::Starting;
};

}  // namespace faultline

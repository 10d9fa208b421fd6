// Session: the source of data, live or recorded, and the Monitor that takes it. Has one state, with a sentence.
// Measuring goes on behind a recording.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>

#include "app/tray/replay/replay_source.h"
#include "app/tray/session/live_source.h"
#include "app/tray/session/settings.h"
#include "core/base/result.h"
#include "core/monitor/monitor.h"
#include "core/recording/recent.h"
#include "core/recording/writer.h"

namespace faultline {

class Session : public QObject {
  Q_OBJECT
 public:
  enum class State {
    Starting,  // the collector runs, but has sent nothing yet
    Live,
    Paused,   // no collector runs; the data stays
    Lost,     // the collector died or never started, and will be restarted
    Loading,  // a recording is being read
    Replay,   // the whole recording has been read
  };
  Q_ENUM(State)

  explicit Session(const Settings& settings, QObject* parent = nullptr,
                   const QString& collectorFolder = {});  // as CollectorProcess has it
  ~Session() override;

  // Live data or a recording. Always the same object, so views may keep the reference.
  [[nodiscard]] const Monitor& monitor() const { return m_monitor; }
  [[nodiscard]] State state() const { return m_shown ? (m_loaded ? State::Replay : State::Loading) : m_live; }
  [[nodiscard]] QString stateText() const;
  [[nodiscard]] QString viewedFile() const;  // its name; empty while live data is shown
  [[nodiscard]] QString viewedPath() const;  // its file, as it was opened; empty as well
  // While a long recording is shown of which only a part has been read, from begin to end: the time between two of the
  // snapshots in that part, 0 before the second. Rates are then averages, and short-lived processes are missing;
  // spikes are those that the end of the recording tells.
  [[nodiscard]] std::optional<Nanoseconds> averages() const;
  // What is measured, also while a recording is shown.
  [[nodiscard]] const Monitor& live() const { return m_parked ? *m_parked : m_monitor; }
  [[nodiscard]] State liveState() const { return m_live; }
  [[nodiscard]] QString liveText() const;
  [[nodiscard]] bool synthetic() const { return m_synthetic; }

  [[nodiscard]] const CollectorChoice& collector() const { return m_source.collector(); }

  void startLive();                           // also returns from a recording to the earlier live history
  void startSynthetic(bool windows = false);  // `windows`: with the numbers of Windows
  void openRecording(const QString& file);
  // Of the recording on show, as History has it.
  void layCloseUp(std::unique_ptr<History::CloseUp> closeUp);
  void cancelLoading();  // the part that has been read stays shown
  void setPaused(bool paused);
  // Tells whether the numbers are on show. Recording counts as looking, too.
  void setOnShow(bool onShow);
  void setWatching(bool watching) { m_source.watch(watching); }  // a game: sweeps may come faster
  void loadCalibration();                                        // from its file
  void restartCollector();                                       // another collector may have been granted
  // Restarts the collector, for whose rights Windows asks the user. The collector keeps them to its end.
  void elevateCollector();
  [[nodiscard]] bool mayElevate() const;  // it would measure more
  void apply(const Settings& settings);

  [[nodiscard]] double loadingProgress() const;  // 0 to 1

  // Overwrites the file with all data that is measured from now on. Ends with failed() if the file cannot be written.
  [[nodiscard]] Result<void> startRecording(const QString& file);
  void stopRecording();
  [[nodiscard]] bool recording() const { return m_writer.has_value(); }
  [[nodiscard]] quint64 recordedBytes() const { return m_writer ? m_writer->bytes() : 0; }
  [[nodiscard]] QString recordingFile() const;
  // Of the last hour, all that was measured is kept in memory.
  [[nodiscard]] const RecentRecording& recent() const { return m_recent; }

 Q_SIGNALS:
  void ingested();  // after each snapshot that is shown; at most ten times per second while loading
  void recentBegun(const faultline::Hello& hello);  // in recent(), as the next
  void recentAdded(const faultline::Snapshot& snapshot);
  void measured();  // after each live snapshot, also behind a recording
  void stateChanged();
  void spikeEnded(const faultline::Spike& spike);  // in what is measured; not for habitual spikes
  void recordingChanged();                         // started or ended
  void failed(const QString& sentence);

 private:
  struct Recording;

  [[nodiscard]] QString replayText(const QString& file) const;
  void setLive(State state);
  [[nodiscard]] Monitor& liveMonitor() { return m_parked ? *m_parked : m_monitor; }
  void forget();
  void beginRecent();
  void startCollector(bool synthetic);
  void ingestLive(const Hello& hello);
  void ingestLive(const Snapshot& snapshot);
  void record(const Result<void>& written);
  void tellAttention();
  void ingestRecorded(Recording& recording, const Snapshot& snapshot, std::optional<Nanoseconds> step);
  [[nodiscard]] Monitor monitorOf(const Recording& recording) const;
  void passed(Recording& recording);
  void loadingEnded(Recording& recording);
  void drop(std::unique_ptr<Recording>& recording);
  void leaveRecording();

  Settings m_settings;
  Monitor m_monitor;
  std::optional<Monitor> m_parked;  // the live monitor, while a recording is shown
  LiveSource m_source;
  bool m_synthetic = false;
  bool m_windows = false;
  bool m_elevate = false;  // the next collector
  bool m_onShow = true;
  State m_live = State::Paused;
  std::unique_ptr<Recording> m_opening;  // without a snapshot yet, so the live data is still shown
  std::unique_ptr<Recording> m_shown;
  bool m_loaded = false;  // all of it
  std::optional<RecordingWriter> m_writer;
  RecentRecording m_recent;
  QElapsedTimer m_sinceIngested;
};

}  // namespace faultline

#include "app/tray/session/session.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/tray/replay/opened_recording.h"
#include "app/tray/session/pace_text.h"
#include "app/tray/widgets/local_time.h"
#include "core/text/quantity.h"
#include "platform/host/costs/calibration_file.h"
#include "platform/host/elevated.h"
#include "platform/host/recorded_file.h"

namespace faultline {

namespace {

constexpr qint64 kLoadingIngestedMs = 100;
constexpr std::chrono::milliseconds kPromptPatience = std::chrono::minutes(2);  // for a password

MonitorOptions optionsFrom(const Settings& settings) {
  MonitorOptions options;
  options.spikes = settings.spikes;
  return options;
}

// Long enough for a machine under load, short enough that users do not take old numbers for live numbers.
std::chrono::milliseconds patience(std::chrono::milliseconds interval) {
  return std::max<std::chrono::milliseconds>(std::chrono::seconds(10), 5 * interval);
}

}  // namespace

struct Session::Recording : OpenedRecording {};

Session::Session(const Settings& settings, QObject* parent, const QString& collectorFolder)
    : QObject(parent), m_settings(settings), m_monitor(optionsFrom(settings)), m_source(collectorFolder) {
  connect(&m_source, &LiveSource::hello, this, [this](const Hello& hello) { ingestLive(hello); });
  connect(&m_source, &LiveSource::snapshot, this, [this](const Snapshot& snapshot) { ingestLive(snapshot); });
  connect(&m_source, &LiveSource::troubleChanged, this, [this] {
    if (m_live != State::Paused) setLive(m_source.trouble().isEmpty() ? State::Live : State::Lost);
  });
}

Session::~Session() {
  if (m_writer) (void)m_writer->finish();  // an error cannot be shown any more
}

// Also emits if the state is the same, because its text may have changed.
void Session::setLive(State state) {
  m_live = state;
  Q_EMIT stateChanged();
}

QString Session::viewedFile() const {
  return QFileInfo(viewedPath()).fileName();
}

QString Session::viewedPath() const {
  return m_shown ? m_shown->source.fileName() : QString();
}

QString Session::stateText() const {
  if (!m_shown) return liveText();
  if (m_loaded) return replayText(viewedFile());
  return m_shown->readingText(viewedFile());
}

std::optional<Nanoseconds> Session::averages() const {
  return m_shown ? m_shown->averages : std::nullopt;
}

QString Session::liveText() const {
  switch (m_live) {
    case State::Starting:
      return tr("Starting the collector…");
    case State::Live:
      return (m_synthetic ? tr("Synthetic machine, %1") : tr("Live, %1"))
          .arg(paceText(live(), m_settings.interval, m_source.watching()));
    case State::Paused:
      return tr("Paused: not measuring until you continue.");
    case State::Lost:
      return m_source.trouble();
    case State::Loading:
    case State::Replay:
      break;
  }
  return {};
}

QString Session::replayText(const QString& file) const {
  const History& history = m_monitor.history();
  const QString date = localTime(history.wall(*history.oldest())).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
  const quint64 read = averages() ? m_monitor.snapshots() : m_shown->source.snapshots();
  const std::string length = formatDuration(*history.newest() - *history.oldest());
  return tr("Viewing %1: %2, %3, %4 snapshots. %5")
      .arg(file, date, QString::fromStdString(length), QString::fromStdString(formatCount(read)), m_shown->remark())
      .trimmed();
}

void Session::startLive() {
  leaveRecording();
  if (m_live == State::Paused || m_synthetic) return startCollector(false);
  Q_EMIT stateChanged();
  Q_EMIT ingested();
}

void Session::startSynthetic(bool windows) {
  stopRecording();
  leaveRecording();
  if (std::exchange(m_windows, windows) != windows) forget();
  startCollector(true);
}

void Session::leaveRecording() {
  drop(m_opening);
  drop(m_shown);
  if (!m_parked) return;
  m_monitor = std::move(*m_parked);
  m_parked.reset();
}

void Session::forget() {
  m_monitor.clear();
  m_recent.clear();
}

void Session::beginRecent() {
  m_recent.begin(live().hello());
  Q_EMIT recentBegun(live().hello());
}

void Session::startCollector(bool synthetic) {
  if (std::exchange(m_synthetic, synthetic) != synthetic) forget();
  m_live = State::Starting;
  const bool elevated = !synthetic && std::exchange(m_elevate, false);
  m_source.start({.interval = m_settings.interval,
                  .faultTime = m_settings.timeFaults,
                  .faster = m_settings.faster,
                  .attended = true,
                  .synthetic = synthetic,
                  .windows = m_windows},
                 elevated ? kPromptPatience : patience(m_settings.interval), elevated);
  Q_EMIT stateChanged();
  if (!m_shown) Q_EMIT ingested();  // the monitor may be another one now
}

void Session::ingestLive(const Hello& hello) {
  liveMonitor().ingest(hello);
  loadCalibration();
  beginRecent();
  if (m_writer) record(m_writer->add(live().hello()));
}

void Session::ingestLive(const Snapshot& snapshot) {
  liveMonitor().ingest(snapshot);
  const Snapshot estimated = live().estimated(snapshot);
  m_recent.add(estimated);
  Q_EMIT recentAdded(estimated);
  if (m_writer) record(m_writer->add(estimated));
  if (m_live == State::Starting) setLive(State::Live);
  if (!m_shown) Q_EMIT ingested();
  Q_EMIT measured();
  for (const Spike& spike : live().spikesNow())
    if (!spike.open && !spike.again) Q_EMIT spikeEnded(spike);
}

// A synthetic machine has no prices, and a recording may be of another machine. A recording that is being
// written keeps its calibration: the counters of time in it must not jump.
void Session::loadCalibration() {
  if (m_synthetic || m_writer) return;
  auto kept = keptCalibration(live().hello().machine);
  if (!kept) return;
  liveMonitor().setCalibration(kept->calibration, std::move(kept->changes));
  beginRecent();  // its counters of time may jump
}

void Session::setPaused(bool paused) {
  if (paused == (m_live == State::Paused)) return;
  if (!paused) return startCollector(m_synthetic);
  m_source.stop();
  setLive(State::Paused);
}

void Session::restartCollector() {
  if (m_live != State::Paused) startCollector(m_synthetic);
}

bool Session::mayElevate() const {
  return state() == State::Live && canElevate() && !m_synthetic && !m_source.elevated() &&
         !m_monitor.hello().quality(SystemMetric::ZeroThreadCycles).enable.empty();
}

void Session::elevateCollector() {
  m_elevate = true;
  restartCollector();
}

void Session::setOnShow(bool onShow) {
  m_onShow = onShow;
  tellAttention();
}

void Session::tellAttention() {
  m_source.attend(m_onShow || recording());
}

void Session::apply(const Settings& settings) {
  const bool restart = sweepsOf(settings) != sweepsOf(m_settings);
  m_settings = settings;
  m_monitor.setSpikeOptions(settings.spikes);
  if (m_parked) m_parked->setSpikeOptions(settings.spikes);
  if (m_shown && m_shown->filling) m_shown->filling->setSpikeOptions(settings.spikes);
  if (restart) restartCollector();
}

void Session::openRecording(const QString& file) {
  drop(m_opening);
  m_opening = std::make_unique<Recording>();
  Recording& recording = *m_opening;
  connect(&recording.source, &ReplaySource::hello, this, [this, &recording](const Hello& hello) {
    recording.hello = hello;
    if (&recording == m_shown.get()) recording.filled(m_monitor).ingest(hello);
  });
  connect(&recording.source, &ReplaySource::snapshot, this,
          [this, &recording](const Snapshot& snapshot, std::optional<Nanoseconds> step) {
            ingestRecorded(recording, snapshot, step);
          });
  connect(&recording.source, &ReplaySource::passed, this, [this, &recording] { passed(recording); });
  connect(&recording.source, &ReplaySource::finished, this, [this, &recording] { loadingEnded(recording); });
  if (const Result<void> opened = recording.source.open(file, true); !opened) {
    drop(m_opening);
    Q_EMIT failed(QString::fromStdString(opened.error().message));
  }
}

// Leaves the live view only with the first snapshot, which proves that the file is a recording.
void Session::ingestRecorded(Recording& recording, const Snapshot& snapshot, std::optional<Nanoseconds> step) {
  const bool first = &recording == m_opening.get();
  if (first) {
    if (!m_shown) m_parked = std::move(m_monitor);
    m_monitor = monitorOf(recording);
    m_monitor.ingest(recording.hello);
    drop(m_shown);
    m_shown = std::move(m_opening);
    m_loaded = false;
  }
  recording.ingest(m_monitor, snapshot, step);
  if (!first && !m_sinceIngested.hasExpired(kLoadingIngestedMs)) return;
  m_sinceIngested.start();
  if (first) Q_EMIT stateChanged();
  if (!recording.filling) Q_EMIT ingested();
  if (!first) Q_EMIT stateChanged();  // the share read
}

Monitor Session::monitorOf(const Recording& recording) const {
  MonitorOptions options = optionsFrom(m_settings);
  options.findsSpikes = !recording.source.skips();
  return Monitor(options);
}

void Session::passed(Recording& recording) {
  if (&recording != m_shown.get()) return;
  recording.showFilled(m_monitor);
  recording.step.reset();
  recording.filling = monitorOf(recording);
  Q_EMIT stateChanged();
  Q_EMIT ingested();
}

void Session::loadingEnded(Recording& recording) {
  if (&recording == m_opening.get()) {
    const QString why =
        recording.source.trouble().isEmpty() ? tr("The file contains no snapshot.") : recording.source.trouble();
    const QString name = QFileInfo(recording.source.fileName()).fileName();
    drop(m_opening);
    Q_EMIT failed(tr("%1 cannot be shown. %2").arg(name, why));
    return;
  }
  m_loaded = true;
  recording.showFilled(m_monitor);
  Q_EMIT stateChanged();
  Q_EMIT ingested();
}

void Session::layCloseUp(std::unique_ptr<History::CloseUp> closeUp) {
  m_monitor.layCloseUp(std::move(closeUp));
  Q_EMIT ingested();
}

void Session::cancelLoading() {
  drop(m_opening);
  if (state() != State::Loading) return;
  m_shown->filling.reset();
  m_shown->source.cancel();
}

// Deletes the recording in the next turn of the event loop, because one of its own signals may be the caller.
void Session::drop(std::unique_ptr<Recording>& recording) {
  if (!recording) return;
  recording->source.disconnect(this);
  recording->source.cancel();
  QTimer::singleShot(0, this, [gone = std::shared_ptr<Recording>(std::move(recording))] {});
}

double Session::loadingProgress() const {
  return m_shown ? m_shown->source.progress() : 0;
}

Result<void> Session::startRecording(const QString& file) {
  if (live().hello().version.empty())
    return fail(tr("There is nothing to record yet: the collector has sent nothing.").toStdString());
  stopRecording();
  Result<RecordingWriter> writer = createRecording(std::filesystem::path(file.toStdU16String()), live().hello());
  if (!writer) return tl::unexpected(std::move(writer.error()));
  m_writer = std::move(*writer);
  tellAttention();
  Q_EMIT recordingChanged();
  return {};
}

void Session::stopRecording() {
  if (!m_writer) return;
  const Result<void> finished = m_writer->finish(&live().spikes());
  m_writer.reset();
  loadCalibration();
  tellAttention();
  Q_EMIT recordingChanged();
  if (!finished) Q_EMIT failed(QString::fromStdString(finished.error().message));
}

void Session::record(const Result<void>& written) {
  if (written) return;
  m_writer.reset();
  tellAttention();
  Q_EMIT recordingChanged();
  Q_EMIT failed(QString::fromStdString(written.error().message));
}

QString Session::recordingFile() const {
  return m_writer ? QString::fromStdU16String(m_writer->path().u16string()) : QString();
}

}  // namespace faultline

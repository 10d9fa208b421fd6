#include "app/tray/shell/application.h"

#include <QApplication>
#include <QFileInfo>
#include <QPointer>
#include <QSocketNotifier>
#include <QTimer>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/tray/frames/past/frames_on_disk.h"
#include "app/tray/frames/windows.h"
#include "app/tray/lab/calibration_run.h"
#include "app/tray/session/answers.h"
#include "app/tray/session/global_key.h"
#include "app/tray/session/look.h"
#include "app/tray/session/past.h"
#include "app/tray/session/recent_saver.h"
#include "app/tray/session/session.h"
#include "app/tray/session/settings.h"
#include "app/tray/shell/icon/tray_icon.h"
#include "app/tray/shell/main_window.h"
#include "app/tray/shell/screenshot.h"
#include "app/tray/shell/settings_dialog.h"
#include "app/tray/shell/single_instance.h"
#include "core/recording/recording.h"
#include "platform/host/signals.h"

namespace faultline {
namespace {

constexpr std::chrono::seconds kPanelStartsWithin(10);

class Application : public QObject {
 public:
  explicit Application(const StartOptions& options)
      : m_options(options), m_session(m_settings.get()), m_window(m_session, m_settings), m_tray(m_session) {
    connectTray();
    listenToSignal();
    listenToKey();
    connect(&m_past, &PastOnDisk::failed, &m_window, &MainWindow::mention);
    connect(&m_pastFrames, &FramesOnDisk::failed, &m_window, &MainWindow::mention);
    connect(&m_frames, &FrameWindows::watched, &m_pastFrames, &FramesOnDisk::watch);
    connect(&m_settings, &SettingsStore::changed, this, [this](const Settings& s) { apply(s); });
    connect(&m_settings, &SettingsStore::failed, &m_window, &MainWindow::warn);
    connect(&m_window, &MainWindow::settingsRequested, this, [this] { showSettings(); });
    connect(&m_window, &MainWindow::quitRequested, this, [this] { quit(); });
    connect(&m_window, &MainWindow::framesRequested, this,
            [this](std::uint32_t pid, const QString& name, bool synthetic) {
              m_frames.open({.pid = pid, .name = name, .synthetic = synthetic});
            });
    connect(&m_window, &MainWindow::frameRecordingRequested, this,
            [this](const QString& file) { m_frames.open(recordedProcess(file)); });
    const auto saveFrames = [this](MonotonicTime from, const QString& file) {
      m_frames.saveRecent(from, file, [this](const Result<QString>& saved) {
        if (!saved) m_window.tell(saved);
      });
    };
    connect(&m_window.recent(), &RecentActions::saving, &m_frames, saveFrames);
    connect(&m_saver, &RecentSaver::saving, &m_frames, saveFrames);
    m_window.page().setLinesOf([this](std::uint32_t pid) { return m_frames.culpritLines(pid); });
    connect(&m_window, &MainWindow::hiddenToTray, this, [this] { saidItStays(); });
    connect(&m_window, &MainWindow::visibilityChanged, &m_session, &Session::setOnShow);
    connect(&m_frames, &FrameWindows::watchingChanged, &m_session, &Session::setWatching);
    connect(&m_session, &Session::spikeEnded, this, [this](const Spike& spike) { spikeEnded(spike); });
    connect(&m_session, &Session::stateChanged, this, [this] { calibrateFirst(); });
    connect(&m_calibration, &CalibrationRun::ended, &m_session, &Session::loadCalibration);
    apply(m_settings.get());
  }

  void start() {
    const bool frames = recordsFrames(std::filesystem::path(m_options.recording.toStdU16String()));
    if (!m_options.recording.isEmpty() && !frames) m_window.openRecording(m_options.recording, m_options.beside);
    else if (m_options.synthetic) m_session.startSynthetic(m_options.windows);
    else m_session.startLive();
    if (!m_options.synthetic) m_answers.start();
    m_tray.start();
    if (!(m_options.hidden || m_settings.get().startHidden)) {
      showWindow();
    } else {
      m_session.setOnShow(false);
      m_unreachable.start();
    }
    if (m_options.lab) m_window.showLab(m_options.labResult);
    if (m_options.frames != 0) m_frames.open(watchedProcess(m_options.frames, m_options.synthetic));
    if (frames) m_frames.open(recordedProcess(m_options.recording));
  }

  void raise(const QStringList& arguments) {
    showWindow();
    if (!arguments.isEmpty()) m_window.openRecording(arguments[0], arguments.value(1));
  }

  MainWindow& window() { return m_window; }
  Session& session() { return m_session; }

 private:
  // At the first start on this machine. A busy machine is refused, and asked again at the next start.
  void calibrateFirst() {
    if (m_calibrated || m_session.state() != Session::State::Live || m_session.synthetic()) return;
    m_calibrated = true;
    if (m_session.monitor().calibration() == nullptr) m_calibration.start();
  }

  void listenToSignal() {
    auto signal = SaveSignal::listen();
    if (!signal || signal->ready() == kNoHandle) return;
    m_signal.emplace(std::move(*signal));
    auto* heard = new QSocketNotifier(m_signal->ready(), QSocketNotifier::Read, this);
    connect(heard, &QSocketNotifier::activated, this, [this] {
      m_signal->take();
      m_saver.save(std::chrono::minutes(10), [this](const Result<QString>& saved) { m_window.tell(saved); });
    });
  }

  // The game has the screen: a notification tells what was saved.
  void listenToKey() {
    connect(&m_key, &GlobalKey::pressed, this, [this] {
      m_saver.save(std::chrono::minutes(10), [this](const Result<QString>& saved) { tellByTray(saved); });
    });
    connect(&m_key, &GlobalKey::refused, this, [this](const QString& why) {
      if (m_dialog) {  // where the user has just switched it on
        Settings settings = m_settings.get();
        settings.saveKey = false;
        m_settings.set(settings);
      }
      m_window.warn(tr("%1 Let a key of the desktop's own settings run: faultline-cli save").arg(why));
    });
    connect(&m_key, &GlobalKey::bound, this, [this](const QString& key) {
      if (key.isEmpty())
        m_window.mention(tr("The key that saves what just happened is set in the desktop's settings."));
      else m_window.mention(tr("%1 saves what just happened, in every program.").arg(key));
    });
  }

  void tellByTray(const Result<QString>& saved) {
    m_window.tell(saved);
    m_tray.say(tr("Faultline"), saved ? *saved : QString::fromStdString(saved.error().message));
  }

  // Without a tray a hidden window could never be shown. Panels start after this program, and start again.
  void watchTray() {
    m_unreachable.setSingleShot(true);
    m_unreachable.setInterval(kPanelStartsWithin);
    connect(&m_unreachable, &QTimer::timeout, this, [this] {
      if (!m_tray.available() && !m_window.isVisible()) showWindow();
    });
    connect(&m_tray, &TrayIcon::availableChanged, this, [this](bool available) {
      m_window.setStaysInTray(available);
      if (available) m_unreachable.stop();
      else m_unreachable.start();
    });
  }

  void connectTray() {
    watchTray();
    connect(&m_tray, &TrayIcon::toggleWindowRequested, this, [this] {
      if (m_window.isVisible() && !m_window.isMinimized()) {
        m_window.hide();
      } else {
        showWindow();
      }
    });
    connect(&m_tray, &TrayIcon::snapshotRequested, &m_window, &MainWindow::snapshotToCsv);
    connect(&m_tray, &TrayIcon::recordRequested, &m_window, &MainWindow::toggleRecording);
    connect(&m_tray, &TrayIcon::recentRequested, &m_window,
            [this] { m_window.recent().save(std::chrono::minutes(10)); });
    connect(&m_tray, &TrayIcon::settingsRequested, this, [this] { showSettings(); });
    connect(&m_tray, &TrayIcon::quitRequested, this, [this] { quit(); });
    connect(&m_tray, &TrayIcon::spikeRequested, this, [this](quint64 id) {
      showWindow();
      if (!m_session.viewedFile().isEmpty()) m_session.startLive();
      for (const Spike& spike : m_session.monitor().spikes())
        if (spike.id == id) m_window.goToSpike(spike);
    });
    connect(&m_tray, &TrayIcon::muteRequested, this, [this](const std::string& program) {
      m_window.mutes().mute(program);
      m_window.rememberLayout();
    });
    connect(&m_tray, &TrayIcon::saveRequested, this, [this](const Notification& spike) {
      m_saver.saveSince(spike.since - kBeforeSpike, [this](const Result<QString>& saved) {
        if (m_window.isVisible()) m_window.tell(saved);
        else tellByTray(saved);
      });
    });
    connect(&m_window, &MainWindow::visibilityChanged, &m_tray, &TrayIcon::setWindowVisible);
  }

  void apply(const Settings& settings) {
    if (m_look != settings.look) wear(settings.look);
    m_look = settings.look;
    m_session.apply(settings);
    m_tray.apply(settings);
    m_key.set(settings.saveKey);
    keepPast();
  }

  void keepPast() {
    if (m_options.synthetic) return;
    const bool wanted = m_settings.get().keepPast;
    m_pastFrames.follow(m_past, wanted);  // removes its files while they are locked
    m_past.setKept(wanted);
    m_pastFrames.follow(m_past);
    const QString told = m_window.recent().offer(m_past.earlier(), m_pastFrames.earlier());
    if (!told.isEmpty()) m_window.mention(told);
  }

  void showWindow() {
    m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
    m_window.show();
    m_window.raise();
    m_window.activateWindow();
  }

  void showSettings() {
    if (!m_dialog) {
      m_dialog = new SettingsDialog(m_settings, m_tray.available(), &m_window);
      m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_dialog->setVisible(true);
    m_dialog->raise();
    m_dialog->activateWindow();
  }

  void saidItStays() {
    if (m_settings.get().saidItStays) return;
    m_tray.sayItStays();
    Settings settings = m_settings.get();
    settings.saidItStays = true;
    m_settings.set(settings);
  }

  void spikeEnded(const Spike& spike) {
    if (m_window.mutes().has(spike.name)) return;
    if (m_settings.get().saveSpikes && !m_session.synthetic())
      m_saver.spikeEnded(spike, [this](const Result<QString>& saved) { m_window.tell(saved); });
    if (!m_settings.get().notifySpikes) return;
    if (const auto told = m_notifier.spikeEnded(spike, m_session.live().now().time)) m_tray.notify(*told);
  }

  void quit() {
    m_window.rememberLayout();
    m_session.stopRecording();
    QApplication::exit();  // quit() would first close the window, which then stays in the tray
  }

  StartOptions m_options;
  SettingsStore m_settings;
  Session m_session;
  MainWindow m_window;
  FrameWindows m_frames{m_settings};
  TrayIcon m_tray;
  Notifier m_notifier;
  CalibrationRun m_calibration;
  Answers m_answers{m_session};
  RecentSaver m_saver{m_session};
  GlobalKey m_key{tr("Save what just happened: the last 10 minutes of page faults")};
  PastOnDisk m_past{m_session};
  FramesOnDisk m_pastFrames;
  std::optional<SaveSignal> m_signal;
  bool m_calibrated = false;
  std::optional<Look> m_look;  // worn
  QPointer<SettingsDialog> m_dialog;
  QTimer m_unreachable;  // active while the window may be hidden without a tray
};

int refuse(const std::string& sentence) {
  std::fprintf(stderr, "faultline: %s\n", sentence.c_str());
  return 1;
}

}  // namespace

int runApplication(const StartOptions& options) {
  if (!options.screenshot.isEmpty()) {
    const Result<void> taken = takeScreenshot(options);
    return taken ? 0 : refuse(taken.error().message);
  }
  SingleInstance instance(SingleInstance::defaultName());
  QStringList handedOver;
  for (const QString& file : {options.recording, options.beside})
    if (!file.isEmpty()) handedOver << QFileInfo(file).absoluteFilePath();
  const Result<bool> first = instance.claim(handedOver);
  if (!first) return refuse(first.error().message);
  if (!*first) return 0;
  Application application(options);
  QObject::connect(&instance, &SingleInstance::secondStarted, &application,
                   [&](const QStringList& arguments) { application.raise(arguments); });
  application.start();
  return QApplication::exec();
}

}  // namespace faultline

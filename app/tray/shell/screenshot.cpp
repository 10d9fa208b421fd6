#include "app/tray/shell/screenshot.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>
#include <filesystem>

#include "app/tray/frames/windows.h"
#include "app/tray/session/session.h"
#include "app/tray/session/settings.h"
#include "app/tray/shell/main_window.h"
#include "core/recording/recording.h"

namespace faultline {
namespace {

constexpr int kPictureMs = 60'000;
constexpr int kLookMs = 50;
constexpr int kCulpritsMs = 5'000;
constexpr int kSettleMs = 400;  // layout, fonts and the last queued replot

bool ready(const Session& session, const Beside& beside, const StartOptions& options) {
  if (!options.beside.isEmpty() && !beside.read()) return false;
  if (!options.recording.isEmpty()) return session.state() == Session::State::Replay;
  return session.monitor().snapshots() >= options.screenshotAfter;
}

Result<void> save(QWidget& window, const StartOptions& options) {
  if (window.grab().save(options.screenshot, "PNG")) return {};
  return fail("Cannot save the picture to " + options.screenshot.toStdString() + ". Choose another folder.");
}

// Runs the event loop until `holds()`, for at most a minute.
template <class Condition>
bool waitFor(Condition holds) {
  QEventLoop waiting;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &waiting, [&] {
    if (holds()) waiting.quit();
  });
  look.start(kLookMs);
  QTimer::singleShot(kPictureMs, &waiting, &QEventLoop::quit);
  waiting.exec();
  return holds();
}

// Shows some seconds of bars, or a recording, with the worst frame selected and its culprits found.
Result<void> takeFrames(const WatchedProcess& process, const StartOptions& options, SettingsStore& settings) {
  FramesWindow window(process, settings);
  window.show();
  const FrameHistory& history = window.watch().history();
  const auto enough = [&] {
    const bool over = window.watch().state() == GameWatch::State::Exited;
    if (window.watch().recorded() || over) return over;
    return !history.empty() && history.newest() - history.oldest() > std::chrono::seconds(options.screenshotAfter);
  };
  if (!waitFor(enough) || history.empty())
    return fail("There were no frames to show within a minute. " + window.watch().stateText().toStdString());
  window.watch().recorded() ? window.selectWorst() : window.selectWorstShown();
  const QDeadlineTimer asked(kCulpritsMs);
  waitFor([&] { return window.culpritsShown() || asked.hasExpired(); });
  const QDeadlineTimer settled(kSettleMs);
  waitFor([&] { return settled.hasExpired(); });
  return save(window, options);
}

}  // namespace

Result<void> takeScreenshot(const StartOptions& options) {
  const QTemporaryDir scratch;
  SettingsStore settings(scratch.filePath(QStringLiteral("settings.conf")));
  if (options.frames != 0) return takeFrames(watchedProcess(options.frames, options.synthetic), options, settings);
  if (recordsFrames(std::filesystem::path(options.recording.toStdU16String())))
    return takeFrames(recordedProcess(options.recording), options, settings);
  Session session(settings.get());
  MainWindow window(session, settings);
  window.show();
  if (options.lab) window.showLab(options.labResult);

  QEventLoop waiting;
  QString trouble;
  const auto look = [&] {
    if (ready(session, window.beside(), options)) QTimer::singleShot(kSettleMs, &waiting, &QEventLoop::quit);
  };
  QObject::connect(&session, &Session::ingested, &waiting, look);
  QObject::connect(&session, &Session::stateChanged, &waiting, look);
  const auto failed = [&](const QString& sentence) {
    trouble = sentence;
    waiting.quit();
  };
  QObject::connect(&session, &Session::failed, &waiting, failed);
  QObject::connect(&window.beside(), &Beside::failed, &waiting, failed);
  QObject::connect(&window.beside(), &Beside::changed, &waiting, look);
  QTimer::singleShot(kPictureMs, &waiting, &QEventLoop::quit);
  QTimer::singleShot(0, &session, [&] {
    if (!options.recording.isEmpty()) window.openRecording(options.recording, options.beside);
    else if (options.synthetic) session.startSynthetic(options.windows);
    else session.startLive();
  });
  waiting.exec();

  if (!ready(session, window.beside(), options))
    return fail(trouble.isEmpty() ? "There was no data to show within a minute. " + session.stateText().toStdString()
                                  : trouble.toStdString());
  return save(window, options);
}

}  // namespace faultline

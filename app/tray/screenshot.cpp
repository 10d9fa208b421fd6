#include "app/tray/screenshot.h"

#include <QApplication>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include "app/tray/main_window.h"
#include "app/tray/session.h"
#include "app/tray/settings.h"

namespace faultline {
namespace {

constexpr int kPatienceMs = 60'000;
constexpr int kSettleMs = 400;  // layout, fonts and the last queued replot

bool ready(const Session& session, const StartOptions& options) {
  if (!options.recording.isEmpty()) return session.state() == Session::State::Replay;
  return session.monitor().snapshots() >= static_cast<std::uint64_t>(options.screenshotAfter);
}

}  // namespace

Result<void> takeScreenshot(const StartOptions& options) {
  const QTemporaryDir scratch;
  SettingsStore settings(scratch.filePath(QStringLiteral("settings.conf")));
  Session session(settings.get());
  MainWindow window(session, settings);
  window.show();

  QEventLoop waiting;
  QString trouble;
  const auto look = [&] {
    if (ready(session, options)) QTimer::singleShot(kSettleMs, &waiting, &QEventLoop::quit);
  };
  QObject::connect(&session, &Session::ingested, &waiting, look);
  QObject::connect(&session, &Session::stateChanged, &waiting, look);
  QObject::connect(&session, &Session::failed, &waiting, [&](const QString& sentence) {
    trouble = sentence;
    waiting.quit();
  });
  QTimer::singleShot(kPatienceMs, &waiting, &QEventLoop::quit);
  QTimer::singleShot(0, &session, [&] {
    if (!options.recording.isEmpty()) session.openRecording(options.recording);
    else if (options.demo) session.startDemo();
    else session.startLive();
  });
  waiting.exec();

  if (!ready(session, options))
    return fail(trouble.isEmpty() ? "There was no data to show within a minute. " + session.stateText().toStdString()
                                  : trouble.toStdString());
  if (!window.grab().save(options.screenshot, "PNG"))
    return fail("The picture could not be saved to " + options.screenshot.toStdString() + ". Choose another folder.");
  return {};
}

}  // namespace faultline

#include "app/tray/frames/windows.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <memory>
#include <utility>

#include "platform/host/processes.h"

namespace faultline {

WatchedProcess watchedProcess(std::uint32_t pid, bool synthetic) {
  QString name = QString::fromStdString(nameProcess(pid));
  name = synthetic ? FrameWindows::tr("a synthetic game") : name.section(QStringLiteral(" ("), 0, -2);
  return {.pid = pid, .name = name, .synthetic = synthetic};
}

WatchedProcess recordedProcess(const QString& file) {
  const QFileInfo info(file);
  return {.pid = 0, .name = info.fileName(), .recording = info.absoluteFilePath()};
}

// A window whose game has ended does not belong to a new process with the same pid.
FramesWindow* FrameWindows::open(const WatchedProcess& process) {
  const auto same = std::ranges::find_if(m_windows, [&](const auto& window) {
    const GameWatch& watch = window->watch();
    return watch.process().pid == process.pid && watch.process().recording == process.recording &&
           (watch.recorded() || watch.state() != GameWatch::State::Exited);
  });
  QPointer<FramesWindow> window = same == m_windows.end() ? nullptr : *same;
  if (window.isNull()) {
    window = new FramesWindow(process, m_settings, m_folder);
    window->setAttribute(Qt::WA_DeleteOnClose);
    m_windows.push_back(window);
    connect(&window->watch(), &GameWatch::stateChanged, this, &FrameWindows::tellWatching);
    connect(window, &QObject::destroyed, this, [this](const QObject* gone) {  // a QPointer may still name it
      std::erase_if(m_windows, [&](const auto& each) { return each.isNull() || each.data() == gone; });
      tellWatching();
    });
    if (!window->watch().recorded()) Q_EMIT watched(window->watch());
    tellWatching();
  }
  window->show();
  window->raise();
  window->activateWindow();
  return window;
}

void FrameWindows::tellWatching() {
  const bool watching =
      std::ranges::any_of(m_windows, [](const auto& window) { return !window.isNull() && !window->watch().over(); });
  if (std::exchange(m_watching, watching) != watching) Q_EMIT watchingChanged(watching);
}

QString FrameWindows::culpritLines(std::uint32_t pid) const {
  for (const auto& window : m_windows)
    if (!window.isNull() && !window->watch().recorded() && window->watch().process().pid == pid &&
        window->watch().state() != GameWatch::State::Exited)
      return window->culpritLines();
  return {};
}

void FrameWindows::saveRecent(MonotonicTime from, const QString& file, const TellSaved& tell) {
  const QFileInfo beside(file);
  for (const auto& window : m_windows) {
    if (window.isNull() || window->watch().recorded() || !window->watch().game()) continue;
    const auto frames = std::make_shared<RecentFrames>(window->recent(from));
    if (frames->empty()) continue;
    const QString name = QStringLiteral("%1-frames-%2.faultline");
    saveInTurns(
        this, beside.dir().filePath(name.arg(beside.completeBaseName(), QString::number(window->watch().game()->pid))),
        true, [frames](std::string& out) { return frames->next(out); }, tell);
  }
}

void FrameWindows::closeAll() {
  for (const auto& window : std::exchange(m_windows, {})) delete window.data();
}

}  // namespace faultline

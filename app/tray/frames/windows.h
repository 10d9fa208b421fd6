// FrameWindows: a window for each game that is watched and for each recording, as many as one likes; asked for one that
// is open, it comes to the front.
#pragma once

#include <QObject>
#include <QPointer>
#include <vector>

#include "app/tray/frames/window.h"

namespace faultline {

// The process with this number, as it is called now.
[[nodiscard]] WatchedProcess watchedProcess(std::uint32_t pid, bool synthetic);

// The same for a recording of a game's frames.
[[nodiscard]] WatchedProcess recordedProcess(const QString& file);

class FrameWindows : public QObject {
  Q_OBJECT
 public:
  explicit FrameWindows(SettingsStore& settings, const QString& collectorFolder = {}, QObject* parent = nullptr)
      : QObject(parent), m_settings(settings), m_folder(collectorFolder) {}
  ~FrameWindows() override { closeAll(); }

  FramesWindow* open(const WatchedProcess& process);
  void closeAll();
  // Saves the frames of each watched game since then, as a recording of this user alone: FILE-frames-PID.faultline.
  void saveRecent(MonotonicTime from, const QString& file, const TellSaved& tell);
  // The lines of a watched game's code that fault most; empty while it is not watched, or none was found.
  [[nodiscard]] QString culpritLines(std::uint32_t pid) const;

 Q_SIGNALS:
  void watched(const faultline::GameWatch& watch);  // from now on
  void watchingChanged(bool watching);              // any game

 private:
  void tellWatching();

  SettingsStore& m_settings;
  QString m_folder;
  std::vector<QPointer<FramesWindow>> m_windows;
  bool m_watching = false;
};

}  // namespace faultline

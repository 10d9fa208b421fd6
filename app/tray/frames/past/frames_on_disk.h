// FramesOnDisk: keeps the frames of the games that are watched in rings of files beside those of PastOnDisk, whose lock
// guards them, and has what an earlier Faultline left. At most 128 MB in all: 16 MB for each of 4 games, and as much
// for 4 games of before, the newest ones. A ring stays when its window is closed. Files have mode 0600.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "app/tray/frames/past/frame_ring.h"
#include "app/tray/session/past.h"

namespace faultline {

class FramesOnDisk : public QObject {
  Q_OBJECT
 public:
  static constexpr int kGames = 4;

  explicit FramesOnDisk(const FrameRingLimits& limits = {}) : m_limits(limits) {}

  // Keeps frames while they are wanted and the past is kept. Begins by taking over what is there; ends by removing all
  // files, so call it before the past lets go of its lock.
  void follow(const PastOnDisk& past, bool wanted = true);
  void watch(const GameWatch& watch);
  [[nodiscard]] const std::vector<EarlierFrames>& earlier() const { return m_earlier; }  // the newest first

 Q_SIGNALS:
  void failed(const QString& sentence);

 private:
  void takeOver();
  void removeAll();
  void keep(FrameRing& ring);
  void makeRoomFor(const FrameRing* newest);

  FrameRingLimits m_limits;
  QString m_folder;                                 // empty: nothing is kept
  int m_number = 0;                                 // of the last ring
  std::vector<std::unique_ptr<FrameRing>> m_rings;  // those without a frame, then the oldest first
  std::vector<EarlierFrames> m_earlier;
};

}  // namespace faultline

// CulpritFinder: the culprits of frames, one frame after the other, in short turns of the event loop so that the window
// stays alive. Reading the first stack of a module may take longer than a turn.
#pragma once

#include <QObject>
#include <QTimer>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/tray/frames/game_watch.h"
#include "core/culprits/culprits.h"

namespace faultline {

class CulpritFinder : public QObject {
  Q_OBJECT
 public:
  explicit CulpritFinder(GameWatch& watch, QObject* parent = nullptr);

  void ask(std::uint64_t place);       // before those that were asked for earlier
  void askLater(std::uint64_t place);  // once nothing else is to be done
  void notice();                       // frames have come: each hit by faults is asked for while it has samples
  // Absent: not found yet, or no samples are there. What was found stays when the samples are forgotten.
  [[nodiscard]] std::shared_ptr<const Culprits> found(std::uint64_t place) const;
  [[nodiscard]] bool busyWith(std::uint64_t place) const;
  // In words, for an export: found at once if it was not yet. Empty where no samples were kept.
  [[nodiscard]] std::string textNow(std::uint64_t place);

 Q_SIGNALS:
  void foundNow(quint64 place);

 private:
  struct Found {
    std::size_t samples = 0;
    std::shared_ptr<const Culprits> culprits;
  };

  [[nodiscard]] bool worthAsking(std::uint64_t place) const;
  void turn();
  void begin(std::uint64_t place);
  void finish();
  [[nodiscard]] std::string giveBack();
  [[nodiscard]] bool mayStillCome(std::uint64_t place) const;

  GameWatch& m_watch;
  QTimer m_timer;
  std::deque<std::uint64_t> m_asked;
  std::optional<std::uint64_t> m_place;
  std::vector<FaultSample> m_samples;
  std::size_t m_next = 0;
  std::optional<CulpritSearch> m_search;
  bool m_slow = false;  // the reader of stacks lets itself be waited for
  std::map<std::uint64_t, Found> m_found;
  std::map<std::uint64_t, std::string> m_texts;  // of all that was ever found: an export tells of each
  std::uint64_t m_noticed = 0;                   // the place behind the last frame that was looked at
  std::deque<std::uint64_t> m_waiting;           // for samples that come after their frame
};

}  // namespace faultline

// CulpritFinder: finds the culprits of frames, one frame after the other, in short turns of the event loop, so that the
// window stays responsive. Reading the first stack of a module may take longer than a turn.
#pragma once

#include <QObject>
#include <QTimer>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/tray/frames/game_watch.h"
#include "core/culprits/culprits.h"
#include "core/culprits/kept_culprits.h"

namespace faultline {

class CulpritFinder : public QObject {
  Q_OBJECT
 public:
  explicit CulpritFinder(GameWatch& watch, QObject* parent = nullptr);

  void ask(std::uint64_t place);        // before all earlier requests
  void askForAll(std::uint64_t place);  // the same, and for all of its stacks, though stacks are scarce
  void askLater(std::uint64_t place);   // after all other requests
  void notice();                        // new frames: requests each flagged frame while it has samples
  // Null: not found yet, there are no samples, or many others were found since. Results stay when the samples are
  // dropped.
  [[nodiscard]] std::shared_ptr<const Culprits> found(std::uint64_t place) { return m_found.find(place); }
  [[nodiscard]] QString worst();  // of the frame that the summary names, as words; empty: not found
  [[nodiscard]] std::vector<std::shared_ptr<const Culprits>> foundOfWorst(std::size_t most);  // of the worst frames
  [[nodiscard]] bool busyWith(std::uint64_t place) const;
  // In words, for an export. Empty if no samples were kept; absent while the frame's samples are searched, which begins
  // with the first call.
  [[nodiscard]] std::optional<std::string> text(std::uint64_t place);

 Q_SIGNALS:
  void foundNow(quint64 place, const std::shared_ptr<const Culprits>& culprits);

 private:
  [[nodiscard]] bool worthAsking(std::uint64_t place) const;
  void turn();
  void begin(std::uint64_t place);
  void finish();
  [[nodiscard]] bool mayStillCome(std::uint64_t place) const;

  GameWatch& m_watch;
  QTimer m_timer;
  std::deque<std::uint64_t> m_asked;
  std::optional<std::uint64_t> m_place;
  std::vector<FaultSample> m_samples;
  std::size_t m_count = 0;  // of the frame; m_samples may be some that stand for all
  std::size_t m_next = 0;
  std::shared_ptr<StackReader> m_reader;  // of m_search
  std::optional<CulpritSearch> m_search;
  bool m_slow = false;  // the reader of stacks has not answered yet
  KeptCulprits m_found;
  std::set<std::uint64_t> m_partly;              // of which only some stacks were read, as these were scarce
  std::optional<std::uint64_t> m_whole;          // of which all are asked for
  std::map<std::uint64_t, std::string> m_texts;  // of all results, for exports
  std::uint64_t m_noticed = 0;                   // place after the last frame seen by notice()
  std::deque<std::uint64_t> m_waiting;           // frames whose samples may still come
};

}  // namespace faultline

// TimeView: the range of time that the plots show. Live means that the right edge follows the newest sample; otherwise
// the range does not move while data arrives.
#pragma once

#include <QObject>
#include <optional>

#include "core/base/units.h"

namespace faultline {

class TimeView : public QObject {
  Q_OBJECT
 public:
  // `least`: the shortest range.
  explicit TimeView(QObject* parent = nullptr, Nanoseconds least = std::chrono::seconds(1))
      : QObject(parent), m_least(least) {}

  // Sets the range of available data, which grows with every sample; a new recording replaces it.
  void setData(MonotonicTime oldest, MonotonicTime newest);
  // The same where something else is shown beside the data, which ends at `end`, and moves: the visible range stays.
  void stretch(MonotonicTime oldest, MonotonicTime newest, MonotonicTime end);
  [[nodiscard]] MonotonicTime oldest() const { return m_oldest; }
  [[nodiscard]] MonotonicTime newest() const { return m_newest; }

  [[nodiscard]] MonotonicTime from() const { return to() - span(); }
  [[nodiscard]] MonotonicTime to() const { return m_end.value_or(m_newest); }
  // Length of the visible range. A live view with less data than chosen shows only the time with data.
  [[nodiscard]] Nanoseconds span() const;
  [[nodiscard]] Nanoseconds chosenSpan() const { return m_all ? span() : m_span; }
  [[nodiscard]] bool live() const { return !m_end; }
  [[nodiscard]] bool showsAll() const { return m_all; }

  void setSpan(Nanoseconds span);
  void showAll();
  void goLive();
  void goTo(MonotonicTime middle);  // stops with this instant in the middle, or goes live at the newest data
  // Stops in any case; instant() is then this instant while it is in view, which another span keeps.
  void standAt(MonotonicTime instant);
  void stopAt(MonotonicTime instant);  // the same for an instant in view, and the range stays
  void pan(Nanoseconds by);            // positive: later; goes live at the newest sample
  // `factor` < 1 shows less time. `fixed` keeps its place if there is data; at the live edge the view stays live.
  void zoom(double factor, MonotonicTime fixed);
  void zoom(double factor);  // around the chosen instant, the middle, or the live edge

  // Arrows, page keys, Home, End, + and - move and zoom as in all pictures of time. False: another key.
  bool takeKey(int key);

  // The instant under the pointer; absent if there is none in view.
  void setCursor(std::optional<MonotonicTime> cursor);
  [[nodiscard]] std::optional<MonotonicTime> cursor() const;
  // The instant for tables; absent: now.
  [[nodiscard]] std::optional<MonotonicTime> instant() const;

 Q_SIGNALS:
  void changed();
  void cursorChanged();

 private:
  void setEnd(MonotonicTime end);
  void leavePlace();
  [[nodiscard]] bool chosenInView() const;
  [[nodiscard]] Nanoseconds scaled(Nanoseconds span, double factor) const;

  Nanoseconds m_least;
  MonotonicTime m_oldest;
  MonotonicTime m_newest;
  MonotonicTime m_dataEnd;  // before m_newest where something else lasts longer
  Nanoseconds m_span = std::chrono::minutes(1);
  bool m_all = false;
  std::optional<MonotonicTime> m_end;
  std::optional<MonotonicTime> m_chosen;  // by standAt() and stopAt(), until live
  std::optional<MonotonicTime> m_cursor;
};

}  // namespace faultline

// TimeView: which stretch of time the plots show. "Live" is a place on the axis: while `end` is absent the right edge
// follows the newest sample; once it is set the picture stands still and data goes on arriving out of sight.
#pragma once

#include <QObject>
#include <optional>

#include "core/base/units.h"

namespace faultline {

class TimeView : public QObject {
  Q_OBJECT
 public:
  // No shorter stretch than `least` is shown.
  explicit TimeView(QObject* parent = nullptr, Nanoseconds least = std::chrono::seconds(1))
      : QObject(parent), m_least(least) {}

  // The stretch of time there is data for. Grows with every sample; a new recording replaces it.
  void setData(MonotonicTime oldest, MonotonicTime newest);
  [[nodiscard]] MonotonicTime oldest() const { return m_oldest; }
  [[nodiscard]] MonotonicTime newest() const { return m_newest; }

  [[nodiscard]] MonotonicTime from() const { return to() - span(); }
  [[nodiscard]] MonotonicTime to() const { return m_end.value_or(m_newest); }
  // What is in sight. A live view that has less data than was chosen shows all of that, not the time before it.
  [[nodiscard]] Nanoseconds span() const;
  [[nodiscard]] Nanoseconds chosenSpan() const { return m_all ? span() : m_span; }
  [[nodiscard]] bool live() const { return !m_end; }
  [[nodiscard]] bool showsAll() const { return m_all; }

  void setSpan(Nanoseconds span);
  void showAll();
  void goLive();
  void goTo(
      MonotonicTime middle);  // stands still with this instant in the middle, or live if that is the newest stretch
  void standAt(MonotonicTime instant);  // stands still in any case, and tells tables of this instant
  void pan(Nanoseconds by);             // later is positive; panning into the newest sample goes live
  // < 1 shows less; `fixed` keeps its place, as far as there is data. At the live edge the view stays live.
  void zoom(double factor, MonotonicTime fixed);
  void zoom(double factor);  // around the middle, or the live edge

  // Arrows, page keys, Home, End, + and - do here what they do in every picture of time. False: another key.
  bool takeKey(int key);

  // The instant under the pointer, or absent: also when it has gone out of sight.
  void setCursor(std::optional<MonotonicTime> cursor);
  [[nodiscard]] std::optional<MonotonicTime> cursor() const;
  // What tables should show: absent means now.
  [[nodiscard]] std::optional<MonotonicTime> instant() const;

 Q_SIGNALS:
  void changed();
  void cursorChanged();

 private:
  void setEnd(MonotonicTime end);
  [[nodiscard]] Nanoseconds scaled(Nanoseconds span, double factor) const;

  Nanoseconds m_least;
  MonotonicTime m_oldest;
  MonotonicTime m_newest;
  Nanoseconds m_span = std::chrono::minutes(1);
  bool m_all = false;
  std::optional<MonotonicTime> m_end;
  std::optional<MonotonicTime> m_chosen;  // where standAt() stopped time
  std::optional<MonotonicTime> m_cursor;
};

}  // namespace faultline

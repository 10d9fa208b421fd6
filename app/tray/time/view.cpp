#include "app/tray/time/view.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr Nanoseconds kMostSpan = std::chrono::hours(24 * 365);
constexpr int kEdge = 50;  // this part of the view at the right counts as its edge

}  // namespace

Nanoseconds TimeView::scaled(Nanoseconds span, double factor) const {
  const double ns = static_cast<double>(span.count()) * factor;
  return std::clamp(Nanoseconds(static_cast<Nanoseconds::rep>(std::min(ns, 9e18))), m_least, kMostSpan);
}

void TimeView::setData(MonotonicTime oldest, MonotonicTime newest) {
  if (newest < m_newest || oldest > m_newest) leavePlace();  // another stream, in which the old place has no meaning
  m_oldest = oldest;
  m_newest = m_dataEnd = newest;
  Q_EMIT changed();
}

void TimeView::stretch(MonotonicTime oldest, MonotonicTime newest, MonotonicTime end) {
  if (oldest == m_oldest && newest == m_newest && end == m_dataEnd) return;
  m_oldest = oldest;
  m_newest = newest;
  m_dataEnd = end;
  if (m_end) setEnd(*m_end);
  Q_EMIT changed();
}

Nanoseconds TimeView::span() const {
  const Nanoseconds all = std::max(m_newest - m_oldest, m_least);
  if (m_all) return all;
  return live() ? std::min(m_span, all) : m_span;
}

void TimeView::setSpan(Nanoseconds span) {
  const bool keeps = chosenInView();
  m_span = std::clamp(span, m_least, kMostSpan);
  m_all = false;
  if (keeps) return standAt(*m_chosen);
  Q_EMIT changed();
}

void TimeView::showAll() {
  m_all = true;
  leavePlace();
  Q_EMIT changed();
}

void TimeView::goLive() {
  leavePlace();
  Q_EMIT changed();
  setCursor(std::nullopt);
}

void TimeView::leavePlace() {
  m_end.reset();
  m_chosen.reset();
}

bool TimeView::chosenInView() const {
  return m_end && m_chosen && *m_chosen >= from() && *m_chosen <= to();
}

void TimeView::goTo(MonotonicTime middle) {
  setEnd(middle + span() / 2);
  Q_EMIT changed();
}

void TimeView::standAt(MonotonicTime instant) {
  m_span = chosenSpan();
  m_all = false;
  m_end = std::clamp(instant + m_span / 2, std::min(m_oldest + m_span, m_newest), m_newest);
  m_chosen = instant;
  Q_EMIT changed();
}

void TimeView::stopAt(MonotonicTime instant) {
  m_end = to();
  m_span = chosenSpan();
  m_all = false;
  m_chosen = instant;
  Q_EMIT changed();
}

void TimeView::pan(Nanoseconds by) {
  const MonotonicTime end = to() + by;
  m_span = chosenSpan();
  m_all = false;
  setEnd(end);
  Q_EMIT changed();
}

void TimeView::zoom(double factor, MonotonicTime fixed) {
  const Nanoseconds before = span();
  const MonotonicTime end = to();
  const bool atEdge = live() && end - fixed <= before / kEdge;
  m_span = scaled(factor < 1 ? before : chosenSpan(), factor);
  m_all = false;
  if (!atEdge)
    setEnd(fixed + scaled(std::max(end - fixed, Nanoseconds(1)),
                          static_cast<double>(m_span.count()) / static_cast<double>(before.count())));
  Q_EMIT changed();
}

void TimeView::zoom(double factor) {
  if (chosenInView()) return setSpan(scaled(span(), factor));
  zoom(factor, live() ? to() : to() - span() / 2);
}

// Keeps the end between the newest sample (which means live) and a place with data in view.
void TimeView::setEnd(MonotonicTime end) {
  if (end < m_newest) m_end = std::max(end, std::min(m_oldest + m_span, m_newest));
  if (end >= m_newest || *m_end >= m_newest) leavePlace();
}

bool TimeView::takeKey(int key) {
  switch (key) {
    case Qt::Key_Left:
      pan(-span() / 10);
      return true;
    case Qt::Key_Right:
      pan(span() / 10);
      return true;
    case Qt::Key_PageUp:
      pan(-span());
      return true;
    case Qt::Key_PageDown:
      pan(span());
      return true;
    case Qt::Key_Home:
      goTo(oldest());
      return true;
    case Qt::Key_End:
      goLive();
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(0.5);
      return true;
    case Qt::Key_Minus:
      zoom(2);
      return true;
    default:
      return false;
  }
}

void TimeView::setCursor(std::optional<MonotonicTime> cursor) {
  if (cursor == m_cursor) return;
  m_cursor = cursor;
  Q_EMIT cursorChanged();
}

std::optional<MonotonicTime> TimeView::cursor() const {
  return m_cursor && *m_cursor >= from() && *m_cursor <= to() ? m_cursor : std::nullopt;
}

std::optional<MonotonicTime> TimeView::instant() const {
  if (live()) return m_dataEnd < m_newest ? std::optional(m_newest) : std::nullopt;
  if (const auto pointed = cursor()) return pointed;
  return chosenInView() ? m_chosen : m_end;
}

}  // namespace faultline

// SpikePart: the spike that is shown, on the page of its process: when, how much, how unusual, and its place among the
// spikes of its habit, each of which can be reached. Hidden without a spike.
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

class SpikePart : public QWidget {
  Q_OBJECT
 public:
  explicit SpikePart(const Monitor& monitor, QWidget* parent = nullptr);

  void show(const Spike& spike);
  void leave();
  void refresh();  // a spike may grow, and its habit
  [[nodiscard]] const std::optional<Spike>& spike() const { return m_spike; }
  [[nodiscard]] QString text() const { return m_text->text(); }

 Q_SIGNALS:
  void spikeRequested(const faultline::Spike& spike);

 private:
  void step(int by);

  const Monitor& m_monitor;
  std::optional<Spike> m_spike;
  std::vector<std::uint64_t> m_ids;  // of the spikes of its habit, oldest first
  std::size_t m_place = 0;           // of the spike in them
  QLabel* m_title;
  QLabel* m_text;
  QToolButton* m_earlier;
  QToolButton* m_later;
};

}  // namespace faultline

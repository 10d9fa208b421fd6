#include "app/tray/page/spike_part.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "app/tray/spikes/text.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/theme.h"
#include "app/tray/widgets/utf8.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kSpikeGap = 4;

}  // namespace

SpikePart::SpikePart(const Monitor& monitor, QWidget* parent)
    : QWidget(parent),
      m_monitor(monitor),
      m_title(new QLabel),
      m_text(new QLabel),
      m_earlier(new QToolButton),
      m_later(new QToolButton) {
  m_title->setTextFormat(Qt::PlainText);
  m_text->setTextFormat(Qt::PlainText);
  for (QLabel* each : {m_title, m_text}) {
    each->setWordWrap(true);
    each->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);  // no text widens the page
  }
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_earlier->setArrowType(Qt::LeftArrow);
  m_later->setArrowType(Qt::RightArrow);
  m_earlier->setToolTip(tr("The spike before it, of the same habit"));
  m_later->setToolTip(tr("The spike after it, of the same habit"));
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpikeGap);
  row->addWidget(m_title, 1);
  for (QToolButton* each : {m_earlier, m_later}) {
    each->setAutoRaise(true);
    each->setAccessibleName(each->toolTip());
    row->addWidget(each);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kSpikeGap);
  column->addLayout(row);
  column->addWidget(m_text);
  connect(m_earlier, &QToolButton::clicked, this, [this] { step(-1); });
  connect(m_later, &QToolButton::clicked, this, [this] { step(1); });
  hide();
}

void SpikePart::show(const Spike& spike) {
  m_spike = spike;
  refresh();
  setVisible(true);
}

void SpikePart::leave() {
  m_spike.reset();
  hide();
}

void SpikePart::refresh() {
  if (!m_spike) return;
  const auto& kept = m_monitor.spikes();
  const auto now = std::ranges::find(kept, m_spike->id, &Spike::id);
  if (now != kept.end() && now->start == m_spike->start) m_spike = *now;
  m_ids.clear();
  QString title = QStringLiteral("◆ ") + tr("Spike at %1").arg(spikeTime(*m_spike));
  for (const SpikeGroup& group : groupSpikes(kept)) {
    const auto place = std::ranges::find(group.spikes, m_spike->id, &Spike::id);
    if (place == group.spikes.end() || group.times() < 2) continue;
    for (const Spike* spike : group.spikes) m_ids.push_back(spike->id);
    m_place = static_cast<std::size_t>(place - group.spikes.begin());
    title += tr(" · %1 of %2").arg(m_place + 1).arg(faultline::text(habitTimes(group)));
  }
  for (QToolButton* each : {m_earlier, m_later}) each->setVisible(!m_ids.empty());
  m_earlier->setEnabled(m_place > 0);
  m_later->setEnabled(m_place + 1 < m_ids.size());
  m_title->setText(wholeNumbers(title));
  QPalette vermilion = palette();
  vermilion.setColor(QPalette::Text, themeFor(vermilion).spike);  // on the ground of the tables
  m_title->setPalette(vermilion);
  m_text->setText(wholeNumbers(spikeDetails(*m_spike).section(u'\n', 1)));  // the page has the name
}

void SpikePart::step(int by) {
  const std::uint64_t id = m_ids.at(m_place + static_cast<std::size_t>(by));
  for (const Spike& spike : m_monitor.spikes())
    if (spike.id == id) return Q_EMIT spikeRequested(spike);
}

}  // namespace faultline

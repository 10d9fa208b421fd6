#include "app/tray/table/cost_line.h"

#include "app/tray/widgets/plain_text.h"
#include "core/monitor/cost_text.h"

namespace faultline {

CostLine::CostLine(const Monitor& monitor, QWidget* parent) : QLabel(parent), m_monitor(monitor) {
  setTextFormat(Qt::PlainText);
  setContentsMargins(8, 3, 8, 3);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setAccessibleName(tr("Cost of the selected process and all its descendants"));
  hide();
}

void CostLine::setSubject(std::optional<ProcessKey> key) {
  if (key == m_subject) return;
  m_subject = key;
  m_name = key ? std::to_string(key->pid) : std::string();
  refresh();
}

void CostLine::setReplay(bool replay) {
  m_replay = replay;
  refresh();
}

void CostLine::refresh() {
  const auto cost = m_subject ? m_monitor.cost(*m_subject) : std::nullopt;
  setVisible(cost.has_value());
  if (!cost) return;
  m_name = m_monitor.history().name(*m_subject).value_or(m_name);
  QString sentence =
      (m_replay ? tr("%1, since the recording began") : tr("%1, since Faultline was started"))
          .arg(QString::fromStdString(costText(shortName(m_name).toStdString(), *cost, m_monitor.hello())));
  if (const std::string present = costNowText(*m_subject, m_monitor.now(), m_monitor.hello()); !present.empty())
    sentence = tr("%1; %2").arg(sentence, QString::fromStdString(present));
  if (sentence == m_sentence) return;
  m_sentence = sentence;
  setToolTip(
      plainToolTip(tr("%1.\nA process counts for the process that started it, also after its end.").arg(sentence)));
  fit();
  tellChange(*this);
}

void CostLine::fit() {
  setText(fontMetrics().elidedText(m_sentence, Qt::ElideRight, contentsRect().width()));
}

void CostLine::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  fit();
}

}  // namespace faultline

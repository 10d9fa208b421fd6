#include "app/tray/plots/grant_offer.h"

namespace faultline {
namespace {

constexpr int kGap = 4;

}  // namespace

GrantOffer::GrantOffer(QWidget& plots, const Monitor& monitor) : m_monitor(monitor) {
  for (const Panel panel : {Panel::Time, Panel::Zeroing}) {
    auto* button = new QToolButton(&plots);
    button->setText(tr("Set up…"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setCursor(Qt::PointingHandCursor);
    button->setToolTip(tr("Show which permission is granted to which program, and its cost"));
    button->hide();
    connect(button, &QToolButton::clicked, this, &GrantOffer::requested);
    m_buttons[static_cast<std::size_t>(panel)] = button;
  }
}

bool GrantOffer::set(bool offered) {
  return std::exchange(m_offered, offered) != offered;
}

bool GrantOffer::concerns(Panel panel) const {
  return m_offered && !why(panel).isEmpty();
}

QString GrantOffer::note(Panel panel) const {
  if (concerns(panel)) return tr("Needs a one-time permission ·");
  const bool told = panel == Panel::Zeroing && !why(panel).isEmpty() && why(panel) == why(Panel::Time);
  return told ? tr("Not measured, for the same reason.") : why(panel);
}

void GrantOffer::place(Panel panel, const QRect& note) {
  QToolButton* button = m_buttons[static_cast<std::size_t>(panel)];
  if (button == nullptr) return;
  const QSize size(button->sizeHint().width(), note.height() + 2 * kGap);
  button->setGeometry(QRect(QPoint(note.right() + kGap, note.top() - kGap), size));
  button->setVisible(concerns(panel) && m_monitor.snapshots() > 0);
}

}  // namespace faultline

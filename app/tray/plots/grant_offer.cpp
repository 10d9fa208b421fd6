#include "app/tray/plots/grant_offer.h"

namespace faultline {
namespace {

constexpr int kOfferGap = 4;

}  // namespace

GrantOffer::GrantOffer(QWidget& plots, const Monitor& monitor) : m_monitor(monitor) {
  for (const Panel panel : {Panel::Time, Panel::Zeroing}) {
    auto* button = new QToolButton(&plots);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setCursor(Qt::PointingHandCursor);
    button->hide();
    name(*button);
    connect(button, &QToolButton::clicked, this, &GrantOffer::ask);
    m_buttons[static_cast<std::size_t>(panel)] = button;
  }
}

void GrantOffer::name(QToolButton& button) const {
  button.setText(m_offered ? tr("Set up…") : tr("Why…"));
  button.setToolTip(m_offered ? tr("Show which permission is granted to which program, and its cost")
                              : tr("Show how each number is measured, and why some are not"));
}

bool GrantOffer::set(bool offered) {
  if (std::exchange(m_offered, offered) == offered) return false;
  for (QToolButton* button : m_buttons)
    if (button != nullptr) name(*button);
  return true;
}

void GrantOffer::ask() {
  if (m_offered) Q_EMIT grantRequested();
  else Q_EMIT whyRequested();
}

QString GrantOffer::note(Panel panel) const {
  if (!concerns(panel)) return {};
  return m_offered ? tr("Needs a one-time permission ·") : tr("Not measured ·");
}

QString GrantOffer::sentence(Panel panel) const {
  if (!concerns(panel)) return {};
  return m_offered ? tr("Needs a one-time permission: Set up…, beside the title.")
                   : tr("Not measured on this machine.");
}

void GrantOffer::place(Panel panel, const QRect& note) {
  QToolButton* button = m_buttons[static_cast<std::size_t>(panel)];
  if (button == nullptr) return;
  const QSize size(button->sizeHint().width(), note.height() + 2 * kOfferGap);
  button->setGeometry(QRect(QPoint(note.right() + kOfferGap, note.top() - kOfferGap), size));
  button->setVisible(concerns(panel) && m_monitor.snapshots() > 0);
}

}  // namespace faultline

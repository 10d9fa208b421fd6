#include "app/tray/widgets/trouble_bar.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

constexpr qsizetype kMostLines = 3;  // the newest

}  // namespace

TroubleBar::TroubleBar(QWidget* parent) : QWidget(parent), m_text(new QLabel) {
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new QToolButton;
  close->setText(tr("Close"));
  close->setToolTip(tr("Close this message (Esc)"));
  close->setAutoRaise(true);
  close->setFocusPolicy(Qt::StrongFocus);
  connect(close, &QToolButton::clicked, this, &TroubleBar::dismiss);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 4, 8, 4);
  row->addWidget(m_text, 1);
  row->addWidget(close, 0, Qt::AlignTop);
  setAutoFillBackground(true);
  applyTheme();
  hide();
}

void TroubleBar::tell(const QString& sentence) {
  QStringList lines = isHidden() ? QStringList() : m_text->text().split(QLatin1Char('\n'));
  if (!lines.contains(sentence)) lines << sentence;
  m_text->setText(lines.mid(std::max<qsizetype>(lines.size() - kMostLines, 0)).join(QLatin1Char('\n')));
  show();
  QAccessibleEvent alert(m_text, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void TroubleBar::dismiss() {
  hide();
}

void TroubleBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && parentWidget() != nullptr) applyTheme();
}

// Sets the palette only if it differs, because setting it emits another change.
void TroubleBar::applyTheme() {
  const Theme theme = themeFor(parentWidget() != nullptr ? parentWidget()->palette() : palette());
  QPalette ink = m_text->palette();
  ink.setColor(QPalette::WindowText, theme.spike);
  if (m_text->palette() != ink) m_text->setPalette(ink);
}

}  // namespace faultline

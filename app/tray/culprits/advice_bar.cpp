#include "app/tray/culprits/advice_bar.h"

#include <QHBoxLayout>

#include "app/tray/widgets/plain_text.h"
#include "core/advice/text.h"

namespace faultline {

AdviceBar::AdviceBar(QWidget* parent) : QWidget(parent), m_text(new QLabel), m_try(new QPushButton(tr("&Try this…"))) {
  m_text->setWordWrap(true);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_try->setToolTip(tr("Shows the command that runs the program with and without the remedy"));
  constexpr int kMargin = 8;
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kMargin, kMargin / 2, kMargin, kMargin / 2);
  row->addWidget(m_text, 1);
  row->addWidget(m_try, 0, Qt::AlignTop);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  hide();
  connect(m_try, &QPushButton::clicked, this, &AdviceBar::tryRequested);
}

void AdviceBar::show(const std::optional<Advice>& advice) {
  if (advice == m_advice) return;
  m_advice = advice;
  setVisible(advice.has_value());
  if (!advice) return;
  m_text->setText(wholeNumbers(QString::fromStdString(adviceText(*advice))));
  m_try->setVisible(!remediesOf(*advice).empty());
}

}  // namespace faultline

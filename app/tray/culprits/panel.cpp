#include "app/tray/culprits/panel.h"

#include <QEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/screen_fit.h"
#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

constexpr int kPanelMargin = 8;

QLabel* sentence() {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setContentsMargins(kPanelMargin, kPanelMargin / 2, kPanelMargin, kPanelMargin / 2);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

}  // namespace

CulpritPanel::CulpritPanel(QWidget* parent)
    : QWidget(parent),
      m_title(sentence()),
      m_parts(new PartsBar),
      m_whyNot(sentence()),
      m_content(new QSplitter(Qt::Horizontal)),
      m_shares(new ShareList),
      m_flames(new FlameGraph),
      m_noStacks(sentence()),
      m_advice(new AdviceBar) {
  auto* stacks = new QWidget;
  auto* column = new QVBoxLayout(stacks);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scrolled(*m_flames), 1);
  column->addWidget(m_noStacks, 1);
  m_content->addWidget(m_shares);
  m_content->addWidget(stacks);
  m_content->setStretchFactor(0, 2);
  m_content->setStretchFactor(1, 3);
  m_content->setChildrenCollapsible(false);
  constexpr int kFewestRows = 6;
  m_content->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  m_content->setMinimumHeight(kFewestRows * m_shares->fontMetrics().height());
  auto* all = new QWidget;
  auto* layout = new QVBoxLayout(all);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_title);
  m_parts->setAccessibleName(tr("Parts of the frame"));
  m_parts->setToolTip(tr("How the thread that ends the frame spent it"));
  auto* parts = new QVBoxLayout;
  parts->setContentsMargins(kPanelMargin, 0, kPanelMargin, 0);
  parts->addWidget(m_parts);
  layout->addLayout(parts);
  layout->addWidget(m_whyNot, 1);
  layout->addWidget(m_content, 1);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  outer->addWidget(scrolled(*all), 1);
  outer->addWidget(m_advice);
  connect(m_advice, &AdviceBar::tryRequested, this, &CulpritPanel::tryRequested);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  applyTheme();
  showWhyNot({},
             tr("Click a bar, or a row of the table, to see the culprits of that frame: threads, memory, and the call "
                "stacks that faulted."));
}

void CulpritPanel::show(const QString& frame, std::shared_ptr<const Culprits> culprits, const QString& whyNoStacks) {
  m_title->setText(wholeNumbers(frame));
  m_title->show();
  if (culprits == m_culprits && !m_content->isHidden()) return;
  m_culprits = std::move(culprits);
  m_whyNot->hide();
  m_content->show();
  m_shares->setCulprits(*m_culprits);
  m_flames->setCulprits(m_culprits);
  m_flames->parentWidget()->parentWidget()->setVisible(m_culprits->stacks);
  m_noStacks->setVisible(!m_culprits->stacks);
  m_noStacks->setText(whyNoStacks.isEmpty() ? tr("No call stack of these faults could be read.") : whyNoStacks);
}

void CulpritPanel::showWhyNot(const QString& frame, const QString& why) {
  m_culprits.reset();
  m_flames->setCulprits(nullptr);
  m_title->setText(wholeNumbers(frame));
  m_title->setVisible(!frame.isEmpty());
  m_whyNot->setText(why);
  m_whyNot->show();
  m_content->hide();
}

void CulpritPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyTheme();
}

void CulpritPanel::applyTheme() {
  QPalette dim = palette();
  dim.setColor(QPalette::WindowText, themeFor(dim).dimInk);
  m_whyNot->setPalette(dim);
  m_noStacks->setPalette(dim);
}

}  // namespace faultline

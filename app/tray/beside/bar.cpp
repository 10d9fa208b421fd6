#include "app/tray/beside/bar.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

namespace faultline {
namespace {

constexpr std::array kAlignments{Alignment::Clock, Alignment::Start, Alignment::Program};

}  // namespace

BesideBar::BesideBar(QWidget* parent)
    : QWidget(parent), m_words(new LineLabel), m_align(new QComboBox), m_sums(new QLabel) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(12, 2, 8, 4);
  rows->setSpacing(2);
  auto* row = new QHBoxLayout;
  row->addWidget(m_words, 1);
  row->addWidget(m_align);
  m_align->setAccessibleName(tr("How the recordings are aligned"));
  m_align->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const Alignment each : kAlignments) m_align->addItem(alignmentText(each, {}));
  connect(m_align, &QComboBox::activated, this,
          [this](int index) { Q_EMIT aligned(kAlignments.at(static_cast<std::size_t>(index))); });
  const auto addButton = [&](const QString& words, const QString& tip, auto clicked) {
    auto* button = new QToolButton;
    button->setText(words);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, clicked);
    row->addWidget(button);
  };
  addButton(QStringLiteral("◂"), tr("Move the second recording to the left (Alt+←)"), [this] { Q_EMIT moved(-1); });
  addButton(QStringLiteral("▸"), tr("Move the second recording to the right (Alt+→)"), [this] { Q_EMIT moved(1); });
  addButton(tr("Where they differ…"), tr("List the programs whose page faults differ most in the visible range"),
            [this] { Q_EMIT differencesRequested(); });
  addButton(tr("Leave"), tr("Show the first recording alone"), [this] { Q_EMIT leaveRequested(); });
  rows->addLayout(row);
  m_sums->setTextFormat(Qt::PlainText);
  m_sums->setWordWrap(true);
  m_sums->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_sums->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  rows->addWidget(m_sums);
  hide();
}

void BesideBar::showAlignment(Alignment alignment, const QString& program) {
  const QSignalBlocker quiet(m_align);
  m_align->setItemText(static_cast<int>(Alignment::Program), alignmentText(Alignment::Program, program));
  m_align->setCurrentIndex(static_cast<int>(alignment));
}

}  // namespace faultline

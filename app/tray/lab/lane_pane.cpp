#include "app/tray/lab/lane_pane.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/tray/widgets/calm_box.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kMargin = 8;

}  // namespace

LanePane::LanePane(QWidget* parent)
    : QWidget(parent), m_runs(new CalmBox), m_sentence(new LineLabel), m_view(new LaneView) {
  m_runs->setAccessibleName(tr("Run in the lanes"));
  m_runs->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_view);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* line = new QHBoxLayout;
  line->addWidget(m_runs);
  line->addWidget(m_sentence, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kMargin, kMargin / 2, 0, 0);
  column->addLayout(line);
  column->addWidget(scroll, 1);
  connect(m_runs, &QComboBox::currentIndexChanged, this, &LanePane::show);
}

// First the run in which most threads resume together.
void LanePane::setPictures(const std::vector<LanePicture>& pictures) {
  if (pictures == m_pictures) return;
  m_pictures = pictures;
  const QSignalBlocker quiet(m_runs);
  m_runs->clear();
  for (const LanePicture& picture : m_pictures) m_runs->addItem(QString::fromStdString(printableName(picture.run)));
  const auto most =
      std::ranges::max_element(m_pictures, {}, [](const LanePicture& each) { return each.resumed.size(); });
  m_runs->setCurrentIndex(static_cast<int>(most - m_pictures.begin()));
  show(m_runs->currentIndex());
}

void LanePane::show(int index) {
  if (index < 0 || index >= static_cast<int>(m_pictures.size())) return;
  const LanePicture& picture = m_pictures[static_cast<std::size_t>(index)];
  m_sentence->setLine(QString::fromStdString(picture.sentence));
  m_view->setPicture(picture);
}

}  // namespace faultline

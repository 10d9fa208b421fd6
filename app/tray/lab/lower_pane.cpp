#include "app/tray/lab/lower_pane.h"

namespace faultline {

LowerPane::LowerPane(Session& session, ProcessTable& table, QWidget* parent)
    : QStackedWidget(parent), m_session(session), m_table(table), m_labShown(tr("La&b: what memory costs here")) {
  addWidget(&table);
  m_labShown.setCheckable(true);
  m_labShown.setShortcut(QKeySequence(tr("Ctrl+L")));
  connect(&m_labShown, &QAction::triggered, this, &LowerPane::choose);
  connect(&session, &Session::ingested, this, &LowerPane::observe);
}

LabPage& LowerPane::lab() {
  if (m_lab != nullptr) return *m_lab;
  m_lab = new LabPage;
  addWidget(m_lab);
  connect(m_lab, &LabPage::runEnded, this, [this] { Q_EMIT followRequested(std::nullopt); });
  connect(m_lab, &LabPage::calibrated, &m_session, &Session::loadCalibration);
  connect(m_lab, &LabPage::closed, this, [this] { choose(false); });
  connect(m_lab, &LabPage::said, this, [this](const QString& sentence) { Q_EMIT told(sentence); });
  connect(m_lab, &LabPage::failed, this, [this](const QString& why) { Q_EMIT told(fail(why.toStdString())); });
  observe();
  return *m_lab;
}

LabPage& LowerPane::showLab(const QString& savedResult) {
  choose(true);
  if (!savedResult.isEmpty())
    if (const auto opened = lab().open(savedResult); !opened) Q_EMIT told(tl::unexpected(opened.error()));
  return lab();
}

void LowerPane::focusFilter() {
  choose(false);
  m_table.focusFilter();
}

// Another machine's processes may have the same number.
void LowerPane::observe() {
  if (m_lab == nullptr) return;
  const Monitor& monitor = m_session.monitor();
  m_lab->showCalibration(monitor.calibration(), monitor.calibrationRemarks());
  if (m_session.state() != Session::State::Live || m_session.synthetic()) return;
  if (const auto begun = m_lab->begun(monitor.now())) Q_EMIT followRequested(begun);
}

void LowerPane::choose(bool labShown) {
  m_labShown.setChecked(labShown);
  Q_EMIT this->labShown(labShown);
  setCurrentWidget(labShown ? static_cast<QWidget*>(&lab()) : &m_table);
  if (labShown) m_lab->setFocus();
  else m_table.refresh();
}

}  // namespace faultline

// The menus of the main window and what they do.
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/tray/grant/dialog.h"
#include "app/tray/plots/export.h"
#include "app/tray/shell/main_window.h"
#include "app/tray/shell/quality_page.h"
#include "app/tray/widgets/saved_file.h"
#include "core/frames/formats.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

QString stamped(const QString& what, const QString& ending) {
  return QDir::home().filePath(what + QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-HHmmss")) +
                               ending);
}

}  // namespace

void MainWindow::buildFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  menu->addAction(tr("&Open recording…"), QKeySequence::Open, this, &MainWindow::chooseRecording);
  m_backToLive = menu->addAction(tr("&Back to this machine"), &m_session, &Session::startLive);
  m_record = menu->addAction(tr("&Record to a file…"), QKeySequence(tr("Ctrl+R")), this, &MainWindow::toggleRecording);
  menu->addSeparator();
  menu->addAction(tr("&Snapshot to CSV…"), QKeySequence::Save, this, &MainWindow::snapshotToCsv);
  for (std::size_t i = 0; i < kRangeFormats.size(); ++i)
    menu->addAction(tr("Visible time range: %1…").arg(QString::fromUtf8(kRangeFormats[i].words)),
                    i == 0 ? QKeySequence(tr("Ctrl+Shift+S")) : QKeySequence(), this, [this, i] { exportRange(i); });
  menu->addAction(tr("Save &picture of the plots…"), QKeySequence(tr("Ctrl+P")), this, &MainWindow::savePicture);
  menu->addAction(tr("&Copy picture of the plots"), QKeySequence(tr("Ctrl+Shift+C")), this, &MainWindow::copyPicture);
  menu->addAction(tr("Copy one-line su&mmary"), this, &MainWindow::copySummary);
  menu->addSeparator();
  menu->addAction(tr("S&ettings…"), QKeySequence(tr("Ctrl+,")), this, &MainWindow::settingsRequested);
  menu->addAction(tr("&Quit"), QKeySequence(tr("Ctrl+Q")), this, &MainWindow::quitRequested);
}

void MainWindow::buildViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  m_pause = menu->addAction(tr("&Pause") + QStringLiteral("\tSpace"), &m_session, &Session::setPaused);
  m_pause->setCheckable(true);
  menu->addAction(tr("&Live"), QKeySequence(Qt::Key_End), &m_view, &TimeView::goLive);
  menu->addSeparator();
  menu->addAction(tr("Zoom &in"), QKeySequence(Qt::Key_Plus), this, [this] { m_view.zoom(0.5); });
  menu->addAction(tr("Zoom &out"), QKeySequence(Qt::Key_Minus), this, [this] { m_view.zoom(2); });
  menu->addAction(tr("&Whole machine"), this, [this] { follow(std::nullopt); });
  menu->addSeparator();
  menu->addAction(tr("&Filter processes"), QKeySequence::Find, m_table, &ProcessTable::focusFilter);
}

// All that a right click does, for keys and for who never tries one.
void MainWindow::buildChoiceMenus() {
  QMenu* process = menuBar()->addMenu(tr("P&rocess"));
  process->setToolTipsVisible(true);
  const auto fill = [](QMenu* menu, auto* view) {
    qDeleteAll(menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    menu->clear();
    view->fillMenu(*menu);
  };
  connect(process, &QMenu::aboutToShow, this, [this, process, fill] { fill(process, m_table); });
  fill(process, m_table);
  QMenu* spikes = menuBar()->addMenu(tr("&Spikes"));
  connect(spikes, &QMenu::aboutToShow, this, [this, spikes, fill] { fill(spikes, m_spikes); });
  fill(spikes, m_spikes);
}

void MainWindow::buildHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  menu->addAction(tr("How the numbers are &measured"), QKeySequence::HelpContents, this, &MainWindow::showQuality);
  if (!ownGrantPlaces().grant.isEmpty()) menu->addAction(tr("Measure &zeroing too…"), this, &MainWindow::showGrant);
  menu->addAction(tr("&About Faultline"), this, &MainWindow::about);
}

bool MainWindow::writeFile(const QString& file, const std::string& bytes) {
  const auto saved = saveBytes(file, bytes);
  if (saved) say(tr("Saved %1").arg(file));
  else warn(QString::fromStdString(saved.error().message));
  return saved.has_value();
}

void MainWindow::snapshotToCsv() {
  const std::string csv = exportedMoment(m_session.monitor().hello(), m_session.monitor().now());  // before the dialog
  const QString file = QFileDialog::getSaveFileName(
      this, tr("Snapshot to CSV"), stamped(QStringLiteral("faultline"), QStringLiteral(".csv")), tr("CSV (*.csv)"));
  if (!file.isEmpty()) writeFile(file, csv);
}

void MainWindow::exportRange(std::size_t number) {
  const auto& format = kRangeFormats.at(number);
  const auto& [from, to] = std::pair(m_view.from(), m_view.to());
  const QString ending = QString::fromUtf8(format.ending);
  const QString kind = QStringLiteral("%1 (*%2)").arg(QString::fromUtf8(format.words), ending);
  const QString name = stamped(QStringLiteral("faultline-range"), ending);
  const QString file = QFileDialog::getSaveFileName(this, tr("Visible time range"), name, kind);
  std::vector<ProcessKey> pinned;
  for (const Pin& pin : m_pins.all()) pinned.push_back(pin.key);
  if (!file.isEmpty()) writeFile(file, exportedRange(format, m_session.monitor().history(), pinned, from, to));
}

void MainWindow::savePicture() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save picture of the plots"),
                                                    stamped(QStringLiteral("faultline"), QStringLiteral(".png")),
                                                    tr("PNG picture (*.png);;SVG drawing (*.svg)"));
  if (file.isEmpty()) return;
  const Result<void> saved = savePlots(*m_plots, describe(m_session.monitor(), m_view), file);
  if (saved) say(tr("Saved %1").arg(file));
  else warn(QString::fromStdString(saved.error().message));
}

void MainWindow::copyPicture() {
  QApplication::clipboard()->setImage(renderPlots(*m_plots, describe(m_session.monitor(), m_view)));
  say(tr("The picture is on the clipboard."));
}

void MainWindow::copySummary() {
  const QString summary = summarize(m_session.monitor());
  QApplication::clipboard()->setText(summary);
  say(tr("Copied: %1").arg(summary));
}

void MainWindow::chooseRecording() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Open recording"), QDir::homePath(),
                                                    tr("Faultline recordings (*.faultline);;All files (*)"));
  if (!file.isEmpty()) openRecording(file);
}

void MainWindow::openRecording(const QString& file) {
  m_trouble->dismiss();
  follow(std::nullopt);
  m_pins.set({});
  m_session.openRecording(file);
}

void MainWindow::toggleRecording() {
  if (m_session.recording()) return m_session.stopRecording();
  const QString file = QFileDialog::getSaveFileName(this, tr("Record to a file"),
                                                    stamped(QStringLiteral("faultline"), QStringLiteral(".faultline")),
                                                    tr("Faultline recordings (*.faultline)"));
  if (file.isEmpty()) return;
  if (const Result<void> started = m_session.startRecording(file); !started)
    warn(QString::fromStdString(started.error().message));
}

void MainWindow::showQuality() {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("How the numbers are measured"));
  auto* text = new QTextBrowser;
  text->setHtml(qualityPage(m_session.monitor().hello()));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text);
  column->addWidget(buttons);
  dialog->resize(640, 560);
  dialog->show();
}

void MainWindow::showGrant() {
  auto* dialog = new GrantDialog(ownGrantPlaces(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &GrantDialog::granted, &m_session, &Session::restartCollector);
  dialog->show();
}

void MainWindow::about() {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon, tr("About Faultline"),
      tr("<b>Faultline %1</b><p>A real-time zero-page and page-fault monitor.</p><p>Free software under "
         "the GNU General Public License, version 3 or later. Uses Qt %2 and QCustomPlot %3.</p>")
          .arg(QStringLiteral(FAULTLINE_VERSION), QString::fromLatin1(qVersion()),
               QStringLiteral(QCUSTOMPLOT_VERSION_STR)),
      QMessageBox::Close, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setModal(false);
  box->show();
}

}  // namespace faultline

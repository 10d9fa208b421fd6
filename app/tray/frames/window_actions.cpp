// The menus of the window of a game's frames and what they do.
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QMenuBar>
#include <QStatusBar>

#include "app/tray/frames/picture.h"
#include "app/tray/frames/window.h"
#include "app/tray/frames/words.h"
#include "app/tray/grant/dialog.h"
#include "app/tray/widgets/saved_file.h"
#include "core/frames/formats.h"

namespace faultline {
namespace {

constexpr int kSayMs = 8000;

QString stamped(const QString& ending) {
  return QDir::home().filePath(QStringLiteral("faultline-frames") +
                               QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-HHmmss")) + ending);
}

}  // namespace

void FramesWindow::buildMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  for (std::size_t i = 0; i < kFrameFormats.size(); ++i)
    if (!kFrameFormats[i].callStacks)  // those of the selected frame are below
      file->addAction(tr("%1…").arg(QString::fromUtf8(kFrameFormats[i].words)),
                      i == 0 ? QKeySequence::Save : QKeySequence::UnknownKey, this, [this, i] { saveFrames(i); });
  file->addAction(tr("&Stacks of the selected frame, folded…"), this, &FramesWindow::saveStacks);
  file->addSeparator();
  file->addAction(tr("Save &picture…"), QKeySequence(tr("Ctrl+P")), this, &FramesWindow::savePicture);
  file->addAction(tr("&Copy the summary"), QKeySequence(tr("Ctrl+Shift+C")), this, &FramesWindow::copySummary);
  file->addSeparator();
  file->addAction(tr("Stop &watching"), &m_watch, &GameWatch::stop);
  file->addAction(tr("C&lose"), QKeySequence(tr("Ctrl+W")), this, &QWidget::close);
  QMenu* view = menuBar()->addMenu(tr("&View"));
  view->addAction(tr("&Live") + QStringLiteral("\tEnd"), &m_view, &TimeView::goLive);
  view->addAction(tr("Zoom &in") + QStringLiteral("\t+"), this, [this] { m_view.zoom(0.5); });
  view->addAction(tr("Zoom &out") + QStringLiteral("\t−"), this, [this] { m_view.zoom(2); });
  view->addSeparator();
  view->addAction(tr("The &worst frame"), QKeySequence(tr("Ctrl+Home")), this, &FramesWindow::selectWorst);
  view->addAction(tr("Pre&vious frame hit by faults"), QKeySequence(tr("Ctrl+Left")), this,
                  [this] { m_bars->stepFlagged(-1); });
  view->addAction(tr("Ne&xt frame hit by faults"), QKeySequence(tr("Ctrl+Right")), this,
                  [this] { m_bars->stepFlagged(1); });
}

void FramesWindow::say(const QString& sentence) {
  statusBar()->showMessage(sentence, kSayMs);
}

bool FramesWindow::writeFile(const QString& file, const std::string& bytes) {
  const auto saved = saveBytes(file, bytes);
  say(saved ? tr("Saved %1").arg(file) : QString::fromStdString(saved.error().message));
  return saved.has_value();
}

void FramesWindow::showGrant() {
  auto* dialog = new GrantDialog(ownGrantPlaces(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &GrantDialog::granted, this, [this] { m_watch.start(m_watch.stacks()); });
  dialog->show();
}

void FramesWindow::copySummary() {
  QApplication::clipboard()->setText(m_summary->text());
  say(tr("Copied: %1").arg(m_summary->text()));
}

void FramesWindow::saveFrames(std::size_t number) {
  const auto& format = kFrameFormats.at(number);
  const QString ending = QString::fromUtf8(format.ending);
  if (!m_watch.game()) return say(tr("There are no frames yet."));
  const QString kind = QStringLiteral("%1 (*%2)").arg(QString::fromUtf8(format.words), ending);
  const std::uint64_t end = m_watch.history().end();  // of those until the moment of asking
  const QString file = QFileDialog::getSaveFileName(this, tr("Save frames"), stamped(ending), kind);
  if (file.isEmpty()) return;
  std::string out;
  const auto frames = format.make();
  frames->begin(*m_watch.game(), out);
  m_watch.history().visit(0, end, [&](std::uint64_t place, const JudgedFrame& judged) {
    const std::string culprit = judged.flagged() ? m_finder.textNow(place) : std::string();
    frames->add({judged.frame, judged.verdict, culprit}, out);
  });
  frames->end(out);
  writeFile(file, out);
}

void FramesWindow::saveStacks() {
  const auto culprits = m_culprits->culprits();
  if (!culprits || !culprits->stacks) return say(tr("No call stacks are shown: select a frame that has some."));
  const QString file = QFileDialog::getSaveFileName(this, tr("Save folded stacks"), stamped(QStringLiteral(".folded")),
                                                    tr("Folded stacks (*.folded *.txt)"));
  if (!file.isEmpty()) writeFile(file, foldedText(culprits->tree));
}

void FramesWindow::savePicture() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Save picture of the frames"), stamped(QStringLiteral(".png")),
                                   tr("PNG picture (*.png);;SVG drawing (*.svg)"));
  if (file.isEmpty()) return;
  const Result<void> saved = saveFramePicture(*m_bars, {windowTitle(), m_summary->text(), markSentence(m_watch)}, file);
  say(saved ? tr("Saved %1").arg(file) : QString::fromStdString(saved.error().message));
}

}  // namespace faultline

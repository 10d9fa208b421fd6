#include "app/tray/beside/beside.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/tray/widgets/saved_file.h"
#include "app/tray/widgets/utf8.h"
#include "core/monitor/alignment.h"
#include "core/recording/recording.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kSumsMs = 150;
constexpr int kDifferencesMs = 1000;
constexpr int kStepPart = 100;  // of the visible range
constexpr int kManySteps = 10;

}  // namespace

Beside::Beside(const Session& session, PlotStack& plots, TimeView& view, QWidget& window)
    : QObject(&window),
      m_session(session),
      m_plots(plots),
      m_view(view),
      m_window(window),
      m_bar(new BesideBar),
      m_open(tr("Beside &another recording…")),
      m_menu(new QMenu(tr("Re&cording beside"), &window)),
      m_closeUp({.file = [this] { return shown() ? m_second->file() : QString(); },
                 .monitor = [this]() -> const Monitor& { return m_second->monitor(); },
                 .averages = [this] { return m_second->averages(); },
                 .shift = [this] { return shift(); },
                 .lay = [this](auto closeUp) { m_second->layCloseUp(std::move(closeUp)); }},
                view) {
  m_open.setShortcut(QKeySequence(tr("Ctrl+Shift+O")));
  m_open.setEnabled(false);
  m_sumsSoon.setSingleShot(true);
  m_sumsSoon.setInterval(kSumsMs);
  connect(&m_open, &QAction::triggered, this, &Beside::ask);
  connect(&m_sumsSoon, &QTimer::timeout, this, &Beside::tellSums);
  m_differencesSoon.setSingleShot(true);
  m_differencesSoon.setInterval(kDifferencesMs);
  connect(&m_differencesSoon, &QTimer::timeout, this, &Beside::tellDifferences);
  connect(&session, &Session::stateChanged, this, &Beside::sessionChanged);
  connect(&session, &Session::ingested, this, &Beside::secondChanged);
  connect(&session, &Session::failed, this, [this] { m_waiting.clear(); });  // the first may never come
  connect(&view, &TimeView::changed, this, [this] {
    if (shown() && !m_sumsSoon.isActive()) m_sumsSoon.start();
  });
  connect(m_bar, &BesideBar::aligned, this, [this](Alignment by) { align(by); });
  connect(m_bar, &BesideBar::moved, this, &Beside::move);
  connect(m_bar, &BesideBar::differencesRequested, this, &Beside::showDifferences);
  connect(m_bar, &BesideBar::leaveRequested, this, &Beside::leave);
}

void Beside::addFileActions(QMenu& menu) {
  menu.addAction(&m_open);
}

void Beside::addViewActions(QMenu& menu) {
  const auto add = [this](const QString& words, const char* keys, auto run) {
    m_menu->addAction(words, QKeySequence(QString::fromLatin1(keys)), this, run);
  };
  add(tr("Second recording to the &left"), "Alt+Left", [this] { move(-1); });
  add(tr("Second recording to the &right"), "Alt+Right", [this] { move(1); });
  add(tr("Second recording f&ar to the left"), "Alt+Shift+Left", [this] { move(-kManySteps); });
  add(tr("Second recording &far to the right"), "Alt+Shift+Right", [this] { move(kManySteps); });
  add(tr("&Where both recordings differ…"), "Ctrl+D", [this] { showDifferences(); });
  add(tr("Leave the &second recording"), "", [this] { leave(); });
  menu.addMenu(m_menu);
  show();
}

void Beside::ask() {
  askForSavedFile(&m_window, tr("Open a recording beside %1").arg(m_session.viewedFile()),
                  tr("Faultline recordings (*.faultline);;All files (*)"), [this](const QString& file) { open(file); });
}

void Beside::open(const QString& file, const QString& first) {
  leave();
  m_waiting = file;
  m_waitsFor = first;
  sessionChanged();
}

// Another recording on show, or none, has nothing beside it.
void Beside::sessionChanged() {
  const QString first = m_session.viewedPath();
  m_open.setEnabled(!first.isEmpty());
  if (m_second && m_first != first) leave();
  m_first = first;
  if (first.isEmpty() || m_waiting.isEmpty() || first != m_waitsFor) return;
  const QString file = std::exchange(m_waiting, {});
  if (recordsFrames(std::filesystem::path(file.toStdU16String())))
    return Q_EMIT failed(tr("%1 has the frames of a game, which have a window of their own: open it alone.")
                             .arg(QFileInfo(file).fileName()));
  m_names = namesOf(first, file);
  m_second = std::make_unique<SecondRecording>();
  connect(m_second.get(), &SecondRecording::changed, this, &Beside::secondChanged);
  connect(m_second.get(), &SecondRecording::failed, this, &Beside::secondFailed);
  if (const Result<void> opened = m_second->open(file); !opened) {
    leave();
    Q_EMIT failed(text(opened.error().message));
  }
}

void Beside::secondFailed(const QString& why) {
  const QString sentence = tr("%1 cannot be shown. %2").arg(m_names.second, why);
  leave();
  Q_EMIT failed(sentence);
}

void Beside::leave() {
  m_waiting.clear();
  if (!m_second) return;
  m_plots.setBeside(std::nullopt);
  m_second->disconnect(this);
  m_second.release()->deleteLater();  // one of its own signals may be the caller
  m_chosen = m_placed = false;
  m_moved = Nanoseconds(0);
  m_alignment = Alignment::Start;
  if (m_differences) m_differences->close();
  show();
  const History& first = m_session.monitor().history();
  if (first.oldest() && m_session.viewedPath() == m_first)
    m_view.stretch(*first.oldest(), *first.newest(), *first.newest());
}

void Beside::setSubject(std::optional<ProcessKey> key) {
  m_subject = key;
  if (shown()) show();
}

std::optional<Nanoseconds> Beside::shiftBy(Alignment by) const {
  const Monitor& first = m_session.monitor();
  const Monitor& second = m_second->monitor();
  switch (by) {
    case Alignment::Clock:
      return shiftByClock(first.history(), second.history(), daysBetween(first.history(), second.history()));
    case Alignment::Start:
      return shiftByStart(first.history(), second.history());
    case Alignment::Program:
      break;
  }
  return shiftByProgram(first, second, m_program);
}

void Beside::align(Alignment by) {
  if (!shown()) return;
  const std::string before = m_program;
  if (by == Alignment::Program && m_subject)
    m_program = m_session.monitor().history().name(*m_subject).value_or(std::string());
  if (const auto shift = shiftBy(by)) {
    m_chosen = true;
    m_alignment = by;
    m_base = *shift;
    m_moved = Nanoseconds(0);
  } else {
    const QString program = text(printableName(m_program));
    m_program = before;
    Q_EMIT failed(program.isEmpty()
                      ? tr("Select a process first: its start is then the mark.")
                      : tr("%1 was not started while both recordings ran, so its start is no mark.").arg(program));
  }
  setData();
  show();
}

void Beside::move(int steps) {
  if (!shown()) return;
  m_chosen = true;
  m_moved += std::max(m_view.span() / kStepPart, Nanoseconds(1)) * steps;
  setData();
  show();
}

// Both may still be read: more of them may move their beginning, or bring the program that aligns them. Recordings of
// the same time are aligned by it, until the user chooses.
void Beside::secondChanged() {
  if (!shown()) return;
  const History& first = m_session.monitor().history();
  const History& second = m_second->monitor().history();
  if (!first.oldest()) return;
  if (!m_chosen) {
    const Nanoseconds shift = shiftByClock(first, second, Nanoseconds(0)).value_or(Nanoseconds(0));
    const bool together = *second.oldest() + shift <= *first.newest() && *second.newest() + shift >= *first.oldest();
    m_alignment = together ? Alignment::Clock : Alignment::Start;
  }
  m_base = shiftBy(m_alignment).value_or(m_base);
  setData();
  if (!m_placed && m_view.live() && *first.newest() < m_view.newest()) {
    m_placed = true;
    m_view.goTo(*first.newest() - m_view.span() / 2);  // the table is of the first
  }
  show();
  Q_EMIT changed();
}

void Beside::setData() {
  const History& first = m_session.monitor().history();
  if (!first.oldest()) return;
  if (!shown()) return m_view.setData(*first.oldest(), *first.newest());
  const History& second = m_second->monitor().history();
  m_view.stretch(std::min(*first.oldest(), *second.oldest() + shift()),
                 std::max(*first.newest(), *second.newest() + shift()), *first.newest());
}

void Beside::show() {
  m_bar->setVisible(shown());
  m_closeUp.look();
  m_menu->setEnabled(shown());
  for (QAction* each : m_menu->actions()) each->setEnabled(shown());
  if (!shown()) return;
  m_bar->showAlignment(m_alignment, text(printableName(m_program)));
  m_bar->tell(words());
  m_plots.setBeside(BesideRun{&m_second->monitor(), shift(), m_names.second});
  if (!m_sumsSoon.isActive()) m_sumsSoon.start();
}

QString Beside::words() const {
  const History& first = m_session.monitor().history();
  const Nanoseconds later = laterBy(first, m_second->monitor().history(), shift(), *first.oldest());
  QString words = tr("%1 beside %2, aligned %3")
                      .arg(m_names.first, m_names.second, alignmentText(m_alignment, text(printableName(m_program))));
  if (m_moved != Nanoseconds(0)) {
    const QString by = text(formatDuration(std::chrono::abs(m_moved)));
    words += m_moved > Nanoseconds(0) ? tr(", moved %1 to the right").arg(by) : tr(", moved %1 to the left").arg(by);
  }
  words += tr(" (%1 %2)").arg(m_names.second, laterText(later));
  const QString remark = m_second->remark(m_names.second);
  return remark.isEmpty() ? words : words + QStringLiteral(" · ") + remark;
}

BothRuns Beside::inView() const {
  return {m_session.monitor(), m_second->monitor(), shift(), m_view.from(), m_view.to()};
}

void Beside::tellSums() {
  if (!shown()) return;
  const BothRuns runs = inView();
  const auto program = m_subject ? m_session.monitor().history().name(*m_subject) : std::nullopt;
  m_bar->tellSums(sumsText(runs, totalsOf(runs, program.value_or(std::string())), program));
  if (m_differences && !m_differencesSoon.isActive()) m_differencesSoon.start();
}

// Each process of both is summed up, which takes a while.
void Beside::tellDifferences() {
  if (!shown() || !m_differences) return;
  const BothRuns runs = inView();
  const TwoTotals totals = totalsOf(runs, std::nullopt);
  m_differences->tell(tr("In the visible range, %1 to %2.").arg(m_names.first, m_names.second) +
                      QStringLiteral("\n\n") + text(sweepsText(totals.first, totals.second)));
}

void Beside::showDifferences() {
  if (!shown()) return;
  if (!m_differences) m_differences = new DifferencesDialog(&m_window);
  tellDifferences();
  m_differences->show();
  m_differences->raise();
}

}  // namespace faultline

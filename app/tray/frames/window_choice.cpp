// What hands choose in the window of a game's frames: a frame, the budget, the stacks.
#include <QComboBox>
#include <QLocale>
#include <QSortFilterProxyModel>
#include <algorithm>
#include <cmath>

#include "app/tray/frames/window.h"
#include "app/tray/frames/words.h"

namespace faultline {
namespace {

constexpr int kCulpritsOfRows = 20;

}  // namespace

// Of the rows that are on show, while nothing else is to be done.
void FramesWindow::askForCulprits() {
  const int rows = std::min(m_sorted->rowCount(), kCulpritsOfRows);
  for (int row = 0; row < rows; ++row)
    m_finder.askLater(m_model->place(m_sorted->mapToSource(m_sorted->index(row, 0)).row()));
}

void FramesWindow::select(std::uint64_t place) {
  m_bars->setSelected(place);
  m_finder.ask(place);
  showCulprits();
  m_selecting = true;
  m_model->refresh();  // a frame that has just come may have no row yet
  const auto row = m_model->rowOf(place);
  if (row) {
    const QModelIndex index = m_sorted->mapFromSource(m_model->index(*row, 0));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
  } else {
    m_table->clearSelection();
  }
  m_selecting = false;
}

void FramesWindow::selectWorst() {
  if (m_watch.worst().rows().empty()) return;
  const std::uint64_t place = m_watch.worst().rows().front().place;
  select(place);
  bringIntoView(place);
}

void FramesWindow::selectWorstShown() {
  const FrameHistory& history = m_watch.history();
  if (history.empty()) return;
  const auto shown = history.stretch(history.placeAt(m_view.from()), history.placeAt(m_view.to()));
  if (shown) select(shown->flagged.value_or(shown->longest));
}

void FramesWindow::tableChosen() {
  const QModelIndexList rows = m_table->selectionModel()->selectedRows();
  if (m_selecting || rows.isEmpty()) return;
  const std::uint64_t place = m_model->place(m_sorted->mapToSource(rows.first()).row());
  if (place == selected()) return;  // rows that come above it look like a change
  m_bars->setSelected(place);
  bringIntoView(place);
  m_finder.ask(place);
  showCulprits();
}

void FramesWindow::bringIntoView(std::uint64_t place) {
  if (place < m_watch.history().begin()) return;
  const GameFrame frame = m_watch.history().at(place).frame;
  if (frame.start < m_view.from() || frame.start + frame.duration > m_view.to())
    m_view.goTo(frame.start + frame.duration / 2);
}

void FramesWindow::showCulprits() {
  const std::uint64_t place = *selected();
  const FrameHistory& history = m_watch.history();
  const bool there = place >= history.begin() && place < history.end();
  const QString frame = there ? QString::fromStdString(frameText(history.at(place))) : QString();
  m_finder.ask(place);
  if (auto found = m_finder.found(place)) m_culprits->show(frame, std::move(found), m_watch.whyNoStacks());
  else
    m_culprits->showWhyNot(frame,
                           m_finder.busyWith(place) ? tr("Reading call stacks…") : whyNoCulprits(m_watch, place));
}

void FramesWindow::showBudget() {
  const double ms = static_cast<double>(m_watch.rules().budget.count()) / 1e6;
  for (int i = 0; i < m_budget->count(); ++i)
    if (std::abs(m_budget->itemData(i).toDouble() - ms) < 0.01) return m_budget->setCurrentIndex(i);
  m_budget->setEditText(tr("%L1 ms").arg(ms));
}

// What is typed counts by its first number: "16.7 ms, 60 Hz", "5", "5 ms".
void FramesWindow::chooseBudget() {
  bool good = false;
  QString number = m_budget->currentText().trimmed().section(QLatin1Char(' '), 0, 0);
  double ms = QLocale().toDouble(number, &good);
  if (!good) ms = number.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&good);
  const Nanoseconds budget(good ? std::llround(ms * 1e6) : 0);
  if (budget >= kShortestBudget && budget <= kLongestBudget) {
    m_watch.setBudget(budget);
    Settings settings = m_settings.get();
    settings.frameBudget = budget;
    m_settings.set(settings);
  } else {
    say(tr("A budget is a number of milliseconds from 0.1 to 10 000."));
  }
  showBudget();
}

void FramesWindow::chooseStacks() {
  const auto stacks = static_cast<SampleMode>(m_stacks->currentIndex());
  Settings settings = m_settings.get();
  settings.frameStacks = stacks;
  m_settings.set(settings);
  const GameWatch::State state = m_watch.state();
  if (stacks != m_watch.stacks() && state != GameWatch::State::Exited) m_watch.start(stacks);
}

}  // namespace faultline

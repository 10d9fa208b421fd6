#include "app/tray/frames/controls.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/tray/session/settings.h"
#include "app/tray/widgets/calm_box.h"
#include "app/tray/widgets/plain_text.h"
#include "platform/host/stack_reader.h"

namespace faultline {
namespace {

struct Budget {
  double ms;
  const char* words;
};
constexpr unsigned kFastestRate = 1000;     // frames per second that can be assumed
constexpr std::array kDelays{1, 2, 5, 20};  // µs
constexpr std::array<Budget, 4> kBudgets{{{33.3, "30 Hz"}, {16.7, "60 Hz"}, {8.3, "120 Hz"}, {6.9, "144 Hz"}}};

}  // namespace

std::optional<Nanoseconds> parseBudget(const QString& text) {
  bool good = false;
  QString number = text.trimmed().section(QLatin1Char(' '), 0, 0);
  double ms = QLocale().toDouble(number, &good);
  if (!good) ms = number.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&good);
  const Nanoseconds budget(good ? std::llround(ms * 1e6) : 0);
  return budget >= kShortestBudget && budget <= kLongestBudget ? std::optional(budget) : std::nullopt;
}

MarkWishes parseFrameEnd(const QString& text) {
  const QString end = text.trimmed();
  if (end == FrameControls::tr("automatic end")) return {};
  static const QRegularExpression rate(QStringLiteral("^(\\d{1,4}) ?Hz$"), QRegularExpression::CaseInsensitiveOption);
  if (const auto match = rate.match(end); match.hasMatch() && match.captured(1).toUInt() <= kFastestRate)
    return {.rate = match.captured(1).toUInt()};
  return {.mark = end.toStdString()};
}

FrameControls::FrameControls(SampleMode stacks, QWidget* parent)
    : QWidget(parent),
      m_summary(new QLabel),
      m_copy(new QToolButton),
      m_budget(new CalmBox),
      m_stacks(new CalmBox),
      m_ends(new CalmBox),
      m_delays(new CalmBox) {
  m_summary->setTextFormat(Qt::PlainText);
  m_summary->setWordWrap(true);
  m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_copy->setText(tr("Copy"));
  m_copy->setToolTip(tr("Copy this line, fit for a bug report (Ctrl+Shift+C)"));
  m_copy->setFocusPolicy(Qt::StrongFocus);
  connect(m_copy, &QToolButton::clicked, this, &FrameControls::copyRequested);
  buildBudget();
  buildStacks(stacks);
  buildEnds();
  buildDelays();
  auto* line = new QHBoxLayout;
  line->addWidget(m_summary, 1);
  line->addWidget(m_copy, 0, Qt::AlignTop);
  auto* choices = new QHBoxLayout;
  addLabelled(*choices, tr("&Budget"), m_budget);
  m_live = {addLabelled(*choices, tr("Call s&tacks"), m_stacks),   m_stacks,
            addLabelled(*choices, tr("Frames &end with"), m_ends), m_ends,
            addLabelled(*choices, tr("&Delays"), m_delays),        m_delays};
  choices->addStretch(1);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(12, 8, 12, 8);
  rows->setSpacing(8);
  rows->addLayout(line);
  rows->addLayout(choices);
}

QWidget* FrameControls::addLabelled(QHBoxLayout& row, const QString& words, QWidget* box) {
  auto* label = new QLabel(words);
  label->setBuddy(box);
  label->setToolTip(box->toolTip());
  row.addWidget(label);
  row.addWidget(box);
  row.addSpacing(16);
  return label;
}

void FrameControls::buildEnds() {
  m_ends->setEditable(true);
  m_ends->setInsertPolicy(QComboBox::NoInsert);
  m_ends->setAccessibleName(tr("End of a frame"));
  m_ends->setToolTip(
      tr("The event that ends a frame: a mark of the game's own, calls of a function (FILE:FUNCTION, such as "
         "libSDL2:SDL_GL_SwapWindow), or a rate that is assumed. A change restarts the watch; the frames seen so far "
         "stay."));
  m_ends->addItem(tr("automatic end"));
  m_ends->setMinimumContentsLength(12);
  m_ends->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  const auto typed = [this] {
    const QString end = m_ends->currentText();
    if (std::exchange(m_end, end) != end) Q_EMIT endTyped(end);
  };
  m_end = m_ends->currentText();
  connect(m_ends, &QComboBox::activated, this, typed);
  connect(m_ends->lineEdit(), &QLineEdit::returnPressed, this, typed);
}

void FrameControls::offerEnds(const QStringList& ends) {
  for (const QString& end : ends)
    if (m_ends->findText(end) < 0) m_ends->addItem(end);
}

void FrameControls::buildBudget() {
  m_budget->setEditable(true);
  m_budget->setInsertPolicy(QComboBox::NoInsert);
  m_budget->setAccessibleName(tr("Budget of a frame"));
  m_budget->setToolTip(
      tr("A frame that lasts longer is late, in milliseconds. At 16.7 ms a game that keeps another cadence is held to "
         "that. A new budget applies to all frames."));
  for (const Budget& budget : kBudgets)
    m_budget->addItem(tr("%L1 ms, %2").arg(budget.ms).arg(QLatin1StringView(budget.words)), budget.ms);
  const auto typed = [this] { Q_EMIT budgetTyped(m_budget->currentText()); };
  connect(m_budget, &QComboBox::activated, this, typed);
  connect(m_budget->lineEdit(), &QLineEdit::editingFinished, this, typed);
}

void FrameControls::buildStacks(SampleMode stacks) {
  m_stacks->setAccessibleName(tr("Call stacks"));
  // A system that warns of every fault tells all faults or none.
  const QString warning = QString::fromStdString(everyFaultWarning());
  const auto add = [this](const QString& words, SampleMode mode) { m_stacks->addItem(words, static_cast<int>(mode)); };
  add(tr("no stacks"), SampleMode::None);
  if (warning.isEmpty()) {
    add(tr("stacks of spikes"), SampleMode::Spikes);
    add(tr("every 16th stack"), SampleMode::Some);
  }
  add(tr("every stack"), SampleMode::All);
  m_stacks->setToolTip(
      !warning.isEmpty()
          ? tr("every stack: the code of each fault, to find the culprits. %1").arg(warning)
          : tr("Faults whose call stack is kept to find the culprits. Keeping a call stack costs the game about 0.8 "
               "µs:\nstacks of spikes: every 16th, after a frame's faults have begun to delay it; none while the game "
               "runs smoothly\nevery 16th stack: about 0.05 µs per fault\nevery stack: 0.8 µs per fault, which may "
               "double the cost of faults\nA change restarts the watch; the frames seen so far stay."));
  m_stacks->setCurrentIndex(std::max(0, m_stacks->findData(static_cast<int>(stacks))));
  connect(m_stacks, &QComboBox::activated, this,
          [this](int index) { Q_EMIT stacksChosen(static_cast<SampleMode>(m_stacks->itemData(index).toInt())); });
}

// The choice is not kept: a delay is an experiment, which makes the game slower.
void FrameControls::buildDelays() {
  m_delays->setAccessibleName(tr("Delays of faults"));
  m_delays->setToolTip(
      tr("An experiment: each page fault is delayed by this in 16 frames of each 32, and the frames' lengths tell "
         "how much of the time in faults they pay. The game is slower meanwhile. Needs a collector with privileges and "
         "the true ends of frames. A change restarts the watch; the frames seen so far stay."));
  m_delays->addItem(tr("no delay"), 0);
  for (const int delay : kDelays) m_delays->addItem(tr("%L1 µs a fault").arg(delay), delay * 1000);
  connect(m_delays, &QComboBox::activated, this,
          [this](int index) { Q_EMIT delayChosen(m_delays->itemData(index).toLongLong()); });
}

void FrameControls::hideLive() {
  for (QWidget* each : m_live) each->hide();
}

void FrameControls::showSummary(const QString& summary) {
  if (summary == m_summaryText) return;  // keeps the user's selection
  m_summaryText = summary;
  m_summary->setText(wholeNumbers(summary));
}

void FrameControls::showBudget(Nanoseconds budget) {
  const double ms = static_cast<double>(budget.count()) / 1e6;
  for (int i = 0; i < m_budget->count(); ++i)
    if (std::abs(m_budget->itemData(i).toDouble() - ms) < 0.01) return m_budget->setCurrentIndex(i);
  m_budget->setEditText(tr("%L1 ms").arg(ms));
}

}  // namespace faultline

#include "app/tray/page/page.h"

#include <QEvent>
#include <QGridLayout>
#include <QScrollBar>
#include <QVBoxLayout>
#include <utility>

#include "app/tray/page/words.h"
#include "app/tray/table/row_actions.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/theme.h"
#include "app/tray/widgets/utf8.h"
#include "core/frames/judge.h"
#include "core/monitor/cost_text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kPageMargin = 12;
constexpr int kPageGap = 10;
constexpr double kTitle = 1.2;     // of the font's size
constexpr double kHeadline = 1.8;  // the same
constexpr int kButtonsInRow = 3;
constexpr qsizetype kMostWords = 600;  // characters of a command line

// The metrics that the page shows, in its order.
const std::vector<ProcessMetric>& shownMetrics() {
  static const std::vector<ProcessMetric> kShown = [] {
    std::vector<ProcessMetric> shown{ProcessMetric::FaultTime, ProcessMetric::TeardownTime};
    for (const Column column : PageNumbers::kColumns) shown.push_back(columnInfo(column).metric);
    return shown;
  }();
  return kShown;
}

void enlarge(QLabel& label, double factor) {
  QFont font = label.font();
  font.setPointSizeF(font.pointSizeF() * factor);
  font.setBold(true);
  label.setFont(font);
}

void tell(QLabel& label, const QString& words) {
  if (label.text() != words) label.setText(words);  // keeps the user's selection
  label.setVisible(!words.isEmpty());
}

QToolButton* button(const QString& words) {
  auto* made = new QToolButton;
  made->setText(words);
  made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  made->setFocusPolicy(Qt::StrongFocus);
  return made;
}

}  // namespace

SidePage::SidePage(const Monitor& monitor, Pins& pins, SpikeMutes& mutes, ProcessTable& table, QWidget* parent)
    : QScrollArea(parent),
      m_monitor(monitor),
      m_pins(pins),
      m_mutes(mutes),
      m_table(table),
      m_frame(FrameRules().budget),
      m_nothing(sentence(true)),
      m_about(new QWidget),
      m_name(sentence(false)),
      m_who(sentence(true)),
      m_watch(button(tr("Watch frames"))),
      m_record(button({})),
      m_try(button(tr("Try remedies…"))),
      m_pin(button({})),
      m_mute(button({})),
      m_spike(new SpikePart(monitor)),
      m_value(sentence(false)),
      m_words(sentence(true)),
      m_parts(new PartsBar),
      m_numbers(new PageNumbers),
      m_lines(sentence(false)),
      m_cost(sentence(false)),
      m_command(sentence(true)),
      m_quality(sentence(true)) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);  // Tab goes to its buttons, and to the texts below them
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("About what is selected"));
  m_nothing->setText(
      tr("Select a process or a spike: this page then tells what memory costs it, and what can be done about it."));
  m_value->setAccessibleName(tr("Cost of memory in the last minute"));
  m_parts->setAccessibleName(tr("Parts of the time"));
  m_cost->setToolTip(tr("A process counts for the process that started it, also after its end."));
  enlarge(*m_name, kTitle);
  enlarge(*m_value, kHeadline);
  for (QLabel* each : {m_lines, m_cost, m_quality})
    each->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  layOut();
  connect(&pins, &Pins::changed, this, &SidePage::refresh);
  connect(&mutes, &SpikeMutes::changed, this, &SidePage::refresh);
  connect(m_spike, &SpikePart::spikeRequested, this, &SidePage::spikeRequested);
  applyTheme();
  refresh();
}

QLabel* SidePage::sentence(bool dim) {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  if (dim) m_dim.push_back(label);
  return label;
}

void SidePage::layOut() {
  auto* column = new QVBoxLayout(m_about);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kPageGap);
  const auto addClose = [&](QWidget* first, QWidget* second) {
    auto* pair = new QVBoxLayout;
    pair->setSpacing(2);
    pair->addWidget(first);
    pair->addWidget(second);
    column->addLayout(pair);
  };
  addClose(m_name, m_who);
  column->addWidget(m_spike);
  addClose(m_value, m_words);
  column->addWidget(m_parts);
  addButtons(*column);
  column->addWidget(m_lines);
  column->addWidget(m_numbers);
  for (QLabel* each : {m_cost, m_command, m_quality}) column->addWidget(each);
  column->addStretch(1);
  auto* whole = new QWidget;
  auto* rows = new QVBoxLayout(whole);
  rows->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kPageMargin);
  rows->addWidget(m_nothing);
  rows->addWidget(m_about, 1);
  rows->addStretch(0);
  whole->setBackgroundRole(QPalette::Base);  // of the tables
  whole->setAutoFillBackground(true);
  setWidget(whole);
  setMinimumWidth(whole->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
}

void SidePage::addButtons(QLayout& column) {
  m_try->setToolTip(tr("Show the command that runs the program with and without remedies for its page faults"));
  m_try->setObjectName(QStringLiteral("try"));
  m_record->setToolTip(tr("Write all that is measured to a file, of every process (Ctrl+R)"));
  m_mute->setToolTip(tr("List, mark and notify no spikes of programs of this name"));
  auto* grid = new QGridLayout;
  grid->setSpacing(kPageGap / 2);
  int place = 0;
  for (QToolButton* each : {m_watch, m_record, m_try, m_pin, m_mute}) {
    grid->addWidget(each, place / kButtonsInRow, place % kButtonsInRow);
    ++place;
  }
  static_cast<QVBoxLayout&>(column).addLayout(grid);
  connect(m_watch, &QToolButton::clicked, this, [this] {
    if (m_key) Q_EMIT framesRequested(*m_key, m_name->text());
  });
  connect(m_record, &QToolButton::clicked, this, &SidePage::recordRequested);
  connect(m_try, &QToolButton::clicked, this, [this] {
    if (m_key) m_table.actions().tryRemedies(*m_key);
  });
  connect(m_pin, &QToolButton::clicked, this, [this] {
    if (m_key) m_pins.toggle(*m_key);
  });
  connect(m_mute, &QToolButton::clicked, this, &SidePage::toggleMute);
}

void SidePage::showProcess(std::optional<ProcessKey> key) {
  if (m_spike->spike() && m_spike->spike()->key != key.value_or(ProcessKey())) m_spike->leave();
  if (key != m_key) m_rawName = key ? std::to_string(key->pid) : std::string();
  m_key = key;
  refresh();
}

void SidePage::showSpike(const Spike& spike) {
  m_key = spike.key == ProcessKey() ? std::nullopt : std::optional(spike.key);
  m_rawName = spike.name;
  m_spike->show(spike);
  ensureVisible(0, 0);
  refresh();
}

void SidePage::setReplay(bool replay) {
  if (std::exchange(m_replay, replay) != replay) refresh();
}

void SidePage::setRecording(bool recording) {
  if (std::exchange(m_recording, recording) != recording) refresh();
}

void SidePage::setFrame(Nanoseconds budget) {
  if (std::exchange(m_frame, budget) != budget) refresh();
}

void SidePage::refresh() {
  if (m_key) m_rawName = m_monitor.history().name(*m_key).value_or(m_rawName);
  const bool any = m_key || m_spike->spike();
  m_nothing->setVisible(!any);
  m_about->setVisible(any);
  if (!any) return;
  m_spike->refresh();
  const ProcessEntry* const entry = m_key ? m_table.entry(*m_key) : nullptr;
  refreshWho(entry);
  refreshButtons(entry);
  refreshNumbers(entry);
  refreshCost();
  tell(*m_lines, m_key && m_linesOf && !m_replay ? m_linesOf(m_key->pid) : QString());
  tell(*m_quality, m_key ? qualityLines(m_monitor.hello(), shownMetrics()).join(QStringLiteral("\n\n")) : QString());
}

void SidePage::refreshWho(const ProcessEntry* entry) {
  tell(*m_name, entry != nullptr ? entry->name : shortName(m_rawName));
  QStringList who;
  if (m_key) who << tr("pid %1").arg(m_key->pid);
  if (entry != nullptr && entry->presence == Presence::Ended) who << tr("ended");
  if (entry != nullptr && entry->presence == Presence::NotThen) who << tr("not running then");
  if (entry != nullptr && !entry->user.isEmpty()) who << tr("user %1").arg(entry->user);
  if (entry != nullptr && !entry->service.isEmpty()) who << tr("in %1").arg(entry->service);
  if (entry != nullptr && !entry->parent.isEmpty()) who << tr("started by %1").arg(entry->parent);
  const QString started = m_key ? startedText(*m_key, m_monitor) : QString();
  if (!started.isEmpty()) who << tr("since %1").arg(started);
  tell(*m_who, who.join(QStringLiteral(" · ")));
  tell(*m_command, entry == nullptr ? QString() : entry->command.left(kMostWords));
}

void SidePage::refreshNumbers(const ProcessEntry* entry) {
  for (QWidget* each :
       {static_cast<QWidget*>(m_value), static_cast<QWidget*>(m_words), static_cast<QWidget*>(m_numbers)})
    each->setVisible(entry != nullptr);
  if (entry == nullptr) return m_parts->setParts({});
  const MinuteCost cost = minuteCost(m_monitor.history(), *m_key, m_table.shownTime());
  const Headline headline = headlineOf(cost, m_monitor.hello(), m_frame);
  tell(*m_value, headline.value);
  tell(*m_words, wholeNumbers(headline.words));
  m_parts->setParts(costParts(cost));
  m_numbers->show(*entry, m_table.context(), m_monitor.history(), m_table.shownTime());
}

void SidePage::refreshCost() {
  const auto cost = m_key ? m_monitor.cost(*m_key) : std::nullopt;
  if (!cost) return tell(*m_cost, {});
  const QString since = m_replay ? tr("Since the recording began: %1.") : tr("Since Faultline was started: %1.");
  tell(*m_cost, wholeNumbers(since.arg(text(costText(shortName(m_rawName).toStdString(), *cost, m_monitor.hello())))));
}

void SidePage::refreshButtons(const ProcessEntry* entry) {
  const QString why =
      entry == nullptr ? tr("Nothing is known about the process any more.") : m_table.actions().whyNoFrames(*entry);
  m_watch->setEnabled(why.isEmpty());
  m_watch->setToolTip(why.isEmpty() ? tr("Show the frames of this game that page faults made late, and the code that "
                                         "caused them")
                                    : plainToolTip(why));
  m_record->setText(m_recording ? tr("Stop recording") : tr("Record…"));
  m_try->setEnabled(m_key && m_table.actions().mayTry(*m_key));
  m_pin->setEnabled(m_key.has_value());
  m_pin->setText(m_key && m_pins.colour(*m_key) ? tr("Unpin") : tr("Pin"));
  m_mute->setText(m_mutes.has(m_rawName) ? tr("Unmute") : tr("Mute"));
}

void SidePage::toggleMute() {
  std::set<std::string> names = m_mutes.names();
  if (names.erase(m_rawName) == 0) names.insert(m_rawName);
  m_mutes.set(std::move(names));
}

void SidePage::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyTheme();
}

void SidePage::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  refresh();
}

void SidePage::applyTheme() {
  QPalette dim = palette();
  for (const auto role : {QPalette::WindowText, QPalette::Text}) dim.setColor(role, themeFor(palette()).dimInk);
  for (QLabel* label : m_dim) label->setPalette(dim);
}

}  // namespace faultline

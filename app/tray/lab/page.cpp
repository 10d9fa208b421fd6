#include "app/tray/lab/page.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/tray/lab/answer.h"
#include "app/tray/lab/saved_reports.h"
#include "app/tray/widgets/calm_box.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/saved_file.h"
#include "app/tray/widgets/utf8.h"
#include "core/lab/experiments.h"
#include "core/lab/view/comparison.h"
#include "core/lab/view/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kPageMargin = 8;
constexpr int kLeastHeight = 60;
constexpr double kAnswer = 1.3;  // of the font's size

}  // namespace

LabPage::LabPage(const QString& program, QWidget* parent)
    : QWidget(parent),
      m_run(program),
      m_calibration(program),
      m_experiment(new CalmBox),
      m_form(new CalmBox),
      m_start(button({}, {})),
      m_copy(button(tr("Copy"), tr("Copy the result as Markdown"))),
      m_save(button(tr("Save…"), tr("Save the result as JSON, CSV or Markdown"))),
      m_compare(button({}, tr("Show a result that was saved as JSON, of another machine or of an earlier day, beside "
                              "this one"))),
      m_state(new LineLabel),
      m_stack(new QStackedWidget),
      m_nothing(new QLabel),
      m_answer(new QLabel),
      m_result(new LabResult),
      m_prices(new LineLabel),
      m_calibrate(button(tr("Calibrate"), tr("Measure what a page fault costs here; takes less than two seconds"))) {
  buildControls();
  m_nothing->setTextFormat(Qt::PlainText);
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->setWordWrap(true);
  m_nothing->setBackgroundRole(QPalette::Base);
  m_nothing->setAutoFillBackground(true);
  m_stack->addWidget(m_nothing);
  m_stack->addWidget(m_result);
  m_stack->setMinimumHeight(kLeastHeight);  // all below scrolls
  m_answer->setTextFormat(Qt::PlainText);
  m_answer->setWordWrap(true);
  m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_answer->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kPageMargin);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * kAnswer);
  m_answer->setFont(large);
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->addWidget(m_answer);
  column->addWidget(m_stack, 1);
  addCalibration(*layout());
  connect(&m_run, &LabRun::progressed, this, &LabPage::progressed);
  connect(&m_run, &LabRun::ended, this, &LabPage::ended);
  setFocusProxy(m_experiment);
  showChosen();
}

QToolButton* LabPage::button(const QString& text, const QString& toolTip) {
  auto* made = new QToolButton(this);
  made->setText(text);
  made->setToolTip(toolTip);
  made->setFocusPolicy(Qt::StrongFocus);
  return made;
}

void LabPage::buildControls() {
  m_experiment->setAccessibleName(tr("Experiment"));
  m_experiment->addItem(tr("all experiments"), QStringLiteral("all"));
  for (const LabExperiment& experiment : labExperiments()) {
    m_experiment->addItem(labQuestion(experiment.name), text(experiment.name));
    m_experiment->setItemData(m_experiment->count() - 1, text(experiment.title), Qt::ToolTipRole);
  }
  m_experiment->setCurrentIndex(1);
  m_form->setAccessibleName(tr("Form"));
  m_form->addItem(tr("quick"));
  m_form->addItem(tr("long"));
  m_form->addItem(tr("lanes"));
  m_form->setToolTip(
      tr("quick: some seconds for each experiment\nlong: more repetitions and larger sizes, some minutes\nlanes: each "
         "way once, while all its page faults are watched: a time line of each thread"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(kPageMargin, kPageMargin / 2, kPageMargin, kPageMargin / 2);
  row->addWidget(m_experiment);
  row->addWidget(m_form);
  row->addWidget(m_start);
  m_state->setContentsMargins(kPageMargin, 0, kPageMargin, 0);
  row->addWidget(m_state, 1);
  addButtons(*row);
  column->addLayout(row);
  connect(m_experiment, &QComboBox::currentIndexChanged, this, &LabPage::showChosen);
  connect(m_form, &QComboBox::currentIndexChanged, this, &LabPage::refresh);
  connect(m_start, &QToolButton::clicked, this, &LabPage::startOrCancel);
}

void LabPage::addButtons(QLayout& row) {
  auto* const close = button(tr("Close"), tr("Back to the processes (Ctrl+L)"));
  for (QToolButton* const each : {m_copy, m_save, m_compare, close}) row.addWidget(each);
  connect(m_copy, &QToolButton::clicked, this, &LabPage::copy);
  connect(m_save, &QToolButton::clicked, this, &LabPage::save);
  connect(m_compare, &QToolButton::clicked, this, &LabPage::compare);
  connect(close, &QToolButton::clicked, this, &LabPage::closed);
}

void LabPage::addCalibration(QLayout& column) {
  auto* const line = new QWidget;
  auto* const row = new QHBoxLayout(line);
  row->setContentsMargins(kPageMargin, kPageMargin / 2, kPageMargin, kPageMargin / 2);
  row->addWidget(m_prices, 1);
  row->addWidget(m_calibrate);
  column.addWidget(line);
  connect(m_calibrate, &QToolButton::clicked, this, [this] {
    m_calibrate->setEnabled(false);
    m_calibration.start();
  });
  connect(&m_calibration, &CalibrationRun::ended, this, [this](const QString& trouble) {
    m_calibrate->setEnabled(true);
    if (trouble.isEmpty()) Q_EMIT calibrated();
    else Q_EMIT failed(trouble);
  });
  showCalibration(nullptr, {});
}

void LabPage::showCalibration(const Calibration* calibration, const std::vector<std::string>& remarks) {
  QString line = tr("No calibration yet: where the time in page faults is not measured, it is unavailable.");
  if (calibration != nullptr) line = tr("Calibration: %1.").arg(text(calibrationText(*calibration)));
  for (const std::string& remark : remarks) line += u' ' + text(remark);
  if (line != m_prices->line()) m_prices->setLine(line);
}

QString LabPage::chosen() const {
  return m_experiment->currentData().toString();
}

bool LabPage::all() const {
  return chosen() == u"all";
}

// Of all experiments, the first that there is.
const LabReport* LabPage::shown() const {
  if (m_reports.empty()) return nullptr;
  if (all()) return &m_reports.front();
  const auto found = std::ranges::find(m_reports, chosen().toStdString(), &LabReport::experiment);
  return found == m_reports.end() ? nullptr : &*found;
}

void LabPage::startOrCancel() {
  if (m_run.running()) {
    m_stateText = tr("Ending…");
    m_run.cancel();
    return refresh();
  }
  m_stateText = tr("Starting…");
  m_awaited.reset();
  m_run.start(chosen(), static_cast<LabForm>(m_form->currentIndex()));
  refresh();
}

void LabPage::progressed(const LabProgress& progress) {
  if (progress.pid) m_awaited = progress.pid;
  const QString share = progress.done ? tr(", %1 %").arg(std::lround(*progress.done * 100)) : QString();
  m_stateText = text(progress.experiment) + QStringLiteral(": ") + text(progress.text) + share;
  refresh();
}

std::optional<ProcessKey> LabPage::begun(const Moment& now) {
  if (!m_awaited) return std::nullopt;
  for (const ProcessRow& row : now.rows) {
    if (row.key.pid != *m_awaited || row.exited) continue;
    m_awaited.reset();
    return row.key;
  }
  return std::nullopt;
}

void LabPage::ended(const std::vector<LabReport>& reports, const QString& trouble) {
  m_awaited.reset();
  Q_EMIT runEnded();
  if (!trouble.isEmpty()) Q_EMIT failed(trouble);
  if (!reports.empty()) keep(reports);
  showChosen();
}

void LabPage::keep(std::vector<LabReport> reports) {
  for (LabReport& report : reports) {
    const auto same = std::ranges::find(m_reports, report.experiment, &LabReport::experiment);
    if (same == m_reports.end()) m_reports.push_back(std::move(report));
    else *same = std::move(report);
  }
}

void LabPage::chooseShown(const QString& experiment) {
  if (const int index = m_experiment->findData(experiment); index >= 0) m_experiment->setCurrentIndex(index);
  showChosen();
}

void LabPage::showChosen() {
  const LabReport* const report = shown();
  m_stack->setCurrentIndex(report != nullptr ? 1 : 0);
  if (report != nullptr) m_result->setReport(*report, sameExperiment(m_others, *report));
  m_answer->setText(report != nullptr ? wholeNumbers(labAnswer(*report)) : QString());
  m_answer->setVisible(!m_answer->text().isEmpty());
  refresh();
}

void LabPage::refresh() {
  const bool running = m_run.running();
  const LabReport* const report = shown();
  m_start->setText(running ? tr("Cancel") : tr("Run"));
  m_start->setToolTip(running ? tr("End the experiment and its process") : tr("Run it in a process of its own"));
  m_form->setEnabled(!running);
  for (QToolButton* const each : {m_copy, m_save}) each->setEnabled(report != nullptr);
  m_compare->setText(m_others.empty() ? tr("Compare…") : tr("Stop comparing"));
  std::uint64_t needs = 0;
  QString title = tr("all, one after the other");
  for (const LabExperiment& experiment : labExperiments()) {
    if (!all() && chosen() != text(experiment.name)) continue;
    needs = std::max(
        needs, m_form->currentIndex() == static_cast<int>(LabForm::Long) ? experiment.needs : experiment.needsQuick);
    if (!all()) title = text(experiment.title);
  }
  const QString need = tr("%1; needs %2 of memory").arg(title, text(formatBytes(needs)));
  if (running) m_state->setLine(m_stateText);
  else if (report != nullptr)
    m_state->setLine(text(report->machine) + (report->quick ? tr(", quick form") : QString()));
  else m_state->setLine(need);
  m_nothing->setText(tr("%1\n%2.\nThe experiment runs in a process of its own; it begins with Run.")
                         .arg(m_experiment->currentText(), need));
}

void LabPage::copy() {
  if (shown() == nullptr) return;
  QApplication::clipboard()->setText(text(writtenAs(QStringLiteral(".md"), *shown())));
  Q_EMIT said(tr("The result is on the clipboard, as Markdown."));
}

void LabPage::save() {
  if (shown() == nullptr) return;
  saveAs(
      this,
      {tr("Save the result"), QStringLiteral("faultline-lab"), QStringLiteral(".json"),
       tr("JSON (*.json);;CSV (*.csv);;Markdown (*.md)")},
      [report = *shown()](const QString& file) { return saveBytes(file, writtenAs(file, report)); },
      [this](const Result<QString>& saved) {
        if (saved) Q_EMIT said(*saved);
        else Q_EMIT failed(text(saved.error().message));
      });
}

void LabPage::compare() {
  if (!m_others.empty()) {
    m_others.clear();
    return showChosen();
  }
  askForSavedFile(this, tr("Compare with a saved result"), tr("Results of the lab (*.json);;All files (*)"),
                  [this](const QString& file) {
                    if (const auto compared = compareWith(file); !compared)
                      Q_EMIT failed(text(compared.error().message));
                  });
}

Result<void> LabPage::compareWith(const QString& file) {
  auto others = readReports(file);
  if (!others) return tl::unexpected(others.error());
  m_others = std::move(*others);
  showChosen();
  return {};
}

Result<void> LabPage::open(const QString& file) {
  auto reports = readReports(file);
  if (!reports) return tl::unexpected(reports.error());
  const QString first = text(reports->front().experiment);
  keep(std::move(*reports));
  chooseShown(first);
  return {};
}

}  // namespace faultline

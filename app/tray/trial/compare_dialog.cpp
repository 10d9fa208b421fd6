#include "app/tray/trial/compare_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "app/tray/trial/program.h"
#include "app/tray/widgets/screen_fit.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

QString changeText(double saved) {
  return (saved > 0 ? CompareDialog::tr("%1 less") : CompareDialog::tr("%1 more")).arg(percentOf(std::abs(saved)));
}

}  // namespace

std::optional<CompareResult> readCompareResult(const QByteArray& json) {
  const QJsonObject compared = QJsonDocument::fromJson(json).object().value(QStringLiteral("compare")).toObject();
  CompareResult result;
  for (const auto& line : compared.value(QStringLiteral("text")).toArray()) result.lines << line.toString();
  for (const auto& each : compared.value(QStringLiteral("costs")).toArray()) {
    const QJsonObject cost = each.toObject();
    const auto saved = [&cost](const char* name) { return -cost.value(QLatin1StringView(name)).toDouble(); };
    if (!cost.value(QStringLiteral("decides")).toBool() || !cost.value(QStringLiteral("change")).isDouble()) continue;
    result.costs.push_back({cost.value(QStringLiteral("title")).toString(),
                            {.median = saved("change"), .low = saved("change_high"), .high = saved("change_low")}});
  }
  return result.lines.isEmpty() ? std::nullopt : std::optional(std::move(result));
}

CompareDialog::CompareDialog(ComparedRun before, ComparedRun after, Nanoseconds budget, QWidget* parent,
                             QString program)
    : QDialog(parent),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_budget(budget),
      m_program(std::move(program)),
      m_runs(new QLabel),
      m_verdict(new QLabel),
      m_costs(new GainChart(
          {tr("How the costs of a frame have changed"), tr("← more · less →"), tr("%1: %2 (%3 to %4)"), changeText})),
      m_report(new QTextBrowser) {
  setWindowTitle(tr("Two runs compared"));
  for (QLabel* label : {m_runs, m_verdict}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  QFont bold = font();
  bold.setBold(true);
  m_verdict->setFont(bold);
  m_report->setAccessibleName(tr("Report of the comparison"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  m_copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  m_swap = buttons->addButton(tr("&Swap the runs"), QDialogButtonBox::ActionRole);
  auto* column = new QVBoxLayout(this);
  column->addWidget(m_runs);
  column->addWidget(m_verdict);
  column->addWidget(m_costs);
  column->addWidget(m_report, 1);
  column->addWidget(buttons);
  resize(sizeOnScreen(*this, {860, 640}));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(m_copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(m_runs->text() + u'\n' + report()); });
  connect(m_swap, &QPushButton::clicked, this, &CompareDialog::swapRuns);
  connect(&m_process, &QProcess::finished, this,
          [this](int, QProcess::ExitStatus) { showResult(m_process.readAllStandardOutput()); });
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      showTrouble(tr("The comparison cannot be started: %1.").arg(m_process.errorString()));
  });
  compare();
}

CompareDialog::~CompareDialog() {
  m_process.disconnect(this);
  m_process.kill();
  m_process.waitForFinished();
}

void CompareDialog::compare() {
  m_runs->setText(tr("Before: %1\nAfter: %2").arg(m_before.name, m_after.name));
  m_verdict->setText(tr("Reading both runs…"));
  m_costs->show({});
  m_report->hide();
  m_swap->setEnabled(false);
  m_copy->setEnabled(false);
  m_process.start(
      terminalProgram(m_program),
      {QStringLiteral("compare"), QStringLiteral("--format"), QStringLiteral("json"), QStringLiteral("--budget"),
       QStringLiteral("%1ns").arg(m_budget.count()), m_before.file, m_after.file},
      QIODevice::ReadOnly);
}

void CompareDialog::swapRuns() {
  std::swap(m_before, m_after);
  compare();
}

void CompareDialog::showTrouble(const QString& trouble) {
  m_verdict->setText(trouble);
  m_swap->setEnabled(true);
}

void CompareDialog::showResult(const QByteArray& json) {
  auto result = readCompareResult(json);
  if (!result) {
    const QString said = saidBy(m_process);
    return showTrouble(said.isEmpty() ? tr("The comparison was killed.") : said);
  }
  m_verdict->setText(result->lines.takeFirst());
  m_costs->show(std::move(result->costs));
  m_report->setPlainText(result->lines.join(u'\n'));
  m_report->show();
  m_swap->setEnabled(true);
  m_copy->setEnabled(true);
}

}  // namespace faultline

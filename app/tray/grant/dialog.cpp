#include "app/tray/grant/dialog.h"

#include <QDialogButtonBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "app/tray/widgets/screen_fit.h"
#include "core/model/cost_words.h"

namespace faultline {
namespace {

constexpr int kWidthInCharacters = 70;

QString explanation(const GrantPlaces& places) {
  const QString paragraphs = GrantDialog::tr(
      "<p>Linux shows the number of each process's faults to every program, but zeroed memory and the time of faults "
      "only "
      "to a program with capabilities.</p>"
      "<p><b>What is granted.</b> An administrator makes a copy of Faultline's collector, %1, which belongs to root "
      "and "
      "has three capabilities: cap_bpf and cap_perfmon to count zeroed memory and time faults, cap_syslog to find the "
      "kernel's functions that clear pages. The copy drops all three before it measures. This window, and every other "
      "program, runs as before.</p>"
      "<p><b>To whom.</b> To you: only members of the group faultline may start that copy, and you join it. You then "
      "see "
      "these numbers for every process of this machine, including other people's.</p>"
      "<p><b>What it costs.</b> Counting zeroed memory makes each fault %4 longer. Timing makes each fault %5 longer, "
      "depending on the processor, but only while this window is shown or a recording runs.</p>"
      "<p><b>In a terminal.</b> The same by hand, and how to revoke it:</p>"
      "<pre>%2\n%3</pre>");
  return paragraphs.arg(places.granted.toHtmlEscaped(), grantCommand(places).toHtmlEscaped(),
                        revokeCommand(places).toHtmlEscaped(), QLatin1StringView(kCountingCost),
                        QLatin1StringView(kTimingCost));
}

}  // namespace

GrantDialog::GrantDialog(const GrantPlaces& places, QWidget* parent)
    : QDialog(parent), m_run(places), m_result(new QLabel), m_go(new QPushButton(tr("&Measure zeroing too"))) {
  setWindowTitle(tr("Measure zeroing too"));
  auto* text = new QLabel(explanation(places));
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text->setMinimumWidth(text->fontMetrics().horizontalAdvance(QLatin1Char('0')) * kWidthInCharacters);
  m_result->setWordWrap(true);
  m_result->setTextFormat(Qt::PlainText);
  m_result->setObjectName(QStringLiteral("result"));
  m_go->setObjectName(QStringLiteral("go"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->addButton(m_go, QDialogButtonBox::ActionRole);
  auto* column = new QVBoxLayout(this);
  auto* scroll = scrolled(*text);  // for low screens
  const int width = text->minimumWidth() + scroll->verticalScrollBar()->sizeHint().width();
  scroll->setMinimumWidth(width);
  column->addWidget(scroll);
  column->addWidget(m_result);
  column->addWidget(buttons);
  const int others = column->sizeHint().height() - scroll->sizeHint().height();
  resize(sizeOnScreen(*this, {minimumSizeHint().width(), text->heightForWidth(width) + others}));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(m_go, &QPushButton::clicked, this, &GrantDialog::begin);
  connect(&m_run, &GrantRun::ended, this, &GrantDialog::finish);
}

void GrantDialog::begin() {
  m_go->setEnabled(false);
  m_result->setText(tr("Waiting for an administrator's password…"));
  m_run.start();
}

void GrantDialog::finish(bool usable, const QString& sentence) {
  m_go->setEnabled(!usable);
  m_result->setText(sentence);
  if (usable) Q_EMIT granted();
}

GrantDialog* openGrantDialog(QWidget* parent) {
  auto* dialog = new GrantDialog(ownGrantPlaces(), parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
  return dialog;
}

}  // namespace faultline

#include "app/tray/trial/try_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QProcess>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "app/tray/widgets/screen_fit.h"
#include "core/advice/text.h"
#include "core/text/quantity.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

struct Terminal {
  const char* program;
  const char* before;  // the words of a command
};
constexpr qsizetype kMostSaid = 600;
constexpr Terminal kTerminals[]{{"x-terminal-emulator", "-e"},
                                {"gnome-terminal", "--"},
                                {"konsole", "-e"},
                                {"xfce4-terminal", "-x"},
                                {"foot", ""},
                                {"kitty", ""},
                                {"xterm", "-e"}};

const Terminal* terminalHere() {
  for (const Terminal& terminal : kTerminals)
    if (!QStandardPaths::findExecutable(QLatin1StringView(terminal.program)).isEmpty()) return &terminal;
  return nullptr;
}

QString typed(std::vector<std::string> words) {
  if (const auto found = findProgram(executableFolder(), "faultline-cli"); found && !words.empty())
    words.front() = found->string();
  return QString::fromStdString(asTyped(words));
}

}  // namespace

TryDialog::TryDialog(const Advice& advice, const std::vector<std::string>& program, QWidget* parent)
    : TryDialog(tryCommand(advice, program),
                tr("This command runs the program several times with and without each remedy, and tells what the "
                   "frames gain and at what price. ") +
                    (program.empty() ? tr("Put the program and its arguments in the place of PROGRAM.")
                                     : tr("Change it first if the program needs other arguments to play by itself; a "
                                          "program that does not end needs --duration 20s before the two dashes.")),
                parent) {}

TryDialog::TryDialog(const std::vector<std::string>& program, QWidget* parent)
    : TryDialog(tryCommand(program),
                tr("This command runs the program several times with and without each remedy, and tells what a run "
                   "gains and at what price. Change it first if the program needs other arguments to work by itself. "
                   "For a game, which does not end, put --frames --duration 20s before the two dashes: then its frames "
                   "are compared."),
                parent) {}

TryDialog::TryDialog(const std::vector<std::string>& command, const QString& text, QWidget* parent)
    : QDialog(parent),
      m_command(new QPlainTextEdit(typed(command))),
      m_result(new QLabel),
      m_progress(new QProgressBar),
      m_gains(new GainChart(
          {tr("What each remedy saves"), tr("← loses · saves →"), tr("%1 saves %2 (%3 to %4)"), percentOf})),
      m_report(new QTextBrowser),
      m_run(new TryRun(this)) {
  setWindowTitle(tr("Try this"));
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  m_command->setTabChangesFocus(true);
  m_command->setAccessibleName(tr("Command"));
  m_result->setWordWrap(true);
  m_result->setTextFormat(Qt::PlainText);
  m_result->setObjectName(QStringLiteral("result"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* copies = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  auto* runs = buttons->addButton(tr("Run in a &terminal"), QDialogButtonBox::ActionRole);
  m_here = buttons->addButton(tr("&Run here"), QDialogButtonBox::ActionRole);
  m_here->setObjectName(QStringLiteral("here"));
  m_here->setDefault(true);
  m_here->setEnabled(!QStandardPaths::findExecutable(QStringLiteral("sh")).isEmpty());  // which reads the typed words
  copies->setObjectName(QStringLiteral("copy"));
  runs->setEnabled(terminalHere() != nullptr);
  m_progress->setAccessibleName(tr("Progress of the trial"));
  m_progress->hide();
  m_report->setAccessibleName(tr("Report of the trial"));
  m_report->hide();
  auto* column = new QVBoxLayout(this);
  column->addWidget(label);
  column->addWidget(m_command, 1);
  column->addWidget(m_progress);
  column->addWidget(m_result);
  column->addWidget(m_gains);
  column->addWidget(m_report, 4);
  column->addWidget(buttons);
  resize(sizeOnScreen(*this, {620, 260}));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(copies, &QPushButton::clicked, this, &TryDialog::copy);
  connect(runs, &QPushButton::clicked, this, &TryDialog::runInTerminal);
  connect(m_here, &QPushButton::clicked, this, &TryDialog::runHere);
  connect(m_run, &TryRun::progressed, this, &TryDialog::showProgress);
  connect(m_run, &TryRun::ended, this, &TryDialog::showResult);
  connect(m_run, &TryRun::said, this, [this](const QString& line) {
    m_said = (m_said + (m_said.isEmpty() ? QString() : QStringLiteral("\n")) + line).right(kMostSaid);
    m_result->setText(m_said);
  });
}

void TryDialog::copy() {
  QApplication::clipboard()->setText(command());
  m_result->setText(tr("Copied."));
}

void TryDialog::runInTerminal() {
  const Terminal* const terminal = terminalHere();
  if (terminal == nullptr) return;
  QStringList words{QLatin1StringView(terminal->before)};
  words.removeAll(QString());
  words << QStringLiteral("sh") << QStringLiteral("-c")
        << command() + QStringLiteral("; echo; echo 'Press Enter to close.'; read -r _");
  const bool started = QProcess::startDetached(QLatin1StringView(terminal->program), words);
  m_result->setText(started ? tr("Started.") : tr("The terminal could not be started: copy the command into one."));
}

void TryDialog::runHere() {
  if (m_run->running()) {
    m_here->setEnabled(false);  // until the run that goes on has been ended
    m_cancelled = true;
    return m_run->cancel();
  }
  m_cancelled = false;
  m_said.clear();
  if (!m_run->start(command()))
    return m_result->setText(tr("The window runs 'faultline-cli try' alone: run this command in a terminal."));
  m_here->setText(tr("Cance&l"));
  m_command->setReadOnly(true);
  m_result->setText(tr("The first run, which does not count, fills the caches."));
  m_progress->setRange(0, 0);
  m_progress->show();
}

void TryDialog::showProgress(const TrialProgress& progress, qint64 left) {
  m_progress->setRange(0, static_cast<int>(progress.runs));
  m_progress->setValue(static_cast<int>(progress.run) - 1);
  QString words = QString::fromStdString(progress.what);
  if (left > 0) words += tr(" · about %1 left").arg(QString::fromStdString(formatDuration(Nanoseconds(left))));
  m_result->setText(words);
}

void TryDialog::showResult(const QByteArray& json, int code) {
  m_here->setEnabled(true);
  m_here->setText(tr("&Run here"));
  m_command->setReadOnly(false);
  m_progress->hide();
  auto result = readTryResult(json);
  m_report->setVisible(result.has_value());
  m_gains->show(result ? std::move(result->gains) : std::vector<TryResult::Gain>());
  if (!result) {
    const QString ended = m_cancelled ? tr("Cancelled before a round was complete.")
                          : code < 0  ? tr("The trial was killed.")
                                      : tr("The trial ended with code %1.").arg(code);
    return m_result->setText(m_cancelled || m_said.isEmpty() ? ended : m_said);
  }
  m_result->setText(result->advice);
  m_report->setMarkdown(result->markdown);
  if (const QSize room = sizeOnScreen(*this, {980, 760}); room.height() > height()) resize(room);
}

}  // namespace faultline

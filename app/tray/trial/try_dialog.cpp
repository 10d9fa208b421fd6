#include "app/tray/trial/try_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QProcess>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "app/tray/widgets/screen_fit.h"
#include "core/advice/text.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

struct Terminal {
  const char* program;
  const char* before;  // the words of a command
};
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
    : QDialog(parent), m_command(new QPlainTextEdit(typed(command))), m_result(new QLabel) {
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
  auto* runs = buttons->addButton(tr("&Run in a terminal"), QDialogButtonBox::ActionRole);
  copies->setObjectName(QStringLiteral("copy"));
  runs->setEnabled(terminalHere() != nullptr);
  if (!runs->isEnabled()) m_result->setText(tr("No terminal was found: copy the command into one."));
  auto* column = new QVBoxLayout(this);
  column->addWidget(label);
  column->addWidget(m_command, 1);
  column->addWidget(m_result);
  column->addWidget(buttons);
  resize(sizeOnScreen(*this, {620, 260}));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(copies, &QPushButton::clicked, this, &TryDialog::copy);
  connect(runs, &QPushButton::clicked, this, &TryDialog::run);
}

void TryDialog::copy() {
  QApplication::clipboard()->setText(command());
  m_result->setText(tr("Copied."));
}

void TryDialog::run() {
  const Terminal* const terminal = terminalHere();
  if (terminal == nullptr) return;
  QStringList words{QLatin1StringView(terminal->before)};
  words.removeAll(QString());
  words << QStringLiteral("sh") << QStringLiteral("-c")
        << command() + QStringLiteral("; echo; echo 'Press Enter to close.'; read -r _");
  const bool started = QProcess::startDetached(QLatin1StringView(terminal->program), words);
  m_result->setText(started ? tr("Started.") : tr("The terminal could not be started: copy the command into one."));
}

}  // namespace faultline

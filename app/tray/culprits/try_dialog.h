// TryDialog: the command line that tries an advice on the game, to change, to copy, or to run in a terminal.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <string>
#include <vector>

#include "core/advice/advice.h"

namespace faultline {

class TryDialog : public QDialog {
  Q_OBJECT
 public:
  // `program`: the words that started the game; empty: not known.
  TryDialog(const Advice& advice, const std::vector<std::string>& program, QWidget* parent = nullptr);

  [[nodiscard]] QString command() const { return m_command->toPlainText().simplified(); }

 private:
  void copy();
  void run();

  QPlainTextEdit* m_command;
  QLabel* m_result;
};

}  // namespace faultline

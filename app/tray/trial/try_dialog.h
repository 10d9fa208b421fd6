// TryDialog: the command line that tries remedies on a program, to change, to copy, or to run in a terminal.
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
  // `program`: the words that started it; empty: not known.
  // Those of the advice, on the program's frames.
  TryDialog(const Advice& advice, const std::vector<std::string>& program, QWidget* parent = nullptr);
  // All, on whole runs of the program.
  explicit TryDialog(const std::vector<std::string>& program, QWidget* parent = nullptr);

  [[nodiscard]] QString command() const { return m_command->toPlainText().simplified(); }

 private:
  TryDialog(const std::vector<std::string>& command, const QString& text, QWidget* parent);
  void copy();
  void run();

  QPlainTextEdit* m_command;
  QLabel* m_result;
};

}  // namespace faultline

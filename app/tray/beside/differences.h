// DifferencesDialog: what the visible range cost in two recordings, by program, as `faultline-cli compare` tells it.
// Follows the range while it is open.
#pragma once

#include <QDialog>
#include <QPlainTextEdit>

namespace faultline {

class DifferencesDialog : public QDialog {
  Q_OBJECT
 public:
  explicit DifferencesDialog(QWidget* parent);

  void tell(const QString& words);
  [[nodiscard]] QString words() const { return m_words->toPlainText(); }

 private:
  QPlainTextEdit* m_words;
};

}  // namespace faultline

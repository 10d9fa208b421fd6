// CountBox: a box for a whole number, in groups of three as everywhere else, with whatever spaces somebody types. What
// is typed counts when it is finished, not digit by digit.
#pragma once

#include <QSpinBox>

namespace faultline {

class CountBox : public QSpinBox {
 public:
  explicit CountBox(QWidget* parent = nullptr);

 protected:
  [[nodiscard]] QString textFromValue(int value) const override;
  [[nodiscard]] int valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
};

}  // namespace faultline

// Boxes for numbers in groups of three digits; typed spaces are ignored. A value changes when typing is finished, not
// with every digit. A number out of range becomes the nearest valid number, and the box reports the range.
#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>
#include <functional>

namespace faultline {

using RangeTold = std::function<void(const QString& sentence)>;

class CountBox : public QSpinBox {
 public:
  explicit CountBox(QWidget* parent = nullptr);

  void onCorrected(RangeTold told) { m_told = std::move(told); }
  [[nodiscard]] QString rangeText() const;

 protected:
  [[nodiscard]] QString textFromValue(int value) const override;
  [[nodiscard]] int valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& text) const override;

 private:
  RangeTold m_told;
};

class FactorBox : public QDoubleSpinBox {
 public:
  explicit FactorBox(QWidget* parent = nullptr);

  void onCorrected(RangeTold told) { m_told = std::move(told); }
  [[nodiscard]] QString rangeText() const;

 protected:
  QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& text) const override;

 private:
  RangeTold m_told;
};

}  // namespace faultline

#include "app/tray/widgets/count_box.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <optional>

#include "core/text/quantity.h"

namespace faultline {
namespace {

// Removes spaces between digits (the suffix may contain others), and the mark for the direction of a number.
QString ungrouped(QString text) {
  static const QRegularExpression kSpace(QStringLiteral("\\x{200E}|(?<=\\d)\\s+(?=\\d)"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  return text.remove(kSpace);
}

template <class Box>
std::optional<double> typedNumber(const Box& box, const QString& text) {
  QString number = ungrouped(text);
  if (number.endsWith(box.suffix())) number.chop(box.suffix().size());
  bool good = false;
  const double value = box.locale().toDouble(number.trimmed(), &good);
  return good ? std::optional(value) : std::nullopt;
}

template <class Box>
bool isOutside(const Box& box, const QString& text) {
  const auto typed = typedNumber(box, text);
  return typed && (*typed < box.minimum() || *typed > box.maximum());
}

QString range(const QString& least, const QString& most, const QString& suffix) {
  return QCoreApplication::translate("CountBox", "%1 to %2").arg(least, most + suffix);
}

QString correction(const QString& typed, const QString& range, const QString& set) {
  return QCoreApplication::translate("CountBox", "%1 is out of range (%2). The value is now %3.")
      .arg(typed.trimmed(), range, set);
}

}  // namespace

CountBox::CountBox(QWidget* parent) : QSpinBox(parent) {
  setGroupSeparatorShown(true);  // accepts the locale's separator, too
  setKeyboardTracking(false);
  setAlignment(Qt::AlignRight);
}

QString CountBox::rangeText() const {
  return range(textFromValue(minimum()), textFromValue(maximum()), suffix());
}

QString CountBox::textFromValue(int value) const {
  return QString::fromStdString(formatCount(static_cast<std::uint64_t>(value)));
}

int CountBox::valueFromText(const QString& text) const {
  return QSpinBox::valueFromText(ungrouped(text));
}

// Accepts too large a number while typing, so that fixup() can report the range.
QValidator::State CountBox::validate(QString& text, int& position) const {
  QString digits = ungrouped(text);
  int place = std::min(position, static_cast<int>(digits.size()));
  const QValidator::State state = QSpinBox::validate(digits, place);
  return state == QValidator::Invalid && isOutside(*this, text) ? QValidator::Intermediate : state;
}

void CountBox::fixup(QString& text) const {
  if (!isOutside(*this, text)) return;
  const double nearest = std::clamp<double>(*typedNumber(*this, text), minimum(), maximum());
  const QString set = textFromValue(static_cast<int>(nearest)) + suffix();
  if (m_told) m_told(correction(text, rangeText(), set));
  text = set;
}

FactorBox::FactorBox(QWidget* parent) : QDoubleSpinBox(parent) {
  setKeyboardTracking(false);
  setAlignment(Qt::AlignRight);
}

QString FactorBox::rangeText() const {
  return range(textFromValue(minimum()), textFromValue(maximum()), suffix());
}

QValidator::State FactorBox::validate(QString& text, int& position) const {
  const QValidator::State state = QDoubleSpinBox::validate(text, position);
  return state == QValidator::Invalid && isOutside(*this, text) ? QValidator::Intermediate : state;
}

void FactorBox::fixup(QString& text) const {
  if (!isOutside(*this, text)) return QDoubleSpinBox::fixup(text);
  const QString set = textFromValue(std::clamp(*typedNumber(*this, text), minimum(), maximum())) + suffix();
  if (m_told) m_told(correction(text, rangeText(), set));
  text = set;
}

}  // namespace faultline

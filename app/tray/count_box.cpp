#include "app/tray/count_box.h"

#include <QRegularExpression>
#include <algorithm>

#include "core/text/quantity.h"

namespace faultline {
namespace {

// Only those between two digits: the suffix has spaces, too.
QString ungrouped(QString text) {
  static const QRegularExpression kSpace(QStringLiteral("(?<=\\d)\\s+(?=\\d)"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  return text.remove(kSpace);
}

}  // namespace

CountBox::CountBox(QWidget* parent) : QSpinBox(parent) {
  setGroupSeparatorShown(true);  // the locale's may be typed as well
  setKeyboardTracking(false);
  setAlignment(Qt::AlignRight);
}

QString CountBox::textFromValue(int value) const {
  return QString::fromStdString(formatCount(static_cast<std::uint64_t>(value)));
}

int CountBox::valueFromText(const QString& text) const {
  return QSpinBox::valueFromText(ungrouped(text));
}

QValidator::State CountBox::validate(QString& text, int& position) const {
  QString digits = ungrouped(text);
  int place = std::min(position, static_cast<int>(digits.size()));
  return QSpinBox::validate(digits, place);
}

}  // namespace faultline

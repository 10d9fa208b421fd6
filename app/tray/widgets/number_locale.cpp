#include "app/tray/widgets/number_locale.h"

#include <QLocale>

#include "core/text/number_style.h"

namespace faultline {

void writeNumbersLike(const QLocale& locale, Qt::LayoutDirection direction) {
  NumberStyle style;
  if (direction == Qt::RightToLeft) style.before = "\u200E";
  style.decimalPoint = locale.decimalPoint().toStdString();
  for (int digit = 0; digit < 10; ++digit)
    style.digits.at(static_cast<std::size_t>(digit)) = locale.toString(digit).toStdString();
  setNumberStyle(std::move(style));
}

}  // namespace faultline

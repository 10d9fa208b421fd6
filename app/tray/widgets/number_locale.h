// Writes numbers with the locale's decimal point and digits. Groups of thousands keep a thin space, which cannot be
// mistaken for a decimal point.
#pragma once

#include <QtCore/qnamespace.h>

class QLocale;

namespace faultline {

// `direction`: of the surrounding text.
void writeNumbersLike(const QLocale& locale, Qt::LayoutDirection direction = Qt::LeftToRight);

}  // namespace faultline

// Numbers as whoever looks at them writes them: their decimal point and their digits. Thousands stay apart by a thin
// space, which nobody takes for a decimal point.
#pragma once

#include <QtCore/qnamespace.h>

class QLocale;

namespace faultline {

// `direction`: how the text around them runs.
void writeNumbersLike(const QLocale& locale, Qt::LayoutDirection direction = Qt::LeftToRight);

}  // namespace faultline

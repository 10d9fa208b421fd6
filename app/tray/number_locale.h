// Numbers as whoever looks at them writes them: their decimal point and their digits. Thousands stay apart by a thin
// space, which nobody takes for a decimal point.
#pragma once

class QLocale;

namespace faultline {

void writeNumbersLike(const QLocale& locale);

}  // namespace faultline

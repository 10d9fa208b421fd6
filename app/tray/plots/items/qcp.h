// Includes QCustomPlot, whose header needs Qt's keyword macros, which this tree does not use.
#pragma once

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach

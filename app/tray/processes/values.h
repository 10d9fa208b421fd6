// Fills the numbers of a row from the newest sample, from History, or from the last sample of an ended process.
#pragma once

#include "app/tray/processes/entry.h"
#include "core/monitor/monitor.h"

namespace faultline {

void fillFromNow(ProcessEntry& entry, const ProcessRow& row, const Monitor& monitor);
void fillFromHistory(ProcessEntry& entry, const History& history, MonotonicTime time);
void fillEnded(ProcessEntry& entry);  // the last values; rates are absent

}  // namespace faultline

// TableStage: a table of two processes, of a monitor fed by the test.
#pragma once

#include <QTableView>

#include "app/tray/table/table.h"
#include "tests/app/tray/staged_monitor.h"

namespace faultline {

struct TableStage {
  TableStage() {
    stage.process(7, "game");
    stage.process(8, "=1+1");
    stage.tick();
    stage.add(7, ProcessMetric::MinorFaults, 4096);
    stage.tick();
  }

  QTableView& view() { return *table.findChild<QTableView*>(); }
  QString textAt(int row, Column column) { return view().model()->index(row, columnIndex(column)).data().toString(); }

  StagedMonitor stage;
  Pins pins;
  ProcessTable table{stage.monitor, pins};
};

}  // namespace faultline

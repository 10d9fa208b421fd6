// GrantDialog: what it takes to measure zeroing and fault time, what is granted to whom, and the button that does it.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QPushButton>

#include "app/tray/grant/run.h"

namespace faultline {

class GrantDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GrantDialog(const GrantPlaces& places, QWidget* parent = nullptr);

 Q_SIGNALS:
  void granted();  // a collector started now measures more

 private:
  void begin();
  void finish(bool usable, const QString& sentence);

  GrantRun m_run;
  QLabel* m_result;
  QPushButton* m_go;
};

}  // namespace faultline

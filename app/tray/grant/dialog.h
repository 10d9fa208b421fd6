// GrantDialog: explains the permission for measuring zeroing and fault time, and has the button that grants it.
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
  void granted();  // a collector started from now on measures more

 private:
  void begin();
  void finish(bool usable, const QString& sentence);

  GrantRun m_run;
  QLabel* m_result;
  QPushButton* m_go;
};

// Opens a dialog for this program's collector. Closing the dialog deletes it.
GrantDialog* openGrantDialog(QWidget* parent);

}  // namespace faultline

// FilterLine: the line above the table, with the instant shown, the filter, and the number of processes.
#pragma once

#include <QWidget>

#include "app/tray/processes/filter.h"
#include "app/tray/widgets/theme.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace faultline {

class FilterLine : public QWidget {
  Q_OBJECT
 public:
  explicit FilterLine(ProcessFilter& rows, QWidget* parent = nullptr);

  void tell(const ProcessModel& model, const History& history);
  void showAll();                            // removes all filters
  void setColours(const QPalette& palette);  // of the table, which changes before the line's own

  [[nodiscard]] QLineEdit& edit() { return *m_filter; }
  [[nodiscard]] QString whyNothing() const;  // shown if no row passes the filter

 Q_SIGNALS:
  void changed();

 private:
  [[nodiscard]] QString averagesIfRoom(const QString& count) const;

  ProcessFilter& m_rows;
  QLabel* m_instant;
  QLineEdit* m_filter;
  QCheckBox* m_activeOnly;
  QComboBox* m_tree;
  QLabel* m_count;
};

}  // namespace faultline

// ProcessFilter: which processes are shown, and in what order. The order follows the values only when settle() is
// called; in between rows keep their places, and a newcomer takes the place that is its own. Pinned rows come first.
#pragma once

#include <QSortFilterProxyModel>

#include "app/tray/process_model.h"

namespace faultline {

class ProcessFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit ProcessFilter(ProcessModel& model, QObject* parent = nullptr);

  void setText(const QString& text);  // part of a name, in any case, or the beginning of a pid
  void setActiveOnly(bool only);      // those with a fault in the last minute
  void settle(Settling settling);     // sorts by the values of now, if that changes anything

  [[nodiscard]] const ProcessEntry& entry(const QModelIndex& index) const;
  void sort(int column, Qt::SortOrder order) override;

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  [[nodiscard]] bool comesBefore(int left, int right) const;  // rows of the model
  [[nodiscard]] bool ordered() const;
  void resort();

  ProcessModel& m_model;
  QString m_text;
  bool m_activeOnly = false;
};

}  // namespace faultline

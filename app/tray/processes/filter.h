// ProcessFilter: selects and orders the rows of the process table. The order follows the values only in settle(); in
// between rows keep their places, and new rows are inserted. Pinned rows come first, rows of ended processes last.
#pragma once

#include <QSortFilterProxyModel>

#include "app/tray/processes/model.h"

namespace faultline {

class ProcessFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit ProcessFilter(ProcessModel& model, QObject* parent = nullptr);

  // Each word must occur in name, command line, user, service or parent, ignoring case, or be the beginning of the pid;
  // after "unit:" it must occur in the service.
  void setText(const QString& text);
  void setTree(ProcessModel::Tree tree);  // families and services are ordered by their sums
  [[nodiscard]] bool tree() const { return m_model.tree(); }
  void fold(const ProcessKey& key, bool folded);  // a folded family is one row, except while a text filters
  void unfoldTo(const ProcessKey& key);
  void setActiveOnly(bool only);  // shows only processes with a fault in the last minute
  void settle();                  // sorts by the present values, if the order changes

  [[nodiscard]] const ProcessEntry& entry(const QModelIndex& index) const;
  [[nodiscard]] QModelIndex find(const ProcessKey& key, int column) const;
  void sort(int column, Qt::SortOrder order) override;

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  [[nodiscard]] bool comesBefore(int left, int right) const;  // rows of the model
  [[nodiscard]] bool comesBefore(const ProcessEntry& left, const ProcessEntry& right) const;
  [[nodiscard]] std::vector<const ProcessEntry*> path(const ProcessEntry& entry) const;
  [[nodiscard]] bool matches(const ProcessEntry& entry) const;
  [[nodiscard]] bool foldedAway(const ProcessEntry& entry) const;
  [[nodiscard]] bool ordered() const;
  void resort();

  ProcessModel& m_model;
  QStringList m_words;
  bool m_activeOnly = false;
};

}  // namespace faultline

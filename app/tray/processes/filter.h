// ProcessFilter: which processes are shown, and in what order. The order follows the values only when settle() is
// called; in between rows keep their places, and a newcomer takes the place that is its own. Pinned rows come first,
// those of ended processes last.
#pragma once

#include <QSortFilterProxyModel>

#include "app/tray/processes/model.h"

namespace faultline {

class ProcessFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit ProcessFilter(ProcessModel& model, QObject* parent = nullptr);

  // Words that all occur, in any case, in name, command line, user or parent, or begin the pid.
  void setText(const QString& text);
  void setTree(bool tree);  // children below their parents, each family in the place of its sum
  [[nodiscard]] bool tree() const { return m_model.tree(); }
  void fold(const ProcessKey& key, bool folded);  // a folded family is one row, unless words look for another
  void unfoldTo(const ProcessKey& key);
  void setActiveOnly(bool only);   // those with a fault in the last minute
  void settle(Settling settling);  // sorts by the values of now, if that changes anything

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

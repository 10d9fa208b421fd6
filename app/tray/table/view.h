// TableView: the rows of processes. Insertions and removals move neither selection nor scroll position. In a tree,
// Left, Right and clicks on a triangle fold and unfold families.
#pragma once

#include <QTableView>

namespace faultline {

class ProcessFilter;

// The look and keys of every table whose rows are selected as a whole.
void setUpRows(QTableView& table, QAbstractItemView::SelectionMode mode);
// Before these rows are removed: leaves the current row if it is one of them, because QTableView would select the next
// row and scroll to it.
void leaveRows(QTableView& table, int first, int last);

class TableView : public QTableView {
  Q_OBJECT
 public:
  explicit TableView(ProcessFilter& rows, QWidget* parent = nullptr);

 protected:
  void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  bool foldByKey(bool fold);
  [[nodiscard]] bool onTriangle(const QModelIndex& index, int x) const;

  ProcessFilter& m_rows;
};

}  // namespace faultline

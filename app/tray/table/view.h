// TableView: the rows of processes. Rows come and go under it without moving the selection or the place; in a tree a
// click on a family's triangle, Left and Right fold and unfold it.
#pragma once

#include <QTableView>

namespace faultline {

class ProcessFilter;

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

// WorstTable: the worst frames of a game, one row each.
#pragma once

#include <QTableView>
#include <vector>

#include "app/tray/frames/model.h"
#include "core/frames/history.h"

class QMenu;
class QSortFilterProxyModel;

namespace faultline {

class CellDelegate;
class TableHeader;

class WorstTable : public QTableView {
  Q_OBJECT
 public:
  explicit WorstTable(const WorstFrames& worst, QWidget* parent = nullptr);

  void refresh(const FrameHistory& history);  // for new frames
  void rebuild();                             // after all frames were judged again
  void setCulprit(std::uint64_t place, const QString& text) { m_model->setCulprit(place, text); }
  void fillColumns(QMenu& menu);                                 // an entry per column, checked if shown
  void select(std::uint64_t place);                              // selects nothing if the frame has no row
  [[nodiscard]] std::vector<std::uint64_t> top(int most) const;  // the frames of the first rows
  [[nodiscard]] QByteArray saveColumns() const;
  void restoreColumns(const QByteArray& state);

 Q_SIGNALS:
  void chosen(quint64 place);  // by the user

 protected:
  void changeEvent(QEvent* event) override;
  void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override;

 private:
  void setUpColumns();
  void applyTheme();
  [[nodiscard]] std::uint64_t placeOf(const QModelIndex& index) const;

  FrameModel* m_model;
  QSortFilterProxyModel* m_sorted;
  TableHeader* m_header;
  CellDelegate* m_cells;
  bool m_selecting = false;
};

}  // namespace faultline

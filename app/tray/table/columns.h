// TableColumns: visibility, order and widths of the table's columns. A column that cannot be measured is hidden, and
// returns as soon as it can be measured.
#pragma once

#include <QByteArray>
#include <array>

#include "app/tray/processes/columns.h"
#include "core/model/hello.h"

class QHeaderView;
class QTableView;

namespace faultline {

class TableColumns {
 public:
  TableColumns(QTableView& view, QHeaderView& header) : m_view(view), m_header(header) {}

  void order(const Hello& hello);  // sets the default order
  void showMeasured(const Hello& hello);
  void setWidths();

  [[nodiscard]] QByteArray saved() const;                       // widths, order and sorting
  bool restore(const QByteArray& columns, const Hello& hello);  // false: nothing was saved

 private:
  QTableView& m_view;
  QHeaderView& m_header;
  std::array<bool, kColumnCount> m_measured{};
  std::array<bool, kColumnCount> m_wanted{};  // shown if measured
};

}  // namespace faultline

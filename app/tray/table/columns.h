// TableColumns: which columns of the table are shown, in what order and how wide. A column that nobody can measure here
// takes no room, and comes back by itself once it can be measured.
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

  void order(const Hello& hello);  // as they stand before a hand moves them
  void showMeasured(const Hello& hello);
  void setWidths();

  [[nodiscard]] QByteArray saved() const;  // widths, order and sorting
  void restore(const QByteArray& columns, const Hello& hello);

 private:
  QTableView& m_view;
  QHeaderView& m_header;
  std::array<bool, kColumnCount> m_measured{};
  std::array<bool, kColumnCount> m_wanted{};  // shown when it is measured
};

}  // namespace faultline

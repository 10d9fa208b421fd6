// LabRows: the rows of a report as a table, with the time on another machine beside them, if there is one.
#pragma once

#include <QAbstractTableModel>
#include <optional>

#include "app/tray/processes/model.h"
#include "core/lab/report.h"
#include "core/lab/view/cells.h"

namespace faultline {

class LabRows : public QAbstractTableModel {
  Q_OBJECT
 public:
  // After those of the report: the time of the other machine, and its ratio to the time here.
  static constexpr int kThere = static_cast<int>(LabColumn::Count);
  static constexpr int kRatio = kThere + 1;
  enum Role { DimRole = ProcessModel::DimRole };  // for CellDelegate

  using QAbstractTableModel::QAbstractTableModel;

  void show(const LabReport& report, const LabReport* other);
  [[nodiscard]] const LabReport& report() const { return m_report; }
  [[nodiscard]] bool compares() const { return m_other.has_value(); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  LabReport m_report;
  std::optional<LabReport> m_other;
  std::vector<QStringList> m_cells;
};

}  // namespace faultline

// FrameModel: the worst frames as a table, in the order of WorstFrames. Inserts and removes single rows.
#pragma once

#include <QAbstractTableModel>
#include <QMap>
#include <optional>

#include "app/tray/processes/model.h"
#include "core/frames/worst_frames.h"

namespace faultline {

// Behind Count each number of the table has a column, by its number on the wire (FrameMetric): saved layouts keep them.
enum class FrameColumn : std::uint8_t {
  Number,
  Time,
  Duration,
  ForMemory,
  Faults,
  Own,
  Zeroed,
  LateBy,
  Explained,
  Culprit,
  Count
};
inline constexpr int kOwnFrameColumns = static_cast<int>(FrameColumn::Count);

class FrameModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role {
    DimRole = ProcessModel::DimRole,  // for CellDelegate
    SortRole = Qt::UserRole + 100,
  };

  explicit FrameModel(const WorstFrames& worst, QObject* parent = nullptr);

  [[nodiscard]] static FrameColumn columnOf(FrameMetric metric);

  void refresh();
  void reset();                                        // every frame was judged again
  void setZero(MonotonicTime zero) { m_zero = zero; }  // when watching began
  void setCulprit(std::uint64_t place, const QString& text);
  void forgetBefore(std::uint64_t place);  // drops culprits of frames that the history has dropped

  [[nodiscard]] std::uint64_t place(int row) const { return m_rows[static_cast<std::size_t>(row)].place; }
  [[nodiscard]] std::optional<int> rowOf(std::uint64_t place) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(const WorstFrames::Row& row, FrameColumn column) const;
  [[nodiscard]] std::optional<double> number(const JudgedFrame& judged, FrameColumn column) const;

  const WorstFrames& m_worst;
  std::vector<WorstFrames::Row> m_rows;
  QMap<quint64, QString> m_culprits;
  MonotonicTime m_zero;
};

}  // namespace faultline

#include "app/tray/spike_model.h"

#include <algorithm>

#include "app/tray/spike_text.h"

namespace faultline {
namespace {

// Ids begin anew when Monitor is cleared, so the start belongs to what a spike is.
bool same(const Spike& a, const Spike& b) {
  return a.id == b.id && a.start == b.start;
}

}  // namespace

SpikeModel::SpikeModel(const Monitor& monitor, QObject* parent) : QAbstractListModel(parent), m_monitor(monitor) {}

void SpikeModel::refresh() {
  removeForgotten();
  insertNew();
  updateChanged();
}

void SpikeModel::removeForgotten() {
  const auto& kept = m_monitor.spikes();
  for (int row = rowCount() - 1; row >= 0; --row) {
    const auto known = std::lower_bound(kept.begin(), kept.end(), spike(row).id,
                                        [](const Spike& s, std::uint64_t id) { return s.id < id; });
    if (known != kept.end() && same(*known, spike(row))) continue;
    beginRemoveRows({}, row, row);
    m_spikes.erase(m_spikes.begin() + row);
    endRemoveRows();
  }
}

// What is left is a part of Monitor's list, in its order: whatever is missing is newer than all of it.
void SpikeModel::insertNew() {
  const auto fresh = static_cast<std::ptrdiff_t>(m_monitor.spikes().size() - m_spikes.size());
  if (fresh <= 0) return;
  beginInsertRows({}, 0, static_cast<int>(fresh) - 1);
  m_spikes.insert(m_spikes.begin(), m_monitor.spikes().rbegin(), m_monitor.spikes().rbegin() + fresh);
  endInsertRows();
}

void SpikeModel::updateChanged() {
  auto now = m_monitor.spikes().rbegin();
  for (int row = 0; row < rowCount(); ++row, ++now) {
    Spike& shown = m_spikes[static_cast<std::size_t>(row)];
    if (shown == *now) continue;
    shown = *now;
    Q_EMIT dataChanged(index(row), index(row));
  }
}

int SpikeModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_spikes.size());
}

QVariant SpikeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  switch (role) {
    case Qt::DisplayRole:
      return spikeLine(spike(index.row()));
    case Qt::ToolTipRole:
      return spikeDetails(spike(index.row()));
    default:
      return {};
  }
}

}  // namespace faultline

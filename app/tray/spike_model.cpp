#include "app/tray/spike_model.h"

#include <algorithm>
#include <span>

#include "app/tray/plain_text.h"
#include "app/tray/spike_text.h"

namespace faultline {
SpikeModel::SpikeModel(const Monitor& monitor, QObject* parent) : QAbstractListModel(parent), m_monitor(monitor) {}

void SpikeModel::refresh() {
  std::erase_if(m_cleared, [this](const Cleared& gone) { return known(gone.id, gone.start) == nullptr; });
  removeForgotten();
  const Listed now = listed();
  insertNew(now);
  updateChanged(now);
}

void SpikeModel::clear() {
  for (Cleared& before : m_cleared) before.last = false;
  for (auto spike = m_spikes.rbegin(); spike != m_spikes.rend(); ++spike)
    m_cleared.push_back({spike->id, spike->start, true});
  beginResetModel();
  m_spikes.clear();
  endResetModel();
}

void SpikeModel::restore() {
  std::erase_if(m_cleared, &Cleared::last);
  beginResetModel();
  m_spikes.clear();
  for (const Spike* spike : listed()) m_spikes.push_back(*spike);
  endResetModel();
}

// Ids begin anew when Monitor is cleared, so the start belongs to what a spike is.
const Spike* SpikeModel::known(std::uint64_t id, MonotonicTime start) const {
  const auto& kept = m_monitor.spikes();
  const auto it = std::ranges::lower_bound(kept, id, {}, &Spike::id);
  return it != kept.end() && it->id == id && it->start == start ? &*it : nullptr;
}

// Newest first.
SpikeModel::Listed SpikeModel::listed() const {
  Listed spikes;
  for (auto spike = m_monitor.spikes().rbegin(); spike != m_monitor.spikes().rend(); ++spike) {
    if (!std::ranges::binary_search(m_cleared, spike->id, {}, &Cleared::id)) spikes.push_back(&*spike);
  }
  return spikes;
}

void SpikeModel::removeForgotten() {
  for (int row = rowCount() - 1; row >= 0; --row) {
    if (known(spike(row).id, spike(row).start) != nullptr) continue;
    beginRemoveRows({}, row, row);
    m_spikes.erase(m_spikes.begin() + row);
    endRemoveRows();
  }
}

// What is left is a part of what is to be listed, in its order: whatever is missing is newer than all of it.
void SpikeModel::insertNew(const Listed& now) {
  const auto fresh = static_cast<std::ptrdiff_t>(now.size() - m_spikes.size());
  if (fresh <= 0) return;
  beginInsertRows({}, 0, static_cast<int>(fresh) - 1);
  std::vector<Spike> spikes;
  for (const Spike* spike : std::span(now).first(static_cast<std::size_t>(fresh))) spikes.push_back(*spike);
  m_spikes.insert(m_spikes.begin(), spikes.begin(), spikes.end());
  endInsertRows();
}

void SpikeModel::updateChanged(const Listed& now) {
  for (std::size_t row = 0; row < m_spikes.size(); ++row) {
    if (m_spikes[row] == *now[row]) continue;
    m_spikes[row] = *now[row];
    Q_EMIT dataChanged(index(static_cast<int>(row)), index(static_cast<int>(row)));
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
      return plainToolTip(spikeDetails(spike(index.row())));
    default:
      return {};
  }
}

}  // namespace faultline

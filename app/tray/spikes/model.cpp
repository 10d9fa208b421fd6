#include "app/tray/spikes/model.h"

#include <algorithm>
#include <map>

#include "app/tray/spikes/text.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/word_filter.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

bool same(const SpikeRow& a, const SpikeRow& b) {
  return a.latest.name == b.latest.name && a.ordinal == b.ordinal;
}

bool comesBefore(const SpikeRow& a, const SpikeRow& b) {
  return a.pinned != b.pinned ? a.pinned : a.first > b.first;
}

}  // namespace

SpikeModel::SpikeModel(const Monitor& monitor, const Pins& pins, const SpikeMutes& mutes, QObject* parent)
    : QAbstractListModel(parent), m_monitor(monitor), m_pins(pins), m_mutes(mutes) {
  connect(&pins, &Pins::changed, this, &SpikeModel::refresh);
  connect(&mutes, &SpikeMutes::changed, this, &SpikeModel::refresh);
}

void SpikeModel::refresh() {
  std::erase_if(m_cleared, [this](const Cleared& gone) { return !known(gone); });
  const std::vector<SpikeRow> now = rowsNow();
  removeGone(now);
  insertNew(now);
  updateChanged(now);
}

void SpikeModel::clear() {
  for (Cleared& before : m_cleared) before.last = false;
  for (const Spike& spike : m_monitor.spikes())
    if (shown(spike)) m_cleared.push_back({spike.id, spike.start, true});
  std::ranges::sort(m_cleared, {}, &Cleared::id);
  refresh();
}

void SpikeModel::restore() {
  std::erase_if(m_cleared, &Cleared::last);
  refresh();
}

bool SpikeModel::dated() const {
  const History& history = m_monitor.history();
  return history.oldest() && *history.newest() - *history.oldest() > std::chrono::hours(24);
}

// Ids count up from 1.
std::size_t SpikeModel::found() const {
  return m_monitor.spikes().empty() ? 0 : m_monitor.spikes().back().id;
}

void SpikeModel::setFilter(const QString& text) {
  m_words = filterWords(text);
  refresh();
}

// Also compares the start, because ids begin anew when Monitor is cleared.
bool SpikeModel::known(const Cleared& gone) const {
  const Spike* spike = find(gone.id);
  return spike != nullptr && spike->start == gone.start;
}

bool SpikeModel::shown(const Spike& spike) const {
  return !m_mutes.has(spike.name) && !std::ranges::binary_search(m_cleared, spike.id, {}, &Cleared::id) &&
         passes(m_words, {QString::fromStdString(printableName(spike.name))}, spike.key.pid);
}

std::vector<SpikeRow> SpikeModel::rowsNow() {
  std::vector<const Spike*> listed;
  for (const Spike& spike : m_monitor.spikes())
    if (shown(spike)) listed.push_back(&spike);
  m_hidden = !m_words.isEmpty() && listed.size() < m_monitor.spikes().size();
  std::vector<SpikeRow> rows;
  std::map<std::string, std::size_t> ordinals;
  for (const SpikeGroup& group : groupSpikes(listed)) {
    SpikeRow& row = rows.emplace_back();
    row.latest = group.latest();
    row.typical = group.typical();
    row.first = group.first().id;
    row.ordinal = ordinals[row.latest.name]++;
    row.times = group.times();
    for (const Spike* spike : group.spikes) row.ids.push_back(spike->id);
    row.processes = group.processes();
    row.habit = habitTimes(group);
    row.each = habitAmount(group);
    row.pinned =
        std::ranges::any_of(group.spikes, [this](const Spike* s) { return m_pins.colour(s->key).has_value(); });
  }
  std::ranges::stable_sort(rows, comesBefore);
  return rows;
}

void SpikeModel::removeGone(const std::vector<SpikeRow>& now) {
  for (int i = rowCount() - 1; i >= 0; --i) {
    if (std::ranges::any_of(now, [&](const SpikeRow& other) { return same(row(i), other); })) continue;
    beginRemoveRows({}, i, i);
    m_rows.erase(m_rows.begin() + i);
    endRemoveRows();
  }
}

// Resets the model if the order of remaining rows has changed, such as by a pin.
void SpikeModel::insertNew(const std::vector<SpikeRow>& now) {
  std::size_t kept = 0;
  for (const SpikeRow& row : now)
    if (kept < m_rows.size() && same(row, m_rows[kept])) ++kept;
  if (kept < m_rows.size()) {
    beginResetModel();
    m_rows = now;
    endResetModel();
    return;
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i < m_rows.size() && same(now[i], m_rows[i])) continue;
    beginInsertRows({}, static_cast<int>(i), static_cast<int>(i));
    m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(i), now[i]);
    endInsertRows();
  }
}

void SpikeModel::updateChanged(const std::vector<SpikeRow>& now) {
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    if (m_rows[i] == now[i]) continue;
    m_rows[i] = now[i];
    Q_EMIT dataChanged(index(static_cast<int>(i)), index(static_cast<int>(i)));
  }
}

const Spike* SpikeModel::find(std::uint64_t id) const {
  const auto& kept = m_monitor.spikes();
  const auto it = std::ranges::lower_bound(kept, id, {}, &Spike::id);
  return it != kept.end() && it->id == id ? &*it : nullptr;
}

int SpikeModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant SpikeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  switch (role) {
    case Qt::DisplayRole:
      return habitLine(row(index.row()));
    case Qt::ToolTipRole:
      return plainToolTip(habitDetails(row(index.row())));
    default:
      return {};
  }
}

}  // namespace faultline

#include "app/tray/processes/filter.h"

#include <algorithm>

#include "app/tray/widgets/word_filter.h"

namespace faultline {
namespace {

// -1: left comes first; 1: right comes first; 0: equal. Absent values come last in both orders.
int compareNumbers(const std::optional<double>& left, const std::optional<double>& right, bool descending) {
  if (left == right) return 0;
  if (!left || !right) return left ? -1 : 1;
  return (*left < *right) != descending ? -1 : 1;
}

int compare(const ProcessEntry& left, const ProcessEntry& right, Column column, bool descending) {
  const int sign = descending ? -1 : 1;
  switch (column) {
    case Column::Mark:
      return 0;
    case Column::Process:
      return sign * left.name.compare(right.name, Qt::CaseInsensitive);
    case Column::Pid:
      return left.key == right.key ? 0 : (left.key < right.key ? -sign : sign);
    case Column::Parent:
      return sign * left.parent.compare(right.parent, Qt::CaseInsensitive);
    case Column::User:
      return sign * left.user.compare(right.user, Qt::CaseInsensitive);
    case Column::Service:
      return sign * left.service.compare(right.service, Qt::CaseInsensitive);
    case Column::Command:
      return sign * left.command.compare(right.command, Qt::CaseInsensitive);
    case Column::LastMinute:
      return compareNumbers(left.settled[at(Column::MinorRate)], right.settled[at(Column::MinorRate)], descending);
    default:
      return compareNumbers(left.settled[at(column)], right.settled[at(column)], descending);
  }
}

}  // namespace

ProcessFilter::ProcessFilter(ProcessModel& model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
  setSourceModel(&model);
  sort(columnIndex(Column::MinorRate), Qt::DescendingOrder);
}

const ProcessEntry& ProcessFilter::entry(const QModelIndex& index) const {
  return m_model.entry(mapToSource(index).row());
}

void ProcessFilter::setText(const QString& text) {
  if (m_words == filterWords(text)) return;
  m_words = filterWords(text);
  invalidateFilter();
}

void ProcessFilter::setTree(ProcessModel::Tree tree) {
  m_model.setTree(tree);
  invalidateFilter();
  resort();
}

void ProcessFilter::fold(const ProcessKey& key, bool folded) {
  m_model.fold(key, folded);
  invalidateFilter();
}

void ProcessFilter::unfoldTo(const ProcessKey& key) {
  const ProcessEntry* entry = m_model.find(key);
  if (entry == nullptr) return;
  for (const ProcessEntry* each : path(*entry))
    if (each->folded && each != entry) m_model.fold(each->key, false);
  invalidateFilter();
}

QModelIndex ProcessFilter::find(const ProcessKey& key, int column) const {
  for (int row = 0; row < rowCount(); ++row)
    if (entry(index(row, column)).key == key) return index(row, column);
  return {};
}

void ProcessFilter::setActiveOnly(bool only) {
  if (m_activeOnly == only) return;
  m_activeOnly = only;
  invalidateFilter();
}

void ProcessFilter::sort(int column, Qt::SortOrder order) {
  m_model.settle();
  QSortFilterProxyModel::sort(column, order);
  resort();
}

void ProcessFilter::settle() {
  m_model.settle();
  resort();
}

// Switching the dynamic sort filter on makes the base class sort; invalidate() would also reset the header.
void ProcessFilter::resort() {
  if (ordered()) return;
  setDynamicSortFilter(false);
  setDynamicSortFilter(true);
}

bool ProcessFilter::ordered() const {
  for (int row = 1; row < rowCount(); ++row)
    if (comesBefore(mapToSource(index(row, 0)).row(), mapToSource(index(row - 1, 0)).row())) return false;
  return true;
}

// In a tree the ancestors of a match stay visible.
bool ProcessFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const ProcessEntry& entry = m_model.entry(row);
  if (foldedAway(entry)) return false;
  if (matches(entry)) return true;
  if (!m_model.tree()) return false;
  for (int other = 0; other < m_model.rowCount(); ++other) {
    const ProcessEntry& below = m_model.entry(other);
    if (below.depth <= entry.depth || !matches(below)) continue;
    const auto above = path(below);
    if (std::ranges::find(above, &entry) != above.end()) return true;
  }
  return false;
}

bool ProcessFilter::foldedAway(const ProcessEntry& entry) const {
  if (!m_model.tree() || !m_words.isEmpty()) return false;
  const auto all = path(entry);
  return std::any_of(all.begin(), std::prev(all.end()), [](const ProcessEntry* above) { return above->folded; });
}

bool ProcessFilter::matches(const ProcessEntry& entry) const {
  if (m_activeOnly && !entry.active && !entry.colour) return false;
  return passes(m_words, {entry.name, entry.command, entry.user, entry.parent}, entry.key.pid, entry.service);
}

// From the topmost ancestor down to `entry`.
std::vector<const ProcessEntry*> ProcessFilter::path(const ProcessEntry& entry) const {
  std::vector<const ProcessEntry*> up{&entry};
  while (up.back()->above && up.size() < 100) {
    const ProcessEntry* above = m_model.find(*up.back()->above);
    if (above == nullptr) break;
    up.push_back(above);
  }
  std::ranges::reverse(up);
  return up;
}

// The base class swaps the arguments for a descending order, but comesBefore() already respects the order.
bool ProcessFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  return sortOrder() == Qt::AscendingOrder ? comesBefore(left.row(), right.row())
                                           : comesBefore(right.row(), left.row());
}

bool ProcessFilter::comesBefore(int left, int right) const {
  const ProcessEntry& l = m_model.entry(left);
  const ProcessEntry& r = m_model.entry(right);
  if (!m_model.tree()) return comesBefore(l, r);
  const auto leftPath = path(l);
  const auto rightPath = path(r);
  const auto [a, b] = std::ranges::mismatch(leftPath, rightPath);
  if (a == leftPath.end() || b == rightPath.end()) return a == leftPath.end() && b != rightPath.end();
  return comesBefore(**a, **b);
}

bool ProcessFilter::comesBefore(const ProcessEntry& l, const ProcessEntry& r) const {
  if (l.colour.has_value() != r.colour.has_value()) return l.colour.has_value();
  const bool here = l.presence == Presence::Running;
  if (here != (r.presence == Presence::Running)) return here;
  const auto column = static_cast<Column>(std::max(0, sortColumn()));
  if (const int c = compare(l, r, column, sortOrder() == Qt::DescendingOrder); c != 0) return c < 0;
  for (const Column next : {Column::MinorRate, Column::MinorTotal})
    if (const int c = compareNumbers(l.settled[at(next)], r.settled[at(next)], true); c != 0) return c < 0;
  return l.key < r.key;
}

}  // namespace faultline

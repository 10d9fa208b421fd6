#include "app/tray/processes/tree.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace faultline {
namespace {

constexpr int kMostAncestors = 100;  // no real family has more; a broken recording may

bool isTotal(Column column) {
  const ColumnInfo& info = columnInfo(column);
  return info.kind == ColumnKind::Value && field(info.metric).kind == MetricKind::Counter;
}

bool isSummed(Column column) {
  const ColumnKind kind = columnInfo(column).kind;
  return kind == ColumnKind::Rate || (kind == ColumnKind::Value && !isTotal(column));
}

// `entries` sorted by key. Null: there is no such row.
ProcessEntry* entryOf(std::vector<ProcessEntry>& entries, const ProcessKey& key) {
  const auto entry = std::ranges::lower_bound(entries, key, {}, &ProcessEntry::key);
  return entry == entries.end() || entry->key != key ? nullptr : &*entry;
}

void add(std::optional<double>& sum, std::optional<double> value) {
  if (value) sum = sum.value_or(0) + *value;
}

// The count of the process until Faultline was started, which the costs of its ancestors lack.
std::optional<double> countBefore(Column column, std::optional<double> count, const FamilyCost& cost) {
  const double since = static_cast<double>(cost.own.get(columnInfo(column).metric).value_or(0));
  return count && *count > since ? std::optional(*count - since) : std::nullopt;
}

void addOthers(ProcessEntry& entry, const FamilyCost& cost) {
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    if (!isTotal(static_cast<Column>(c))) continue;
    const ProcessMetric metric = columnInfo(static_cast<Column>(c)).metric;
    const std::uint64_t others = cost.family.get(metric).value_or(0) - cost.own.get(metric).value_or(0);
    if (others > 0) add(entry.values[c], static_cast<double>(others));
  }
}

}  // namespace

void placeInTree(ProcessEntry& entry, const std::vector<ProcessKey>& rows, const Monitor& monitor) {
  entry.inTree = true;
  auto above = monitor.parent(entry.key);
  for (int left = kMostAncestors; above && left > 0; --left, above = monitor.parent(*above)) {
    if (!std::ranges::binary_search(rows, *above)) continue;
    if (!entry.above) entry.above = above;
    ++entry.depth;
  }
}

void sumFamilies(std::vector<ProcessEntry>& entries, const Monitor& monitor, bool standing) {
  std::vector<ProcessEntry::Numbers> own;
  std::vector<FaultPartTimes> parts;
  own.reserve(entries.size());
  parts.reserve(entries.size());
  for (const ProcessEntry& entry : entries) {
    own.push_back(entry.values);
    parts.push_back(entry.faultParts);
  }
  for (std::size_t row = 0; row < entries.size(); ++row) {
    const bool running = entries[row].presence == Presence::Running;
    const auto cost = standing ? std::nullopt : monitor.cost(entries[row].key);
    auto above = entries[row].above;
    for (int left = kMostAncestors; above && left > 0; --left) {
      ProcessEntry* const entry = entryOf(entries, *above);
      if (entry == nullptr) break;
      for (std::size_t c = 0; c < kColumnCount; ++c) {
        const auto column = static_cast<Column>(c);
        if (running && isSummed(column)) add(entry->values[c], own[row][c]);
        if (cost && isTotal(column)) add(entry->values[c], countBefore(column, own[row][c], *cost));
      }
      for (std::size_t part = 0; running && part < parts[row].size(); ++part)
        add(entry->faultParts[part], parts[row][part]);
      above = entry->above;
    }
    if (cost) addOthers(entries[row], *cost);
  }
}

void placeInServices(std::vector<ProcessEntry>& entries) {
  std::map<std::string_view, ProcessEntry*> heads;
  for (ProcessEntry& entry : entries) {
    entry.inTree = true;
    if (entry.rawService.empty() || entry.presence != Presence::Running) continue;
    ProcessEntry*& head = heads[entry.rawService];
    if (head == nullptr || entry.key.startTime < head->key.startTime) head = &entry;
  }
  for (ProcessEntry& entry : entries) {
    const auto head = heads.find(entry.rawService);
    if (head == heads.end()) continue;
    entry.leads = head->second == &entry;
    entry.depth = entry.leads ? 0 : 1;
    if (!entry.leads) entry.above = head->second->key;
  }
}

void sumServices(std::vector<ProcessEntry>& entries, const Monitor& monitor, bool standing) {
  for (const ProcessEntry& entry : entries) {
    ProcessEntry* const head = entry.above ? entryOf(entries, *entry.above) : nullptr;
    if (head == nullptr) continue;
    const bool running = entry.presence == Presence::Running;
    const ProcessRow* const row = standing ? nullptr : monitor.shown().find(entry.key);
    const bool counts = standing ? running : row != nullptr && !row->exited;  // else endedOf() has it
    for (std::size_t c = 0; c < kColumnCount; ++c) {
      const auto column = static_cast<Column>(c);
      if ((running && isSummed(column)) || (counts && isTotal(column))) add(head->values[c], entry.values[c]);
    }
    for (std::size_t part = 0; running && part < entry.faultParts.size(); ++part)
      add(head->faultParts[part], entry.faultParts[part]);
  }
  for (ProcessEntry& entry : entries) {
    if (standing || !entry.leads) continue;
    const ProcessDeltas ended = monitor.endedOf(entry.rawService);
    for (std::size_t c = 0; c < kColumnCount; ++c)
      if (const auto column = static_cast<Column>(c); isTotal(column))
        if (const auto more = ended.get(columnInfo(column).metric)) add(entry.values[c], static_cast<double>(*more));
  }
}

void markFolds(std::vector<ProcessEntry>& entries, const std::set<ProcessKey>& folded) {
  for (const ProcessEntry& entry : entries) {
    ProcessEntry* const above = entry.above ? entryOf(entries, *entry.above) : nullptr;
    if (above == nullptr) continue;
    above->folds = true;
    above->folded = folded.contains(above->key);
  }
}

}  // namespace faultline

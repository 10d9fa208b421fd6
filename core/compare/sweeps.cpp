#include "core/compare/sweeps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/model/fields.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kCompared{ProcessMetric::MinorFaults, ProcessMetric::MajorFaults, ProcessMetric::FaultTime,
                               ProcessMetric::ZeroedBytes, ProcessMetric::FreedBytes};
constexpr std::size_t kMostNames = 10;

struct NameChange {
  std::string name;
  ProcessDeltas before;
  ProcessDeltas after;

  [[nodiscard]] static std::uint64_t faults(const ProcessDeltas& deltas) {
    return deltas.get(ProcessMetric::MinorFaults).value_or(0) + deltas.get(ProcessMetric::MajorFaults).value_or(0);
  }
  [[nodiscard]] double growth() const {
    return static_cast<double>(faults(after)) - static_cast<double>(faults(before));
  }
};

void addTo(ProcessDeltas& sum, const ProcessDeltas& deltas) {
  for (const ProcessMetric metric : kCompared)
    if (const auto delta = deltas.get(metric)) sum.set(metric, sum.get(metric).value_or(0) + *delta);
}

// Those that differ, by how much.
std::vector<NameChange> changesOf(const SweepTotals& before, const SweepTotals& after) {
  std::map<std::string, NameChange> all;
  for (const auto& [name, deltas] : before.byName) all[name].before = deltas;
  for (const auto& [name, deltas] : after.byName) all[name].after = deltas;
  std::vector<NameChange> changes;
  for (auto& [name, change] : all) {
    change.name = name;
    if (change.growth() != 0) changes.push_back(std::move(change));
  }
  std::ranges::stable_sort(changes, std::greater(), [](const NameChange& change) { return std::abs(change.growth()); });
  return changes;
}

std::string changeText(std::string_view what, std::uint64_t before, std::uint64_t after, Unit unit) {
  const auto amount = [&](std::uint64_t value) { return comparedAmount(static_cast<double>(value), unit); };
  std::string text = fmt::format("{}: {} to {}", what, amount(before), amount(after));
  if (before == after) return text + "\n";
  text += fmt::format(", {} {}", amount(std::max(before, after) - std::min(before, after)),
                      after > before ? "more" : "less");
  const double share = before > 0 ? static_cast<double>(after) / static_cast<double>(before) - 1 : 0;
  return text + (before > 0 ? " (" + formatPercent(std::abs(share)) + ")\n" : "\n");
}

}  // namespace

void SweepSum::add(const Hello& hello) {
  m_hello = hello;
  m_hasPrevious = false;
}

void SweepSum::add(const Snapshot& snapshot) {
  derive(m_hello, m_hasPrevious ? &m_previous : nullptr, snapshot, m_moment);
  if (m_hasPrevious) {
    m_totals.duration += m_moment.interval;
    addTo(m_totals.everyone, m_moment.everyone());
    for (const ProcessRow& row : m_moment.rows) addTo(m_totals.byName[row.name], row.deltas);
  }
  m_previous = snapshot;
  m_hasPrevious = true;
}

SweepTotals sweepTotals(const History& history, MonotonicTime from, MonotonicTime to,
                        const std::optional<std::string>& only) {
  const Growth all = history.totalGrowth(from, to);
  SweepTotals totals{.duration = all.covered};
  addTo(totals.everyone, all.deltas);
  if (only && only->empty()) return totals;
  for (const ProcessKey& key : history.aliveBetween(from, to))
    if (const auto name = history.name(key); name && name == only.value_or(*name))
      addTo(totals.byName[*name], history.growth(key, from, to).deltas);
  return totals;
}

std::vector<ComparedNumber> comparedNumbers(const SweepTotals& before, const SweepTotals& after) {
  std::vector<ComparedNumber> numbers;
  const auto add = [&](std::string name, std::uint64_t then, std::uint64_t now, Unit unit) {
    numbers.push_back({.name = std::move(name),
                       .unit = unit,
                       .before = static_cast<double>(then),
                       .after = static_cast<double>(now)});
  };
  for (const ProcessMetric metric : kCompared) {
    const auto then = before.everyone.get(metric);
    const auto now = after.everyone.get(metric);
    if (then && now) add(std::string(field(metric).title), *then, *now, field(metric).unit);
  }
  const auto changes = changesOf(before, after);
  for (std::size_t i = 0; i < changes.size() && i < kMostNames; ++i)
    add("Page faults of " + changes[i].name, NameChange::faults(changes[i].before),
        NameChange::faults(changes[i].after), Unit::Count);
  return numbers;
}

std::string sweepsText(const SweepTotals& before, const SweepTotals& after) {
  std::string text =
      fmt::format("All processes, in {} and in {}:\n", formatDuration(before.duration), formatDuration(after.duration));
  for (const ProcessMetric metric : kCompared) {
    const auto then = before.everyone.get(metric);
    const auto now = after.everyone.get(metric);
    if (then && now) text += "  " + changeText(field(metric).title, *then, *now, field(metric).unit);
  }
  const auto changes = changesOf(before, after);
  if (!changes.empty()) text += "Page faults of processes by name, those that differ most:\n";
  for (std::size_t i = 0; i < changes.size() && i < kMostNames; ++i)
    text += "  " + changeText(printableName(changes[i].name), NameChange::faults(changes[i].before),
                              NameChange::faults(changes[i].after), Unit::Count);
  return text +
         "Nothing is judged: one recording each does not tell how far equal ones lie apart. "
         "'faultline-cli stat' runs a program several times.\n";
}

std::string sweepsJson(const SweepTotals& before, const SweepTotals& after) {
  const auto values = [](const ProcessDeltas& deltas) {
    Json json = Json::object();
    for (const ProcessMetric metric : kCompared)
      if (const auto value = deltas.get(metric)) json[std::string(field(metric).name)] = *value;
    return json;
  };
  Json processes = Json::array();
  for (const NameChange& change : changesOf(before, after))
    processes.push_back(
        {{"name", printableName(change.name)}, {"before", values(change.before)}, {"after", values(change.after)}});
  const Json document{{"worse", nullptr},
                      {"duration_before_ns", before.duration.count()},
                      {"duration_after_ns", after.duration.count()},
                      {"before", values(before.everyone)},
                      {"after", values(after.everyone)},
                      {"processes", processes}};
  return Json{{"compare", document}}.dump(2) + "\n";
}

}  // namespace faultline

#include "core/lab/check_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/lab/summary.h"

namespace faultline {
namespace {

// Linux keeps the last pages that a processor has mapped in a list; those are freed when the list is full.
constexpr std::uint64_t kInLists = 64;

std::optional<double> ratio(std::optional<double> value, std::optional<double> of) {
  if (!value || !of) return std::nullopt;
  return *value / (*of > 0 ? *of : 1);  // a count of 0 counts as 1
}

}  // namespace

std::optional<double> CheckList::time(std::string_view way, std::string_view phase) const {
  const LabRow* row = m_report.find(way, phase);
  const auto time = row != nullptr ? labTime(*row) : std::nullopt;
  return time ? std::optional(time->median) : std::nullopt;
}

std::optional<double> CheckList::faults(std::string_view way, std::string_view phase) const {
  const LabRow* row = m_report.find(way, phase);
  if (row == nullptr) return std::nullopt;
  return static_cast<double>(summarize(*row)->faults);
}

void CheckList::ratioAtLeast(std::string claim, std::optional<double> value, std::optional<double> of, double bound,
                             bool ofCounts) {
  const auto found = ratio(value, of);
  addRatio(fmt::format("{} >= {:g}", claim, bound), found, found.value_or(0) >= bound, ofCounts);
}

void CheckList::ratioAtMost(std::string claim, std::optional<double> value, std::optional<double> of, double bound,
                            bool ofCounts) {
  const auto found = ratio(value, of);
  addRatio(fmt::format("{} <= {:g}", claim, bound), found, found.value_or(0) <= bound, ofCounts);
}

void CheckList::between(std::string claim, std::optional<double> value, double least, double most, bool ofCounts) {
  const bool held = value && *value >= least && *value <= most;
  addRatio(fmt::format("{}: {:g} to {:g}", claim, least, most), value, held, ofCounts);
}

void CheckList::add(std::string claim, std::string value, bool held, bool ofCounts) {
  m_checks.push_back({.claim = std::move(claim),
                      .value = std::move(value),
                      .verdict = held ? LabVerdict::Held : LabVerdict::NotHeld,
                      .ofCounts = ofCounts});
}

void CheckList::addRatio(std::string claim, std::optional<double> ratio, bool held, bool ofCounts) {
  if (ratio) add(std::move(claim), fmt::format("{:.3g}", *ratio), held, ofCounts);
  else m_checks.push_back({.claim = std::move(claim), .value = {}, .ofCounts = ofCounts});
}

void CheckList::counts() {
  std::size_t rows = 0;
  std::size_t equal = 0;
  std::string other;
  for (const LabRow& row : m_report.rows) {
    if (!row.expectedFaults || row.samples.empty()) continue;
    ++rows;
    const std::uint64_t faults = summarize(row)->faults;
    if (faults == *row.expectedFaults) ++equal;
    else other += fmt::format("; {}, {}: {} instead of {}", row.way, row.phase, faults, *row.expectedFaults);
  }
  if (rows > 0)
    add("faults = pages by arithmetic, in every row that names them", fmt::format("{} of {}{}", equal, rows, other),
        equal == rows, true);
  const std::string claim = "faults seen by the monitor = own count of the experiment";
  if (m_report.seenFaults)
    add(claim, fmt::format("{} = {}", *m_report.seenFaults, m_report.ownFaults),
        *m_report.seenFaults == m_report.ownFaults, true);
  else m_checks.push_back({.claim = claim, .value = m_report.notSeen, .ofCounts = true});
}

// A page that the program gives back, such as one of its heap, has faulted before.
void CheckList::freedPages() {
  const std::string claim = "pages that the monitor counts as given back, of pages touched and unmapped";
  if (const auto& freed = m_report.freed) {
    const std::uint64_t own = freed->freed - std::min(freed->freed, freed->touched);
    add(claim,
        fmt::format("{} of {}, and {} of the program's own with {} faults", freed->freed - own, freed->touched, own,
                    freed->faults - std::min(freed->faults, freed->touched)),
        freed->freed + kInLists >= freed->touched && freed->freed <= freed->faults, true);
  } else if (!m_report.notFreed.empty()) {
    m_checks.push_back({.claim = claim, .value = m_report.notFreed});
  }
}

std::vector<LabCheck> labChecks(const LabReport& report) {
  CheckList list(report);
  list.counts();
  list.freedPages();
  if (report.experiment == "cost") checkCost(list);
  if (report.experiment == "topdown") checkTopdown(list);
  if (report.experiment == "pool") checkPool(list);
  if (report.experiment == "nodes") checkNodes(list);
  if (report.experiment == "serialise") checkSerialise(list);
  if (report.experiment == "eager") checkEager(list);
  std::vector<LabCheck> checks = list.take();
  if (report.lanes.empty()) return checks;
  for (LabCheck& check : checks)
    if (!check.ofCounts)
      check = {.claim = check.claim, .value = "each way ran once, and watching made its faults dearer"};
  return checks;
}

std::vector<std::string> labDerived(const LabReport& report) {
  if (report.experiment == "cost") return costDerived(report);
  if (report.experiment == "serialise") return serialiseDerived(report);
  return {};
}

std::string_view labVerdictText(LabVerdict verdict) {
  constexpr std::array kTexts{"held", "NOT HELD", "not measured"};  // in the order of LabVerdict
  return kTexts.at(static_cast<std::size_t>(verdict));
}

}  // namespace faultline

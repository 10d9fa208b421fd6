#include "core/lab/view/groups.h"

#include <algorithm>
#include <set>

namespace faultline {

std::vector<LabGroup> labGroups(const LabReport& report) {
  std::set<std::string_view> ways;
  std::set<std::string_view> phases;
  for (const LabRow& row : report.rows) {
    ways.insert(row.way);
    phases.insert(row.phase);
  }
  const bool ofWay = phases.size() > ways.size();
  std::vector<LabGroup> groups;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const LabRow& row = report.rows[i];
    if (row.samples.empty()) continue;
    const std::string& name = ofWay ? row.way : row.phase;
    const std::string unit = row.amount > 0 ? row.unit : std::string();
    auto group = std::ranges::find(groups, name, &LabGroup::name);
    if (group == groups.end()) group = groups.insert(groups.end(), {.name = name, .unit = unit, .ofWay = ofWay});
    if (group->unit != unit) group->unit.clear();
    group->rows.push_back(i);
  }
  return groups;
}

std::string labGroupTitle(const LabGroup& group) {
  return group.unit.empty() ? group.name : group.name + ", per " + group.unit;
}

}  // namespace faultline

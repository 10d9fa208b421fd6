#include "core/model/names.h"

#include <array>

namespace faultline {
namespace {

// In the order of Unit; of Grade.
constexpr std::array<std::string_view, 3> kUnits{"count", "bytes", "ns"};
constexpr std::array<std::string_view, 3> kGrades{"exact", "estimated", "unavailable"};
constexpr std::array<std::string_view, 3> kMarks{"✓", "≈", "–"};

}  // namespace

std::string_view kindName(MetricKind kind) {
  return kind == MetricKind::Counter ? "counter" : "gauge";
}

std::string_view unitName(Unit unit) {
  return kUnits.at(static_cast<std::size_t>(unit));
}

std::string_view gradeName(Grade grade) {
  return kGrades.at(static_cast<std::size_t>(grade));
}

std::string_view gradeMark(Grade grade) {
  return kMarks.at(static_cast<std::size_t>(grade));
}

Grade gradeNamed(std::string_view name) {
  if (name == "exact") return Grade::Exact;
  if (name == "estimated") return Grade::Estimated;
  return Grade::Unavailable;
}

}  // namespace faultline

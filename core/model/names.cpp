#include "core/model/names.h"

namespace faultline {

std::string_view kindName(MetricKind kind) {
  return kind == MetricKind::Counter ? "counter" : "gauge";
}

std::string_view unitName(Unit unit) {
  switch (unit) {
    case Unit::Count:
      return "count";
    case Unit::Bytes:
      return "bytes";
    case Unit::Duration:
      return "ns";
  }
  return "count";
}

std::string_view gradeName(Grade grade) {
  switch (grade) {
    case Grade::Exact:
      return "exact";
    case Grade::Estimated:
      return "estimated";
    case Grade::Unavailable:
      return "unavailable";
  }
  return "unavailable";
}

std::string_view gradeMark(Grade grade) {
  switch (grade) {
    case Grade::Exact:
      return "✓";
    case Grade::Estimated:
      return "≈";
    case Grade::Unavailable:
      return "–";
  }
  return "–";
}

Grade gradeNamed(std::string_view name) {
  if (name == "exact") return Grade::Exact;
  if (name == "estimated") return Grade::Estimated;
  return Grade::Unavailable;
}

}  // namespace faultline

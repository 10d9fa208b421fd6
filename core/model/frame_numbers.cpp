#include "core/model/frame_numbers.h"

#include <algorithm>
#include <cctype>

namespace faultline {
namespace {

std::string_view withoutThread(std::string_view name) {
  constexpr std::string_view kThread = "thread_";
  return name.starts_with(kThread) ? name.substr(kThread.size()) : name;
}

}  // namespace

const MetricField<ProcessMetric>* processField(const FrameField& row) {
  const auto* const found =
      std::ranges::find(kProcessFields, withoutThread(row.name), &MetricField<ProcessMetric>::name);
  return found == kProcessFields.end() ? nullptr : found;
}

std::string titleOf(const FrameField& row) {
  if (row.name.empty()) return {};
  std::string title;
  if (const auto* const known = processField(row)) {
    title = known->title;
  } else {
    const std::string_view name = withoutThread(row.name);
    title = name.substr(0, name.rfind('_'));  // without its unit
    std::ranges::replace(title, '_', ' ');
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  }
  return row.scope == FrameScope::Thread ? title + " (thread)" : title;
}

}  // namespace faultline

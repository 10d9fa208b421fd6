#include "core/text/fault_parts.h"

#include <cmath>

#include "core/text/quantity.h"

namespace faultline {

std::string faultPartsText(const FaultPartTimes& parts) {
  const auto& [onProcessor, waiting, blocked, onDisk, inReclaim, inCompaction] = parts;
  if (!onProcessor || !waiting || !blocked) return {};
  const auto time = [](double ns) { return formatDuration(Nanoseconds(std::llround(ns))); };
  std::string text;
  const auto add = [&](double ns, const char* words) {
    if (ns >= 1) text += (text.empty() ? "" : ", ") + time(ns) + words;
  };
  add(*onProcessor, " on a processor");
  add(*waiting, " waiting for a processor");
  add(*blocked, " blocked");
  if (onDisk.value_or(0) > 0) text += " (" + time(*onDisk) + " of it by the disk)";
  if (inReclaim.value_or(0) > 0) text += ", including " + time(*inReclaim) + " of reclaim";
  if (inCompaction.value_or(0) > 0)
    text += (inReclaim.value_or(0) > 0 ? " and " : ", including ") + time(*inCompaction) + " of compaction";
  return text;
}

}  // namespace faultline

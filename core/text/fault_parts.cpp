#include "core/text/fault_parts.h"

#include <cmath>

#include "core/text/quantity.h"

namespace faultline {

std::string faultPartsText(const FaultPartTimes& parts) {
  const auto& [onProcessor, waiting, blocked, onDisk, inReclaim, inCompaction] = parts;
  if (!onProcessor || !waiting || !blocked) return {};
  const auto time = [](double ns) { return formatDuration(Nanoseconds(std::llround(ns))); };
  std::string text = time(*onProcessor) + " on a processor, " + time(*waiting) + " waiting for a processor, " +
                     time(*blocked) + " blocked";
  if (onDisk.value_or(0) > 0) text += " (" + time(*onDisk) + " of it by the disk)";
  if (inReclaim.value_or(0) > 0) text += ", including " + time(*inReclaim) + " of reclaim";
  if (inCompaction.value_or(0) > 0)
    text += (inReclaim.value_or(0) > 0 ? " and " : ", including ") + time(*inCompaction) + " of compaction";
  return text;
}

}  // namespace faultline

#include "core/text/fault_parts.h"

#include "core/text/quantity.h"

namespace faultline {

std::string faultPartsText(const FaultPartTimes& parts) {
  const auto& [onProcessor, waiting, blocked, onDisk, inReclaim, inCompaction] = parts;
  if (!onProcessor || !waiting || !blocked) return {};
  std::string text;
  const auto add = [&](double ns, const char* words) {
    if (ns >= 1) text += (text.empty() ? "" : ", ") + formatDuration(ns) + words;
  };
  add(*onProcessor, " on a processor");
  add(*waiting, " waiting for a processor");
  add(*blocked, " blocked");
  if (onDisk.value_or(0) > 0) text += " (" + formatDuration(*onDisk) + " of it by the disk)";
  if (inReclaim.value_or(0) > 0) text += ", including " + formatDuration(*inReclaim) + " of reclaim";
  if (inCompaction.value_or(0) > 0)
    text += (inReclaim.value_or(0) > 0 ? " and " : ", including ") + formatDuration(*inCompaction) + " of compaction";
  return text;
}

}  // namespace faultline

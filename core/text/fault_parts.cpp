#include "core/text/fault_parts.h"

#include "core/text/quantity.h"

namespace faultline {

std::string faultPartsText(Nanoseconds onProcessor, Nanoseconds waiting, Nanoseconds blocked) {
  return formatDuration(onProcessor) + " on a processor, " + formatDuration(waiting) + " waiting for a processor, " +
         formatDuration(blocked) + " blocked";
}

}  // namespace faultline

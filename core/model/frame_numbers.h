// What the rows of frame_fields.h are besides: titles, numbers of a process, and costs of a frame.
#pragma once

#include <string>

#include "core/model/frame_fields.h"
#include "core/model/metric.h"

namespace faultline {

// Numbers whose means over frames tell what a frame costs: times and bytes of all threads together.
[[nodiscard]] constexpr bool isMean(const FrameField& row) {
  return row.scope == FrameScope::Game && row.unit != Unit::Count && !row.label && row.group != FrameGroup::Delays;
}
// Of another number of the table.
[[nodiscard]] constexpr bool isPart(const FrameField& row) {
  return row.whole.has_value() || row.group == FrameGroup::Parts;
}

// The number of a process that has the same name (but for "thread_"); null: there is none.
[[nodiscard]] const MetricField<ProcessMetric>* processField(const FrameField& row);
// For people: "Fault time, disk", of the thread that ends the frame "Fault time, disk (thread)". Empty without a name.
[[nodiscard]] std::string titleOf(const FrameField& row);

}  // namespace faultline

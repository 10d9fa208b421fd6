#include "core/monitor/cost_text.h"

#include "core/text/fault_parts.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

std::string subject(std::string_view rawName, const FamilyCost& cost) {
  std::string text = printableName(rawName);
  if (cost.started == 0) return text;
  text += cost.started == 1 ? " and the process it started"
                            : " and the " + formatCount(cost.started) + " processes it started";
  if (cost.ended > 0) text += cost.started == 1 ? " (ended)" : " (" + formatCount(cost.ended) + " ended)";
  return text;
}

// A duration or bytes, with ≈ if estimated; absent if not measured.
std::optional<std::string> amount(const FamilyCost& cost, ProcessMetric metric, const Hello& hello) {
  const auto value = cost.family.get(metric);
  if (!value) return std::nullopt;
  const std::string text = field(metric).unit == Unit::Bytes
                               ? formatBytes(*value)
                               : formatDuration(Nanoseconds(static_cast<std::int64_t>(*value)));
  return hello.quality(metric).grade == Grade::Estimated ? "≈ " + text : text;
}

std::string faults(const FamilyCost& cost) {
  if (!cost.family.has(ProcessMetric::MinorFaults) && !cost.family.has(ProcessMetric::MajorFaults))
    return "page faults not counted";
  const std::uint64_t minor = cost.family.get(ProcessMetric::MinorFaults).value_or(0);
  const std::uint64_t major = cost.family.get(ProcessMetric::MajorFaults).value_or(0);
  std::string text = formatCount(minor + major) + (minor + major == 1 ? " page fault" : " page faults");
  if (major > 0) text += ", " + formatCount(major) + " of them major";
  if (cost.unseen > 0) text += ", " + formatCount(cost.unseen) + " of them between samples";
  return text;
}

// Of the time inside faults, where all of it is known.
std::string parts(const FamilyCost& cost) {
  FaultPartTimes times;
  for (std::size_t part = 0; part < times.size(); ++part) times[part] = cost.family.get(kFaultParts[part]);
  const std::string text = faultPartsText(times);
  return text.empty() ? text : ": " + text;
}

// For a time that covers only some of the faults.
std::string timedOf(const FamilyCost& cost) {
  const std::uint64_t all =
      cost.family.get(ProcessMetric::MinorFaults).value_or(0) + cost.family.get(ProcessMetric::MajorFaults).value_or(0);
  const auto timed = cost.family.get(ProcessMetric::TimedFaults);
  return timed && *timed < all ? formatCount(*timed) + " timed of " : std::string();
}

}  // namespace

std::string costText(std::string_view rawName, const FamilyCost& cost, const Hello& hello) {
  std::string text = subject(rawName, cost) + ": ";
  if (const auto time = amount(cost, ProcessMetric::FaultTime, hello)) text += *time + " in " + timedOf(cost);
  text += faults(cost) + parts(cost);
  if (const auto zeroed = amount(cost, ProcessMetric::ZeroedBytes, hello)) {
    text += "; " + *zeroed + " zeroed";
    if (const auto time = amount(cost, ProcessMetric::ZeroingTime, hello)) text += " (" + *time + ")";
  }
  if (const auto freed = amount(cost, ProcessMetric::FreedBytes, hello)) {
    text += "; " + *freed + " given back";
    if (const auto time = amount(cost, ProcessMetric::TeardownTime, hello)) text += " (" + *time + ")";
  }
  return text;
}

}  // namespace faultline

#include "tests/core/export/moments.h"

#include <limits>

namespace faultline::test {

std::vector<std::string> nastyNames() {
  return {
      "bash",     "a\"b,c", "two\nlines", "we b) (x",  "=1+1",           "-bash",           "+x",          "@SUM(A1)",
      "\ttab",    "\r",     "'quoted'",   "naïve日本", "broken\xff\xc3", "\xe2\x82",        "back\\slash", "\x1b[0m",
      " padded ", ";semi;", "\"",         "a\r\nb",    "\u202e",         "broken\\xff\\xc3"};
}

Moment nastyMoment() {
  Moment moment;
  moment.time = {Nanoseconds(123'456'789'012'345)};
  moment.wallTime = {Nanoseconds(1'795'223'756'000'000'001)};
  moment.interval = std::chrono::seconds(2);
  moment.gap = Gap::None;
  std::uint32_t pid = 0;
  for (const std::string& name : nastyNames()) {
    ProcessRow row;
    row.key = {++pid, std::numeric_limits<std::uint64_t>::max() - pid};
    row.name = name;
    row.values.set(ProcessMetric::MinorFaults, std::numeric_limits<std::uint64_t>::max() - pid);
    row.values.set(ProcessMetric::ResidentBytes, std::uint64_t{9'007'199'254'740'993});
    row.deltas.set(ProcessMetric::MinorFaults, 21);
    moment.rows.push_back(row);
  }
  return moment;
}

}  // namespace faultline::test

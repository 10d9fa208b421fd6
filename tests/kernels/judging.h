// How a number of the collector's is judged: against a known truth, by its grade, and, where it is missing, by whether
// the reason fits this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/hello.h"

namespace faultline::test {

struct Truth {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

// This machine, as far as a reason may have to do with it.
struct Setting {
  std::string collector;
  bool granted = false;
  bool clearsAll = false;
  bool whole = false;   // rows that take longer, or a pool of huge pages
  bool locked = false;  // lockdown=confidentiality
  int paranoid = 0;
  int version = 0;  // 6012: Linux 6.12

  [[nodiscard]] static Setting read(int argc, char** argv);
  [[nodiscard]] bool perf() const { return paranoid < 3; }
};

struct Demand {
  Truth truth;
  int needs = 5012;     // the version of Linux without which there may be no number
  bool byPerf = false;  // it takes a perf event
};

[[nodiscard]] bool says(const std::string& text, const char* word);
[[nodiscard]] std::string number(std::uint64_t value);

// Prints a metric's line: its verdict is exact, estimated, missing or WRONG.
void tell(const std::string& metric, const std::string& verdict, const std::string& words);

// Whether the words name the real obstacle: for a collector without its grant, the capabilities; on a kernel that is
// too old, the version that is needed; on one that is locked down, that; else the setting, with the line to type.
[[nodiscard]] bool fits(const Setting& setting, const std::string& words, const Demand& demand);

void judge(const Setting& setting, const std::string& metric, const Quality& quality,
           std::optional<std::uint64_t> value, const Demand& demand);

}  // namespace faultline::test

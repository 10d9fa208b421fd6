// ScriptedMarks: processes that a test makes up, and the marks in them.
#pragma once

#include <map>

#include "core/watch/mark_source.h"

namespace faultline::test {

struct ScriptedMarks final : MarkSource {
  std::map<std::uint32_t, FoundMarks> processes;
  std::map<std::uint32_t, std::vector<std::uint32_t>> children;

  int looks = 0;

  Result<FoundMarks> look(std::uint32_t pid) override {
    ++looks;
    const auto found = processes.find(pid);
    if (found == processes.end()) return fail("There is no process " + std::to_string(pid) + ".");
    return found->second;
  }
  Result<ProbePoint, NotFound> find(std::uint32_t pid, const FunctionName& wanted) override {
    const auto found = look(pid);
    if (found)
      for (const ProbePoint& point : found->functions)
        if (point.name.starts_with(wanted.function)) return point;
    return tl::unexpected(NotFound{"It has no " + wanted.function + ".", false});
  }
  std::vector<std::uint32_t> descendants(std::uint32_t pid) override { return children[pid]; }
  std::string nameOf(std::uint32_t pid) override { return "program (" + std::to_string(pid) + ")"; }
};

}  // namespace faultline::test

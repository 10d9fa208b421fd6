#include "platform/host/mark_finder.h"

#include "platform/host/windows/no_watching.h"

namespace faultline {

struct MarkFinder::State {};

MarkFinder::MarkFinder() = default;
MarkFinder::~MarkFinder() = default;

Result<FoundMarks> MarkFinder::look(std::uint32_t /*pid*/) {
  return fail(kNoWatching);
}

Result<ProbePoint, NotFound> MarkFinder::find(std::uint32_t /*pid*/, const FunctionName& /*wanted*/) {
  return tl::unexpected(NotFound{.message = kNoWatching, .mayCome = false});
}

std::vector<std::uint32_t> MarkFinder::descendants(std::uint32_t pid) {
  return descendantsOf(pid);
}

}  // namespace faultline

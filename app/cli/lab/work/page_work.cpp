#include "app/cli/lab/work/page_work.h"

#include <chrono>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr auto kStimulus = 500ms;
constexpr std::size_t kAtOnce = std::size_t{64} << 20U;

}  // namespace

void touchPages(std::span<std::byte> memory, std::size_t step) {
  volatile std::byte* const at = memory.data();
  for (std::size_t i = 0; i < memory.size(); i += step) at[i] = std::byte{1};
}

Result<void> askForPages() {
  const auto end = std::chrono::steady_clock::now() + kStimulus;
  while (std::chrono::steady_clock::now() < end) {
    const auto memory = mapMemory(kAtOnce);
    if (!memory) return tl::unexpected(memory.error());
    touchPages(*memory);
    unmapMemory(*memory);
  }
  return {};
}

}  // namespace faultline

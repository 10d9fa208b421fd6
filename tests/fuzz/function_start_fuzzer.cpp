// The file that a probe is to stand in is anybody's, and the collector reads its headers and tables of symbols. The
// first two bytes of the input are the place that is asked about, the rest is the file.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "platform/sampling/linux/target/function_start.h"
#include "platform/system/posix/unique_fd.h"

namespace {

using namespace faultline;

void demand(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const UniqueFd file(memfd_create("program", MFD_CLOEXEC));
  if (size < 2) return 0;
  const std::uint64_t place = data[0] | std::uint64_t{data[1]} << 8U;
  const auto bytes = static_cast<ssize_t>(size - 2);
  demand(ftruncate(file.get(), bytes) == 0 && pwrite(file.get(), data + 2, size - 2, 0) == bytes);
  const bool begins = beginsFunction(file.get(), place);
  demand(begins == beginsFunction(file.get(), place));
  demand(!begins || size > 64);  // no table of symbols fits into less
  for (const std::uint64_t odd : {std::uint64_t{0}, UINT64_MAX, std::uint64_t{1} << 63U, std::uint64_t{size}})
    static_cast<void>(beginsFunction(file.get(), odd));
  return 0;
}

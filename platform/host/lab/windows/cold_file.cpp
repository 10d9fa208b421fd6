#include "platform/host/lab/cold_file.h"

namespace faultline {

Result<ColdFile> ColdFile::create(std::size_t /*bytes*/) {
  return fail("Windows has no call that takes a file's pages out of memory for one program.");
}

std::span<const std::byte> ColdFile::memory() const {
  return {};
}

Result<void> ColdFile::chill() {
  return {};
}

}  // namespace faultline

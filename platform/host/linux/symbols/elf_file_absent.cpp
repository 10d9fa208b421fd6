// Replaces symbols/elf_file.cpp in builds without libelf.
#include "platform/host/linux/symbols/elf_file.h"

namespace faultline {

Result<ElfFile> ElfFile::open(UniqueFd /*file*/) {
  return fail("cannot be read because this program was built without libelf");
}

std::vector<KnownFunction> ElfFile::functions(const Filter& /*worthKnowing*/) const {
  return {};
}
bool ElfFile::defines(std::string_view /*symbol*/) const {
  return false;
}
bool ElfFile::stripped() const {
  return true;
}
bool ElfFile::standsAlone() const {
  return false;
}
std::string ElfFile::buildId() const {
  return {};
}
std::optional<std::uint64_t> ElfFile::offsetOf(std::uint64_t /*address*/) const {
  return std::nullopt;
}

}  // namespace faultline

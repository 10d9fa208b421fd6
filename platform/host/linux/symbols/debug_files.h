// Finds debug information that was split off a file: by build id below /usr/lib/debug, or by name beside the file.
// Ignores DEBUGINFOD_URLS, because servers may take minutes.
#pragma once

#include <elfutils/libdwfl.h>

#include <memory>

namespace faultline {

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using UniqueElf = std::unique_ptr<Elf, EndElf>;

[[nodiscard]] const Dwfl_Callbacks& debugFileCallbacks();

}  // namespace faultline

#include "platform/host/linux/symbols/debug_files.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "platform/system/posix/regular_file.h"

namespace faultline {
namespace {

// If neither file has a build id, the name alone decides.
bool belongsTo(Dwfl_Module* module, int file) {
  const unsigned char* id = nullptr;
  GElf_Addr address = 0;
  const int size = dwfl_module_build_id(module, &id, &address);
  const UniqueElf elf(elf_begin(file, ELF_C_READ_MMAP, nullptr));
  if (!elf) return false;
  const void* otherId = nullptr;
  const ssize_t otherSize = dwelf_elf_gnu_build_id(elf.get(), &otherId);
  if (size <= 0 && otherSize <= 0) return true;
  return size > 0 && size == otherSize && std::memcmp(id, otherId, static_cast<std::size_t>(size)) == 0;
}

int findDebugFile(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                  const char* link, GElf_Word checksum, char** found) {
  const int byId = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum, found);
  if (byId >= 0 || file == nullptr || link == nullptr || *link == 0) return byId;
  const std::string path = file;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (const std::string& candidate : {folder + link, folder + ".debug/" + link, "/usr/lib/debug" + folder + link}) {
    UniqueFd debug = openRegularFile(AT_FDCWD, candidate);
    if (!debug || candidate == path || !belongsTo(module, debug.get())) continue;
    *found = strdup(candidate.c_str());  // the library frees it
    return debug.release();
  }
  return -1;
}

int findNothing(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) {
  return -1;  // every module is reported with its file
}

}  // namespace

const Dwfl_Callbacks& debugFileCallbacks() {
  static const Dwfl_Callbacks kCallbacks{.find_elf = findNothing,
                                         .find_debuginfo = findDebugFile,
                                         .section_address = dwfl_offline_section_address,
                                         .debuginfo_path = nullptr};
  return kCallbacks;
}

}  // namespace faultline

#include "platform/desktop/programs.h"

#include <array>

namespace faultline {

Result<std::filesystem::path> findCollector(const std::filesystem::path& besideFolder) {
  const std::array folders{besideFolder, besideFolder / ".." / "libexec",
                           besideFolder / ".." / "libexec" / "faultline"};
  for (const std::filesystem::path& folder : folders) {
    for (const char* name : {"faultline-collector", "faultline-collector.exe"}) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(folder / name, ignored)) return (folder / name).lexically_normal();
    }
  }
  return fail("faultline-collector is neither in " + besideFolder.string() + " nor in " +
              folders[1].lexically_normal().string() + ". Install it there, beside this program.");
}

}  // namespace faultline

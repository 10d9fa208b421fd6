#include "platform/host/programs.h"

#include <array>

namespace faultline {

Result<std::filesystem::path> findProgram(const std::filesystem::path& besideFolder, const std::string& name) {
  const std::array folders{besideFolder, besideFolder / ".." / "libexec",
                           besideFolder / ".." / "libexec" / "faultline"};
  for (const std::filesystem::path& folder : folders) {
    for (const std::string& file : {name, name + ".exe"}) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(folder / file, ignored)) return (folder / file).lexically_normal();
    }
  }
  return fail(name + " is neither in " + besideFolder.string() + " nor in " + folders[1].lexically_normal().string() +
              ". Install it there, beside this program.");
}

Result<std::filesystem::path> findCollector(const std::filesystem::path& besideFolder) {
  return findProgram(besideFolder, "faultline-collector");
}

}  // namespace faultline

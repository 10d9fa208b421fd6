#include "platform/sampling/linux/facts/init_on_alloc.h"

#include <sys/utsname.h>
#include <zlib.h>

#include <array>
#include <memory>

#include "core/base/file_text.h"

namespace faultline {

// The last occurrence on the command line counts, as for the kernel (kstrtobool).
std::optional<bool> initOnAlloc(std::string_view commandLine, std::string_view configuration) {
  constexpr std::string_view kOption = "init_on_alloc=";
  const auto option = commandLine.rfind(kOption);
  if (option == std::string_view::npos) {
    if (configuration.empty()) return std::nullopt;
    return configuration.find("\nCONFIG_INIT_ON_ALLOC_DEFAULT_ON=y") != std::string_view::npos;
  }
  const std::string_view value = commandLine.substr(option + kOption.size(), 2);
  return value.starts_with('1') || value.starts_with('y') || value.starts_with('Y') || value == "on";
}

std::string kernelConfiguration(std::span<const std::string> files) {
  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  for (const std::string& path : files) {
    const std::unique_ptr<gzFile_s, Close> file(gzopen(path.c_str(), "rb"));  // also reads uncompressed files
    std::string text;
    std::array<char, 16384> piece{};
    int size = 0;
    while (file && (size = gzread(file.get(), piece.data(), piece.size())) > 0)
      text.append(piece.data(), static_cast<std::size_t>(size));
    if (!text.empty() && size == 0) return text;
  }
  return {};
}

std::optional<bool> initOnAlloc() {
  utsname kernel{};
  uname(&kernel);
  const std::string release = kernel.release;
  const std::array<std::string, 3> files{"/boot/config-" + release, "/proc/config.gz",
                                         "/lib/modules/" + release + "/config"};
  return initOnAlloc(fileText("/proc/cmdline").value_or(""), kernelConfiguration(files));
}

}  // namespace faultline

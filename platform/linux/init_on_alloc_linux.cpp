#include "platform/linux/init_on_alloc_linux.h"

#include <sys/utsname.h>

#include <fstream>
#include <iterator>
#include <string>

namespace faultline {
namespace {

std::string text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// The last word on the command line counts, as for the kernel (kstrtobool).
bool initOnAlloc(std::string_view commandLine, std::string_view configuration) {
  constexpr std::string_view kOption = "init_on_alloc=";
  const auto option = commandLine.rfind(kOption);
  if (option == std::string_view::npos)
    return configuration.find("\nCONFIG_INIT_ON_ALLOC_DEFAULT_ON=y") != std::string_view::npos;
  const std::string_view value = commandLine.substr(option + kOption.size(), 2);
  return value.starts_with('1') || value.starts_with('y') || value.starts_with('Y') || value == "on";
}

bool initOnAlloc() {
  utsname kernel{};
  uname(&kernel);
  return initOnAlloc(text("/proc/cmdline"), text(std::string("/boot/config-") + kernel.release));
}

}  // namespace faultline

// A copy of the collector that an ordinary user may start with capabilities; needs root.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace faultline::test {

// A copy with the capabilities of the grant, in a folder that every user may enter.
class CapableCopy {
 public:
  CapableCopy() {
    std::filesystem::create_directories(m_folder);
    std::filesystem::copy_file(FAULTLINE_BIN "/faultline-collector", program(),
                               std::filesystem::copy_options::overwrite_existing);
    chmod(m_folder.c_str(), 0755);
    chmod(program().c_str(), 0755);
  }
  ~CapableCopy() { std::filesystem::remove_all(m_folder); }
  CapableCopy(const CapableCopy&) = delete;
  CapableCopy& operator=(const CapableCopy&) = delete;

  [[nodiscard]] std::string program() const { return m_folder / "faultline-collector"; }
  [[nodiscard]] bool grant(const std::string& capabilities = "cap_perfmon,cap_bpf,cap_syslog") const {
    return std::system(("setcap " + capabilities + "=ep " + program() + " 2>/dev/null").c_str()) == 0;
  }

 private:
  std::filesystem::path m_folder =
      std::filesystem::temp_directory_path() / ("faultline-capable-" + std::to_string(getpid()));
};

}  // namespace faultline::test

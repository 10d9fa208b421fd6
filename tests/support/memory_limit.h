// A limit of the memory of some processes, by a control group.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace faultline::test {

// A group of processes that may use `bytes` of memory; it works where control groups can be made (v1 or v2).
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) {
    const std::string name = "/faultline-test-" + std::to_string(getpid());
    for (const auto& [root, limit] :
         {std::pair("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), std::pair("/sys/fs/cgroup", "memory.max")}) {
      std::error_code error;
      m_folder = root + name;
      if (!std::filesystem::create_directory(m_folder, error)) continue;
      std::ofstream file(m_folder / limit);
      m_works = static_cast<bool>(file << bytes << std::flush);
      if (m_works) return;
      std::filesystem::remove(m_folder, error);
    }
  }
  ~MemoryLimit() {
    std::error_code error;
    std::filesystem::remove(m_folder, error);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  [[nodiscard]] bool works() const { return m_works; }
  void join(pid_t process) const { std::ofstream(m_folder / "cgroup.procs") << process << std::flush; }

 private:
  std::filesystem::path m_folder;
  bool m_works = false;
};

}  // namespace faultline::test

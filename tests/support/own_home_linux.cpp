// Gives each test program, and all that it starts, a home of its own before main(): nothing of the user's is read or
// written. tests/support/own_home does the same for tests that are scripts.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/support/scratch_folder.h"

namespace {

class OwnHome {
 public:
  OwnHome() {
    setenv("HOME", m_path.c_str(), 1);
    put("XDG_CONFIG_HOME", ".config");
    put("XDG_CACHE_HOME", ".cache");
    put("XDG_DATA_HOME", ".local/share");
    put("XDG_STATE_HOME", ".local/state");
    put("XDG_RUNTIME_DIR", "run");
    std::filesystem::create_directory(m_path / "run");
    std::filesystem::permissions(m_path / "run", std::filesystem::perms::owner_all);
  }
  ~OwnHome() {
    std::error_code ignored;
    if (getpid() == m_owner) std::filesystem::remove_all(m_path, ignored);  // not in a forked child
  }
  OwnHome(const OwnHome&) = delete;
  OwnHome& operator=(const OwnHome&) = delete;

 private:
  void put(const char* variable, const char* folder) const { setenv(variable, (m_path / folder).c_str(), 1); }

  pid_t m_owner = getpid();
  std::filesystem::path m_path = faultline::test::makeScratchFolder();
};

const OwnHome kOwnHome;

}  // namespace

#include "platform/host/posix/autostart.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "platform/host/autostart.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;

namespace {

class ConfigHome {
 public:
  ConfigHome() {
    m_path = test::makeScratchFolder();
    setenv("XDG_CONFIG_HOME", m_path.c_str(), 1);
  }
  ~ConfigHome() {
    unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(m_path);
  }
  ConfigHome(const ConfigHome&) = delete;
  ConfigHome& operator=(const ConfigHome&) = delete;

  [[nodiscard]] std::filesystem::path entry() const { return m_path / "autostart" / "faultline.desktop"; }

 private:
  std::filesystem::path m_path;
};

}  // namespace

TEST_CASE("starting at login is a desktop entry that is written and removed") {
  const ConfigHome home;
  CHECK_FALSE(autostartEnabled());
  REQUIRE(enableAutostart("/opt/faultline/bin/faultline"));
  CHECK(autostartEnabled());
  std::ifstream in(home.entry());
  const std::string entry(std::istreambuf_iterator<char>(in), {});
  CHECK(entry.find("\nExec=\"/opt/faultline/bin/faultline\" --hidden\n") != std::string::npos);
  REQUIRE(disableAutostart());
  CHECK_FALSE(autostartEnabled());
  CHECK(disableAutostart());  // nothing to remove is no failure
}

TEST_CASE("a path with blanks, quotes, percents and dollars survives both unescapings of Exec") {
  const std::string entry = autostartEntry(R"(/opt/a b/"c"/50%/$d/e\f)");
  CHECK(entry.find(R"(Exec="/opt/a b/\\"c\\"/50%%/\\$d/e\\\\f" --hidden)") != std::string::npos);
}

TEST_CASE("an entry that the desktop switched off counts as off") {
  const std::string entry = autostartEntry("/bin/true");
  CHECK(autostartEntryIsOn(entry));
  CHECK_FALSE(autostartEntryIsOn(entry + "Hidden=true\n"));
  CHECK_FALSE(autostartEntryIsOn("[Desktop Entry]\nX-GNOME-Autostart-enabled=false\n"));
  CHECK_FALSE(autostartEntryIsOn(""));
}

TEST_CASE("the error for a folder that cannot be written names the path") {
  const ConfigHome home;
  std::ofstream(home.entry().parent_path()).put('x');  // a file where the folder belongs
  const Result<void> enabled = enableAutostart("/bin/true");
  REQUIRE_FALSE(enabled);
  CHECK(enabled.error().message.find("autostart") != std::string::npos);
}

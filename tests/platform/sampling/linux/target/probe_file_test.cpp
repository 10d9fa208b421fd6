// Files that a real game of ours has loaded, and such that it has not, or not any more.
#include "platform/sampling/linux/target/probe_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/workload.h"

namespace faultline::test {
namespace {

constexpr std::size_t kFileBytes = 8192;

// A file of our own, and a process that has it mapped as code from its second page on.
class Loaded {
 public:
  explicit Loaded(const std::string& name, int access = PROT_READ | PROT_EXEC) : m_path(m_folder / name) {
    std::filesystem::create_directories(m_folder);
    write();
    m_game.emplace([this, access](int) {
      const int file = ::open(m_path.c_str(), O_RDWR | O_CLOEXEC);
      if (mmap(nullptr, kFileBytes / 2, access, MAP_PRIVATE, file, kFileBytes / 2) == MAP_FAILED) _exit(1);
    });
  }
  ~Loaded() { std::filesystem::remove_all(m_folder); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  [[nodiscard]] const std::string& path() const { return m_path; }
  [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(m_game->pid()); }
  [[nodiscard]] Result<ProbeFile> probe(std::uint64_t offset = kFileBytes / 2) const {
    const auto target = WatchTarget::open(pid());
    REQUIRE(target);
    return ProbeFile::open(*target, {.file = m_path, .offset = offset, .name = "present"});
  }
  void replace() const {
    std::filesystem::remove(m_path);
    write();
  }

 private:
  void write() const { std::ofstream(m_path) << std::string(kFileBytes, '\x90'); }

  std::filesystem::path m_folder =
      std::filesystem::temp_directory_path() / ("faultline-probe-" + std::to_string(getpid()));
  std::string m_path;
  std::optional<Workload> m_game;
};

bool sameFile(const std::string& a, const std::string& b) {
  struct stat one{};
  struct stat other{};
  return stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0 && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev;
}

std::string trouble(const Result<ProbeFile>& file) {
  REQUIRE_FALSE(file);
  return file.error().message;
}

}  // namespace

TEST_CASE("A file that a game has loaded is held, whatever it is called") {
  for (const char* name : {"plain", "with  blanks ", "new\nline", "back\\012slash", "deleted (deleted)"}) {
    const Loaded game(name);
    CAPTURE(name);
    const auto file = game.probe();
    REQUIRE(file);
    CHECK(sameFile(file->path(), game.path()));
    CHECK(file->offset() == kFileBytes / 2);
    CHECK(file->name() == "present");
  }
}

TEST_CASE("A place that is no code of the game is refused, with a word on what else can be done") {
  const Loaded game("library");
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{kFileBytes / 2 - 1}, std::uint64_t{kFileBytes}}) {
    const std::string message = trouble(game.probe(offset));
    CHECK(message.find("is not part of the code that process") != std::string::npos);
    CHECK(message.find("--assume 60") != std::string::npos);
  }
  CHECK(trouble(Loaded("data", PROT_READ).probe()).find("is not part of the code") != std::string::npos);
  CHECK(trouble(Loaded("both", PROT_READ | PROT_WRITE | PROT_EXEC).probe()).find("is not part of the code") !=
        std::string::npos);
}

TEST_CASE("A file that the game has not loaded is refused") {
  const Loaded game("library");
  const auto target = WatchTarget::open(game.pid());
  REQUIRE(target);
  const auto message = [&](const char* path) {
    return trouble(ProbeFile::open(*target, {.file = path, .offset = 0, .name = {}}));
  };
  CHECK(message("/etc/passwd").find("is not among the files") != std::string::npos);
  CHECK(message("[vdso]").find("is not an absolute path") != std::string::npos);
  CHECK(message("").find("is not an absolute path") != std::string::npos);
}

TEST_CASE("A file that was replaced or removed since the game loaded it is not taken for the loaded one") {
  const Loaded game("library");
  game.replace();
  CHECK(trouble(game.probe()).find("has been replaced since") != std::string::npos);
  std::filesystem::remove(game.path());
  CHECK(trouble(game.probe()).find("Restart the game.") != std::string::npos);
}

TEST_CASE("A game's own program is held even when it has been replaced") {
  const std::string copy = std::filesystem::temp_directory_path() / ("faultline-copy-" + std::to_string(getpid()));
  std::filesystem::copy_file(FAULTLINE_BIN "/fake_game", copy, std::filesystem::copy_options::overwrite_existing);
  const Workload game([&](int round) {
    if (round == 1) execl(copy.c_str(), copy.c_str(), "frames=100000", nullptr);
  });
  game.begin();
  const auto pid = static_cast<std::uint32_t>(game.pid());
  while (!sameFile("/proc/" + std::to_string(pid) + "/exe", copy)) usleep(1000);
  const auto target = WatchTarget::open(pid);
  REQUIRE(target);
  // Somewhere in the program's text, wherever its linker has put it; exec names the program before it maps its text.
  std::uint64_t code = 0;
  while (!ProbeFile::open(*target, {.file = copy, .offset = code, .name = {}})) code = (code + 4096) % (1U << 20U);
  std::filesystem::remove(copy);
  std::ofstream(copy) << "another";
  const auto file = ProbeFile::open(*target, {.file = copy, .offset = code, .name = {}});
  std::filesystem::remove(copy);
  REQUIRE(file);
  CHECK(sameFile(file->path(), "/proc/" + std::to_string(pid) + "/exe"));
}

}  // namespace faultline::test

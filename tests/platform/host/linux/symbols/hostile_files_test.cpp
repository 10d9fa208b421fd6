// Files that a game has written to take time, memory or more without end: what is read of them has a limit, and nothing
// but a regular file is opened.
#include <elf.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "core/text/function_name.h"
#include "platform/host/linux/symbols/elf_file.h"
#include "platform/host/linux/symbols/game_files.h"
#include "platform/host/linux/symbols/game_rights.h"
#include "platform/host/linux/symbols/jit_names.h"
#include "platform/host/linux/symbols/reader_process.h"
#include "platform/host/mark_finder.h"
#include "platform/host/stack_reader.h"
#include "tests/support/game.h"
#include "tests/support/in_child.h"
#include "tests/support/scratch_folder.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr uid_t kUser = 54321;
constexpr MonotonicTime kNow{Nanoseconds::max()};  // younger than any file

struct Scratch {
  std::filesystem::path path = makeScratchFolder();

  Scratch() = default;
  ~Scratch() { std::filesystem::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

// The map that this program writes for perf.
struct OwnMap {
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  UniqueFd self{open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC)};

  ~OwnMap() { std::filesystem::remove(path); }
  void write(const std::string& text, std::ios::openmode how = std::ios::trunc) const {
    std::ofstream(path, std::ios::binary | how) << text;
  }
};

std::uint64_t bytesReadSoFar() {
  std::ifstream file("/proc/self/io");
  std::string word;
  std::uint64_t bytes = 0;
  file >> word >> bytes;  // rchar
  return bytes;
}

// Counts who opens a file, by whatever path.
class Opens {
 public:
  explicit Opens(const std::string& path) { REQUIRE(inotify_add_watch(m_events.get(), path.c_str(), IN_OPEN) >= 0); }
  [[nodiscard]] bool any() const {
    std::array<char, 4096> events{};
    return read(m_events.get(), events.data(), events.size()) > 0;
  }

 private:
  UniqueFd m_events{inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
};

template <class T>
T& at(std::string& bytes, std::uint64_t offset) {
  REQUIRE(offset + sizeof(T) <= bytes.size());
  return *reinterpret_cast<T*>(bytes.data() + offset);
}

// Its second version leads back to its first one, past the largest offset.
std::string libraryWithCircle() {
  std::ifstream in(FAULTLINE_MARKED "/libmarked_library.so", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto& header = at<Elf64_Ehdr>(bytes, 0);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto& section = at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type == SHT_GNU_versym)
      for (std::uint64_t place = 0; place < section.sh_size; place += sizeof(Elf64_Half))
        at<Elf64_Half>(bytes, section.sh_offset + place) = 77;  // no version has this number
    if (section.sh_type != SHT_GNU_verdef) continue;
    const Elf64_Word first = at<Elf64_Verdef>(bytes, section.sh_offset).vd_next;
    at<Elf64_Verdef>(bytes, section.sh_offset + first).vd_next = 0U - first;
  }
  return bytes;
}

FaultSample someSample() {
  FaultSample sample;
#ifdef __aarch64__
  sample.registers.assign(33, 0);
#else
  sample.registers.assign(17, 0);
#endif
  return sample;
}

// Ends with SIGTERM pending, as in a program that takes its signals later.
template <class Body>
int withPendingSignal(Body body) {
  return inChild([&] {
    sigset_t terminate;
    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminate, nullptr);
    kill(getpid(), SIGTERM);
    return body() ? 0 : 1;
  });
}

std::string hang() {
  for (;;) pause();
}

}  // namespace

TEST_CASE("A map of generated code without a line's end is read once, not for each address") {
  const OwnMap map;
  map.write("");
  std::filesystem::resize_file(map.path, std::uintmax_t{64} << 20U);
  JitNames names;
  const std::uint64_t before = bytesReadSoFar();
  for (std::uint64_t address = 1; address <= 20; ++address)
    CHECK(names.at(map.self.get(), address << 20U, kNow).empty());
  CHECK(bytesReadSoFar() - before < (std::uint64_t{80} << 20U));
  CHECK_FALSE(names.trouble().empty());
}

TEST_CASE("Names behind a line that is too long, and names of a map that is written anew, are found") {
  const OwnMap map;
  map.write(std::string(100'000, 'x') + "\n1000 10 behind\n2000 10 other\n");
  JitNames names;
  CHECK(names.at(map.self.get(), 0x1000, kNow) == "behind");
  CHECK(names.at(map.self.get(), 0x3000, kNow).empty());
  map.write("3000 10 appended\n", std::ios::app);
  CHECK(names.at(map.self.get(), 0x3000, kNow) == "appended");
  map.write("4000 10 first\n1000 10 behind\n2000 10 other\n3000 10 appended\n" + std::string(100'100, '#') + "\n");
  CHECK(names.at(map.self.get(), 0x4000, kNow) == "first");
  CHECK(names.trouble().empty());
}

TEST_CASE("A map of generated code that is written anew with as many bytes, or replaced, is read whole again") {
  const OwnMap map;
  const std::string end = "9000 10 stub\n" + std::string(300, '#') + "\n";
  map.write("1000 10 first\n2000 10 gone!\n" + end);
  JitNames names;
  const auto soon = [&](std::uint64_t address, std::string_view name) {
    for (int i = 0; i < 100 && names.at(map.self.get(), address, kNow) != name; ++i) std::this_thread::sleep_for(10ms);
    return names.at(map.self.get(), address, kNow) == name;
  };
  CHECK(soon(0x1000, "first"));
  map.write("1000 10 other\n3000 10 later\n" + end);
  CHECK(soon(0x1000, "other"));
  CHECK(names.at(map.self.get(), 0x2000, kNow).empty());
  map.write("1000 10 third\n3000 10 later\n" + end + "4000 10 more\n");
  CHECK(soon(0x1000, "third"));
  CHECK(names.at(map.self.get(), 0x4000, kNow) == "more");
  std::filesystem::rename(map.path, map.path + ".old");
  map.write("5000 10 new\n");
  std::filesystem::remove(map.path + ".old");
  CHECK(soon(0x1000, ""));
  CHECK(names.at(map.self.get(), 0x5000, kNow) == "new");
  CHECK(names.trouble().empty());
}

TEST_CASE("A fault has the name of its time, and names of a younger map are told") {
  const OwnMap map;
  map.write("1000 10 first\n");
  JitNames names;
  CHECK(names.at(map.self.get(), 0x1000, kNow) == "first");
  const MonotonicTime between{std::chrono::steady_clock::now().time_since_epoch()};
  std::this_thread::sleep_for(60ms);
  map.write("1000 10 third\n2000 10 later\n");
  CHECK(names.at(map.self.get(), 0x2000, kNow) == "later");
  CHECK(names.at(map.self.get(), 0x1000, between) == "first");
  CHECK(names.trouble().empty());
  CHECK(names.at(map.self.get(), 0x1000, kNow) == "third");
  CHECK(names.at(map.self.get(), 0x2000, between) == "later");
  CHECK(names.at(map.self.get(), 0x2000, between) == "later");
  CHECK(names.trouble() ==
        "Names of generated code may be those of later code: 1 faults are older than the map that the game has written "
        "for perf.");
}

TEST_CASE("Versions of a library that lead in a circle end the list of versions") {
  const Scratch folder;
  const std::filesystem::path path = folder.path / "libcircle.so";
  std::ofstream(path, std::ios::binary) << libraryWithCircle();
  const auto names = inReaderProcess(
      [&] {
        const auto elf = ElfFile::open(openFile(path));
        std::string found;
        for (const KnownFunction& function : elf->functions([](std::string_view) { return true; }))
          found += function.symbol + ' ';
        return found;
      },
      20s);
  INFO((names ? "" : names.error().message));
  REQUIRE(names);
  CHECK(names->find("swapFrames ") != std::string::npos);
}

TEST_CASE("A symbol of 600 kB is not made readable, and is shown cut") {
  const std::string symbol = "_Z600000" + std::string(600'000, 'x') + "v";
  CHECK_FALSE(demangled(symbol));
  CHECK(demangled("_Z4drawv") == "draw()");
  CHECK(shownFunctionName(symbol).size() < 1100);
  CHECK(shownFunctionName("draw") == "draw");
}

TEST_CASE("A wait for a reader process ends when a signal asks this program to end") {
  CHECK(withPendingSignal([] {
          const auto answer = inReaderProcess(hang, 10min);
          return !answer && answer.error().message == "was interrupted";
        }) == 0);
  CHECK(withPendingSignal([] {
          const auto reader =
              openStackReader(static_cast<std::uint32_t>(getpid()), std::make_shared<ReadingBudget>(10min));
          if (!reader) return false;
          pid_t child = 0;
          std::ifstream("/proc/self/task/" + std::to_string(getpid()) + "/children") >> child;
          if (child == 0) return true;  // this kernel does not list a program's children
          kill(child, SIGSTOP);
          return (*reader)->read(someSample()).empty() && (*reader)->read(someSample()).empty() &&
                 (*reader)->trouble() == "Call stacks may be missing: a signal ended the wait for them.";
        }) == 0);
}

TEST_CASE("A budget of reading is for all readers together, and its end is a sentence") {
  const auto budget = std::make_shared<ReadingBudget>(300ms);
  const auto reader = openStackReader(static_cast<std::uint32_t>(getpid()), budget);
  REQUIRE(reader);
  pid_t child = 0;
  std::ifstream("/proc/self/task/" + std::to_string(getpid()) + "/children") >> child;
  if (child == 0) SKIP("this kernel does not list a program's children (CONFIG_PROC_CHILDREN)");
  kill(child, SIGSTOP);
  CHECK((*reader)->read(someSample()).empty());
  const std::string trouble = (*reader)->trouble();
  CHECK(trouble.starts_with("Call stacks are missing: to read them from the files of process "));
  CHECK((*reader)->read(someSample()).empty());  // at once
  budget->spend(Nanoseconds(1h));
  const auto other = openStackReader(static_cast<std::uint32_t>(getpid()), budget);
  REQUIRE_FALSE(other);
  CHECK(other.error().message == trouble);
}

TEST_CASE("Any number of usual call stacks takes no bytes off a budget of reading") {
  const auto reader = openStackReader(static_cast<std::uint32_t>(getpid()), std::make_shared<ReadingBudget>(10min, 1));
  REQUIRE(reader);
  FaultSample sample = someSample();
  sample.registers.back() = reinterpret_cast<std::uint64_t>(&openStackReader);
  (*reader)->notice(sample);
  for (int i = 0; i < 20; ++i) {
    sample.time = {Nanoseconds(i)};
    CHECK_FALSE((*reader)->read(sample).empty());
  }
  CHECK((*reader)->trouble().empty());
}

TEST_CASE("A pipe in place of a file is not opened") {
  const Scratch folder;
  const std::string pipe = folder.path / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::create_symlink(pipe, folder.path / "link");
  const Opens opens(pipe);
  CHECK_FALSE(openFile(pipe));
  CHECK(errno == EINVAL);
  CHECK_FALSE(openFile(folder.path / "link"));
  CHECK_FALSE(openFile("/dev/null"));
  CHECK_FALSE(openFile("/proc/kmsg"));
  const OwnMap map;
  std::filesystem::rename(pipe, map.path);
  CHECK(JitNames().at(map.self.get(), 0x1000, kNow).empty());
  CHECK_FALSE(opens.any());
}

TEST_CASE("A pipe that a game has mounted over its library is not opened") {
  if (geteuid() != 0) SKIP("only root may mount");
  const Scratch folder;
  const std::string library = folder.path / "libglfw.so.3";
  const std::string pipe = folder.path / "pipe";
  std::filesystem::copy_file(FAULTLINE_MARKED "/libmarked_library.so", library);
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const Opens opens(pipe);
  std::array<int, 2> ready{};
  REQUIRE(::pipe(ready.data()) == 0);
  const pid_t game = fork();
  if (game == 0) {
    const UniqueFd file(open(library.c_str(), O_RDONLY | O_CLOEXEC));
    const bool mapped = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file.get(), 0) != MAP_FAILED;
    const bool hidden = unshare(CLONE_NEWNS) == 0 && mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                        mount(pipe.c_str(), library.c_str(), nullptr, MS_BIND, nullptr) == 0;
    const char done = mapped && hidden ? 'y' : 'n';
    if (write(ready[1], &done, 1) == 1) pause();
    _exit(0);
  }
  char done = 0;
  REQUIRE(read(ready[0], &done, 1) == 1);
  MarkFinder finder;
  const auto found = finder.look(static_cast<std::uint32_t>(game));
  const auto named = finder.find(static_cast<std::uint32_t>(game), {"libglfw", "swapFrames"});
  FaultSample sample = someSample();
  auto reader = openStackReader(static_cast<std::uint32_t>(game));
  if (reader) static_cast<void>((*reader)->read(sample));
  kill(game, SIGKILL);
  waitpid(game, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  if (done != 'y') SKIP("this system does not let root mount");
  CHECK(found);
  CHECK_FALSE(named);
  CHECK_FALSE(opens.any());
}

TEST_CASE("A reader process of root has no more rights than the game's user") {
  if (geteuid() != 0) SKIP("only root has rights to give up");
  const Game game({"frames=1000", "mark=", "then=linger"}, kUser);
  const std::string maps = "/proc/" + std::to_string(game.pid()) + "/maps";
  struct stat owner{};
  while (stat(maps.c_str(), &owner) == 0 && owner.st_uid != kUser) usleep(1000);
  const auto rights = inReaderProcess(
      [&] {
        takeRightsOf(game.pid());
        std::ifstream status("/proc/self/status");
        std::string text = std::to_string(geteuid()) + ' ' + std::to_string(getegid());
        for (std::string line; std::getline(status, line);) {
          if (line.starts_with("CapPrm:")) text += ' ' + line.substr(8);
          if (line.starts_with("Groups:") && line.find_first_of("0123456789") != std::string::npos) text += " groups";
        }
        text += access("/etc/shadow", R_OK) == 0 ? " reads secrets" : "";
        return text + (std::ifstream(maps).get() != EOF ? " reads the game's maps" : "");
      },
      60s);
  REQUIRE(rights);
  CHECK(*rights == "54321 54321 0000000000000000 reads the game's maps");
}

}  // namespace faultline::test

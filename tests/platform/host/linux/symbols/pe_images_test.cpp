// A program of Windows in this process's memory, as Wine loads it.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "platform/host/stack_reader.h"
#include "platform/system/posix/unique_fd.h"
#include "tests/support/scratch_folder.h"

namespace faultline::test {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kImagePages = 8;
constexpr std::size_t kFileBytes = 3 * kPage;

void put(std::string& bytes, std::size_t place, std::uint32_t number) {
  std::memcpy(bytes.data() + place, &number, sizeof number);
}

std::string peFile(std::uint32_t imageBytes) {
  std::string bytes(kFileBytes, '\0');
  bytes.replace(0, 2, "MZ");
  put(bytes, 0x3c, 0x80);
  bytes.replace(0x80, 2, "PE");
  put(bytes, 0x80 + 24 + 56, imageBytes);
  return bytes;
}

// The header is mapped from the file, and the code behind it is a copy without a name.
class LoadedImage {
 public:
  explicit LoadedImage(const std::string& name, const std::string& bytes, std::size_t headerBytes = kPage)
      : m_folder(makeScratchFolder()), m_path((m_folder / name).string()) {
    std::ofstream(m_path) << bytes;
    m_begin = static_cast<char*>(
        mmap(nullptr, 2 * kImagePages * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    const UniqueFd file(open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(mmap(m_begin, headerBytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.get(), 0) == m_begin);
    for (const std::size_t page : {std::size_t{4}, kImagePages + 1})
      REQUIRE(mprotect(m_begin + page * kPage, kPage, PROT_READ | PROT_EXEC) == 0);
  }
  ~LoadedImage() {
    munmap(m_begin, 2 * kImagePages * kPage);
    std::filesystem::remove_all(m_folder);
  }
  LoadedImage(const LoadedImage&) = delete;
  LoadedImage& operator=(const LoadedImage&) = delete;

  [[nodiscard]] const std::string& path() const { return m_path; }

  // The code at this distance from the image's beginning.
  [[nodiscard]] StackFrame at(std::size_t place) const {
    const auto reader = openStackReader(static_cast<std::uint32_t>(getpid()));
    if (!reader) SKIP(reader.error().message);
    FaultSample sample;
#ifdef __aarch64__
    sample.registers.resize(33);
#else
    sample.registers.resize(17);
#endif
    sample.registers.back() = reinterpret_cast<std::uint64_t>(m_begin) + place;
    (*reader)->notice(sample);
    const CallStack stack = (*reader)->read(sample);
    REQUIRE_FALSE(stack.empty());
    return stack.front();
  }

 private:
  std::filesystem::path m_folder;
  std::string m_path;
  char* m_begin;
};

}  // namespace

TEST_CASE("Code of a Windows program under Wine has the program's name and its distance from the image's beginning") {
  const LoadedImage image("Game.EXE", peFile(kImagePages * kPage));
  const StackFrame frame = image.at(4 * kPage + 0x234);
  CHECK(frame.module == image.path());
  CHECK(frame.offset == 4 * kPage + 0x234);
  CHECK(frame.function.empty());
  CHECK_FALSE(frame.system);
}

TEST_CASE("Code without a name behind an image of Windows, or behind a file that is none, belongs to no module") {
  const std::string behind = LoadedImage("game.dll", peFile(kImagePages * kPage)).at((kImagePages + 1) * kPage).module;
  CHECK(behind.empty());
  for (const std::string& none : {std::string(kFileBytes, 'x'), std::string("MZ")}) {
    const std::string module = LoadedImage("game.dll", none).at(4 * kPage).module;
    CHECK(module.empty());
  }
  const std::string endless = LoadedImage("game.dll", peFile(UINT32_MAX)).at(4 * kPage).module;
  CHECK(endless.ends_with("game.dll"));
}

TEST_CASE("A Windows library that is mapped as data is no module of the code behind it") {
  const std::string module = LoadedImage("game.dll", peFile(kImagePages * kPage), kFileBytes).at(4 * kPage).module;
  CHECK(module.empty());
}

}  // namespace faultline::test

// fuzz_elf FILE COUNT [SEED]: a game has mapped a library whose bytes are damaged at random; its functions are looked
// for, and the call stacks of faults in it. libelf and libdw may fail in any way; this program must not, and must have
// a sentence whenever they do.
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <span>
#include <string>

#include "platform/host/mark_finder.h"
#include "platform/host/stack_reader.h"
#include "platform/system/posix/unique_fd.h"

namespace {

using namespace faultline;
using Random = std::mt19937;

void demand(bool condition) {
  if (!condition) std::abort();
}

std::uint64_t below(Random& random, std::uint64_t end) {
  return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(random);
}

template <class T>
T at(const std::string& bytes, std::uint64_t offset) {
  T value{};
  demand(offset + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Elf64_Phdr codeOf(const std::string& elf) {
  const auto head = at<Elf64_Ehdr>(elf, 0);
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    const auto segment = at<Elf64_Phdr>(elf, head.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) return segment;
  }
  std::abort();
}

void damage(std::string& bytes, Random& random) {
  constexpr std::array<std::uint64_t, 8> kOdd{0, 1, 0x7F, 0x80, 0xFF, 0x7FFFFFFF, 0xFFFFFFFF, UINT64_MAX};
  for (std::uint64_t left = 1 + below(random, 24); left > 0; --left) {
    const std::uint64_t place = below(random, bytes.size() - 8);
    switch (below(random, 4)) {
      case 0:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(random, 8)));
        break;
      case 1:
        bytes[place] = static_cast<char>(random());
        break;
      case 2:
        std::memcpy(bytes.data() + place, &kOdd[below(random, kOdd.size())], 1U << below(random, 4));
        break;
      default:
        std::memmove(bytes.data() + place, bytes.data() + below(random, bytes.size() - 8), 8);
    }
  }
  if (below(random, 16) == 0) bytes.resize(1 + below(random, bytes.size()));
}

// Mapped as code, never run.
class Mapped {
 public:
  Mapped(const std::string& path, const Elf64_Phdr& code) {
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    m_size = code.p_filesz;
    m_memory = mmap(nullptr, m_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file.get(),
                    static_cast<off_t>(code.p_offset & ~std::uint64_t{4095}));
    demand(m_memory != MAP_FAILED);
  }
  ~Mapped() { munmap(m_memory, m_size); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  [[nodiscard]] std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(m_memory); }
  [[nodiscard]] std::uint64_t size() const { return m_size; }

 private:
  void* m_memory = nullptr;
  std::size_t m_size = 0;
};

FaultSample faultIn(const Mapped& code, Random& random) {
  constexpr std::uint64_t kStack = 0x7FFF00000000;
  const auto place = [&] { return code.begin() + below(random, code.size()); };
  FaultSample sample;
  sample.registers.assign(17, kStack);
  sample.registers[16] = place();
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t word = below(random, 2) == 0 ? place() : kStack + 8 * below(random, 64);
    const auto bytes = std::as_bytes(std::span(&word, 1));
    sample.stack.insert(sample.stack.end(), bytes.begin(), bytes.end());
  }
  return sample;
}

struct Tally {
  std::uint64_t stacks = 0;
  std::uint64_t frames = 0;
  std::map<std::string, std::uint64_t> troubles{};
};

void tryOne(const std::string& path, const Elf64_Phdr& code, Random& random, Tally& tally) {
  const Mapped mapped(path, code);
  const auto self = static_cast<std::uint32_t>(getpid());
  auto reader = openStackReader(self);
  if (!reader) {
    ++tally.troubles[reader.error().message];
  } else {
    for (int i = 0; i < 12; ++i, ++tally.stacks) {
      const std::size_t frames = (*reader)->read(faultIn(mapped, random)).size();
      demand(frames > 0 || !(*reader)->trouble().empty());
      tally.frames += frames;
    }
    if (const std::string trouble = (*reader)->trouble(); !trouble.empty()) ++tally.troubles[trouble];
  }
  const auto found = MarkFinder().find(self, {.file = path, .function = "deepTouch"});
  demand(found || !found.error().message.empty());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::ifstream original(argv[1], std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(original)), {});
  const Elf64_Phdr code = codeOf(whole);
  Random random(argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1);
  std::string path = (std::filesystem::temp_directory_path() / "faultline-mutated-XXXXXX").string();
  close(mkstemp(path.data()));
  Tally tally;
  const long count = std::atol(argv[2]);
  for (long i = 0; i < count; ++i) {
    std::string bytes = whole;
    damage(bytes, random);
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    tryOne(path, code, random, tally);
  }
  std::filesystem::remove(path);
  std::printf("%ld files, %lu stacks, %lu frames\n", count, tally.stacks, tally.frames);
  for (const auto& [trouble, times] : tally.troubles) std::printf("%lu times: %s\n", times, trouble.c_str());
}

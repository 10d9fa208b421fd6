#include "platform/sampling/linux/target/function_start.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace faultline {
namespace {

struct Elf32 {
  using Header = Elf32_Ehdr;
  using Segment = Elf32_Phdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
};
struct Elf64 {
  using Header = Elf64_Ehdr;
  using Segment = Elf64_Phdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
};

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;  // of a file, so that sums of offsets do not wrap
constexpr std::size_t kMostRead = std::size_t{512} << 20U;     // the table of a million symbols has 24 MB

// A file may be sparse, or have 65 535 tables that are all the same: what is read of it has a limit.
struct File {
  int descriptor;
  std::size_t left = kMostRead;
};

template <class T>
bool readAt(File& file, std::uint64_t offset, T* into, std::size_t count = 1) {
  const std::size_t bytes = count * sizeof(T);
  if (offset >= kMostBytes || bytes > file.left) return false;
  file.left -= bytes;
  return pread(file.descriptor, into, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

// The address of this byte of the file, by the segments.
template <class Elf>
std::optional<std::uint64_t> addressOf(File& file, const typename Elf::Header& header, std::uint64_t offset) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    typename Elf::Segment segment{};
    if (!readAt(file, header.e_phoff + std::uint64_t{i} * sizeof segment, &segment)) return std::nullopt;
    if (segment.p_type == PT_LOAD && offset >= segment.p_offset && offset - segment.p_offset < segment.p_filesz)
      return segment.p_vaddr + (offset - segment.p_offset);
  }
  return std::nullopt;
}

template <class Elf>
bool tells(File& file, const typename Elf::Section& table, std::uint64_t address) {
  std::array<typename Elf::Symbol, 128> symbols{};
  const std::uint64_t count = std::min<std::uint64_t>(table.sh_size, kMostBytes) / sizeof(typename Elf::Symbol);
  for (std::uint64_t first = 0; first < count; first += symbols.size()) {
    const auto some = std::min<std::uint64_t>(symbols.size(), count - first);
    if (!readAt(file, table.sh_offset + first * sizeof(typename Elf::Symbol), symbols.data(), some)) return false;
    for (std::size_t i = 0; i < some; ++i)
      if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx != SHN_UNDEF &&
          symbols[i].st_value == address)
        return true;
  }
  return false;
}

// By the table of .eh_frame_hdr, which stripped files keep: pairs of a function's begin and its unwind rules, relative
// to the section, by ascending begin. Source: Linux Standard Base, "Exception Frames".
template <class Elf>
bool unwinds(File& file, const typename Elf::Segment& section, std::uint64_t address) {
  struct {
    std::array<unsigned char, 4> kinds;  // version; encodings of the pointer, the count, the table
    std::int32_t frames;
    std::uint32_t count;
  } header{};
  using Pair = std::array<std::int32_t, 2>;
  constexpr std::array<unsigned char, 4> kUsual{1, 0x1b, 0x03, 0x3b};
  if (section.p_filesz < sizeof header || !readAt(file, section.p_offset, &header) || header.kinds != kUsual)
    return false;
  const auto wanted = static_cast<std::int64_t>(address - section.p_vaddr);
  std::uint64_t low = 0;
  std::uint64_t high = std::min<std::uint64_t>(header.count, (section.p_filesz - sizeof header) / sizeof(Pair));
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    Pair pair{};
    if (!readAt(file, section.p_offset + sizeof header + middle * sizeof pair, &pair)) return false;
    if (pair[0] == wanted) return true;
    if (pair[0] < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
}

template <class Elf>
bool begins(File& file, std::uint64_t offset) {
  typename Elf::Header header{};
  if (!readAt(file, 0, &header) || header.e_phentsize != sizeof(typename Elf::Segment) ||
      header.e_shentsize != sizeof(typename Elf::Section))
    return false;
  const auto address = addressOf<Elf>(file, header, offset);
  for (unsigned i = 0; address && i < header.e_shnum; ++i) {
    typename Elf::Section section{};
    if (!readAt(file, header.e_shoff + std::uint64_t{i} * sizeof section, &section)) return false;
    if ((section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM) && tells<Elf>(file, section, *address))
      return true;
  }
  for (unsigned i = 0; address && i < header.e_phnum; ++i) {
    typename Elf::Segment segment{};
    if (!readAt(file, header.e_phoff + std::uint64_t{i} * sizeof segment, &segment)) return false;
    if (segment.p_type == PT_GNU_EH_FRAME && unwinds<Elf>(file, segment, *address)) return true;
  }
  return false;
}

}  // namespace

bool beginsFunction(int descriptor, std::uint64_t offset) {
  File file{descriptor};
  std::array<unsigned char, EI_NIDENT> identity{};
  if (!readAt(file, 0, identity.data(), identity.size()) || std::memcmp(identity.data(), ELFMAG, SELFMAG) != 0)
    return false;
  return identity[EI_CLASS] == ELFCLASS64 ? begins<Elf64>(file, offset) : begins<Elf32>(file, offset);
}

}  // namespace faultline

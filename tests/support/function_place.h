// Finds the offset of a function's code in a program file, by the symbol table (elf(5)).
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace faultline::test {

class ProgramFile {
 public:
  explicit ProgramFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    m_bytes.assign(std::istreambuf_iterator<char>(file), {});
  }

  // 0: no function of this name.
  [[nodiscard]] std::uint64_t placeOf(const std::string& function) const {
    const auto header = at<Elf64_Ehdr>(0);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
      if (section.sh_type != SHT_SYMTAB) continue;
      const auto names = at<Elf64_Shdr>(header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
      for (std::uint64_t place = 0; place < section.sh_size; place += sizeof(Elf64_Sym)) {
        const auto symbol = at<Elf64_Sym>(section.sh_offset + place);
        if (function == m_bytes.data() + names.sh_offset + symbol.st_name) return inFile(header, symbol.st_value);
      }
    }
    return 0;
  }

 private:
  template <class T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    T value{};
    std::memcpy(&value, m_bytes.data() + offset, sizeof value);
    return value;
  }

  [[nodiscard]] std::uint64_t inFile(const Elf64_Ehdr& header, std::uint64_t address) const {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    }
    return 0;
  }

  std::vector<char> m_bytes;
};

// The swap function of fake_game.
[[nodiscard]] inline std::uint64_t fakeGamePresent() {
  return ProgramFile(FAULTLINE_BIN "/fake_game").placeOf("fakeGamePresent");
}

}  // namespace faultline::test

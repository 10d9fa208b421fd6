#include "platform/host/linux/symbols/elf_file.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <gelf.h>
#ifdef FAULTLINE_LIBERTY
#include <libiberty/demangle.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "core/text/function_name.h"

namespace faultline {
namespace {

constexpr GElf_Versym kHiddenVersion = 0x8000;
constexpr std::string_view kBuildIdOwner("GNU\0", 4);
constexpr std::size_t kMostVersionBytes = std::size_t{16} << 20U;

using VersionNames = std::map<GElf_Versym, std::string>;

bool isFunction(const GElf_Sym& symbol) {
  const auto type = GELF_ST_TYPE(symbol.st_info);
  return type == STT_FUNC || type == STT_GNU_IFUNC;
}

struct Section {
  GElf_Shdr header{};
  Elf_Data* data = nullptr;

  [[nodiscard]] std::size_t entries() const { return header.sh_entsize == 0 ? 0 : data->d_size / header.sh_entsize; }
};

}  // namespace

std::optional<std::string> demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z") && !symbol.starts_with("_R")) return std::nullopt;
  if (symbol.size() > kLongestSymbol) return std::nullopt;
  struct FreeText {
    void operator()(char* text) const { std::free(text); }
  };
  std::unique_ptr<char, FreeText> text;
#ifdef FAULTLINE_LIBERTY
  text.reset(rust_demangle(symbol.c_str(), 0));  // both schemes of Rust, without the hash; null for other names
#endif
  if (!text) text.reset(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr));
  return text ? std::optional<std::string>(text.get()) : std::nullopt;
}

struct ElfFile::State {
  UniqueFd file;
  Elf* elf = nullptr;

  ~State() {
    if (elf != nullptr) elf_end(elf);
  }

  [[nodiscard]] std::optional<Section> section(GElf_Word type) const {
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
      Section found;
      if (gelf_getshdr(scn, &found.header) == nullptr || found.header.sh_type != type) continue;
      found.data = elf_getdata(scn, nullptr);
      if (found.data != nullptr && found.data->d_buf != nullptr) return found;
    }
    return std::nullopt;
  }

  template <class Visit>
  void eachSegment(Visit visit) const {
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr segment{};
      if (gelf_getphdr(elf, static_cast<int>(i), &segment) != nullptr) visit(segment);
    }
  }
  [[nodiscard]] bool has(GElf_Word type) const {
    bool found = false;
    eachSegment([&](const GElf_Phdr& segment) { found = found || segment.p_type == type; });
    return found;
  }

  // The names of the versions that the file defines (.gnu.version_d), by number. A file may have offsets that lead
  // nowhere, or in a circle: the list ends where a definition is not behind the one before, inside the section.
  [[nodiscard]] VersionNames versionNames() const {
    VersionNames names;
    const auto versions = section(SHT_GNU_verdef);
    const std::size_t size = versions ? std::min<std::size_t>(versions->data->d_size, kMostVersionBytes) : 0;
    for (std::size_t at = 0; at < size;) {
      GElf_Verdef definition{};
      GElf_Verdaux name{};
      if (gelf_getverdef(versions->data, static_cast<int>(at), &definition) == nullptr) break;
      const std::size_t nameAt = at + definition.vd_aux;
      if (nameAt < size && gelf_getverdaux(versions->data, static_cast<int>(nameAt), &name) != nullptr)
        if (const char* const text = elf_strptr(elf, versions->header.sh_link, name.vda_name))
          names.try_emplace(definition.vd_ndx, text, strnlen(text, kLongestSymbol));
      if (definition.vd_next == 0) break;
      at += definition.vd_next;
    }
    return names;
  }

  // In the static table, names contain versions.
  static void splitVersion(KnownFunction& function) {
    const std::size_t at = function.symbol.find('@');
    if (at == std::string::npos) return;
    const bool isDefault = function.symbol.substr(at).starts_with("@@");
    function.version = function.symbol.substr(at + (isDefault ? 2 : 1));
    function.oldVersion = !isDefault;
    function.symbol.resize(at);
  }

  static void lookUpVersion(KnownFunction& function, const Section& numbers, const VersionNames& names,
                            std::size_t index) {
    GElf_Versym number = 0;
    if (gelf_getversym(numbers.data, static_cast<int>(index), &number) == nullptr) return;
    function.oldVersion = (number & kHiddenVersion) != 0;
    number &= static_cast<GElf_Versym>(~kHiddenVersion);
    const auto name = names.find(number);
    if (number > VER_NDX_GLOBAL && name != names.end()) function.version = name->second;
  }

  // Visits the symbols that the file defines, with name and index in the table.
  template <class Visit>
  void eachSymbol(const std::optional<Section>& symbols, Visit visit) const {
    for (std::size_t i = 0; symbols && i < symbols->entries(); ++i) {
      GElf_Sym symbol{};
      if (gelf_getsym(symbols->data, static_cast<int>(i), &symbol) == nullptr) break;
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
      const char* const name = elf_strptr(elf, symbols->header.sh_link, symbol.st_name);
      if (name != nullptr && *name != '\0') visit(symbol, std::string_view(name), i);
    }
  }

  void addFunctions(std::vector<KnownFunction>& functions, GElf_Word table, const Filter& worthKnowing) const {
    const auto versions = table == SHT_DYNSYM ? section(SHT_GNU_versym) : std::nullopt;
    const VersionNames names = versions ? versionNames() : VersionNames();
    eachSymbol(section(table), [&](const GElf_Sym& symbol, std::string_view name, std::size_t number) {
      if (!isFunction(symbol) || !worthKnowing(name.substr(0, name.find('@')))) return;
      KnownFunction function{.symbol = std::string(name),
                             .global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL,
                             .chosenAtStart = GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC,
                             .address = symbol.st_value};
      splitVersion(function);
      if (versions) lookUpVersion(function, *versions, names, number);
      function.readable = demangled(function.symbol).value_or("");
      functions.push_back(std::move(function));
    });
  }
};

Result<ElfFile> ElfFile::open(UniqueFd file) {
  if (elf_version(EV_CURRENT) == EV_NONE) return fail("cannot be read by this version of libelf");
  auto state = makeHidden<State>();
  state->file = std::move(file);
  state->elf = elf_begin(state->file.get(), ELF_C_READ, nullptr);
  if (state->elf == nullptr || elf_kind(state->elf) != ELF_K_ELF) return fail("is not a program or library (ELF)");
  return ElfFile(std::move(state));
}

std::vector<KnownFunction> ElfFile::functions(const Filter& worthKnowing) const {
  std::vector<KnownFunction> functions;
  m_state->addFunctions(functions, SHT_DYNSYM, worthKnowing);
  m_state->addFunctions(functions, SHT_SYMTAB, worthKnowing);
  return functions;
}

bool ElfFile::defines(std::string_view wanted) const {
  bool found = false;
  const auto check = [&](const GElf_Sym&, std::string_view name, std::size_t) { found = found || name == wanted; };
  m_state->eachSymbol(m_state->section(SHT_DYNSYM), check);
  if (!found) m_state->eachSymbol(m_state->section(SHT_SYMTAB), check);
  return found;
}

bool ElfFile::stripped() const {
  return !m_state->section(SHT_SYMTAB);
}

bool ElfFile::standsAlone() const {
  return !m_state->has(PT_INTERP) && !m_state->section(SHT_DYNSYM);
}

std::string ElfFile::buildId() const {
  std::string id;
  m_state->eachSegment([&](const GElf_Phdr& segment) {
    if (segment.p_type != PT_NOTE || !id.empty()) return;
    Elf_Data* const notes = elf_getdata_rawchunk(m_state->elf, static_cast<std::int64_t>(segment.p_offset),
                                                 segment.p_filesz, segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    std::size_t name = 0;
    std::size_t text = 0;
    GElf_Nhdr note{};
    for (std::size_t at = 0; notes != nullptr && (at = gelf_getnote(notes, at, &note, &name, &text)) > 0;) {
      const char* const bytes = static_cast<const char*>(notes->d_buf);
      if (note.n_type != NT_GNU_BUILD_ID || std::string_view(bytes + name, note.n_namesz) != kBuildIdOwner) continue;
      for (std::size_t i = 0; i < note.n_descsz; ++i)
        id += fmt::format("{:02x}", static_cast<unsigned char>(bytes[text + i]));
      return;
    }
  });
  return id;
}

std::optional<std::uint64_t> ElfFile::offsetOf(std::uint64_t address) const {
  std::optional<std::uint64_t> offset;
  m_state->eachSegment([&](const GElf_Phdr& segment) {
    const bool within = address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && within)
      offset = address - segment.p_vaddr + segment.p_offset;
  });
  return offset;
}

}  // namespace faultline

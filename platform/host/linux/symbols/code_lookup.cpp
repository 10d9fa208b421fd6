#include "platform/host/linux/symbols/code_lookup.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "core/marks/system_code.h"
#include "core/text/function_name.h"
#include "platform/host/linux/symbols/elf_file.h"

namespace faultline {
namespace {

constexpr std::string_view kUnknownJit = "[jit]";
constexpr int kMostScopes = 256;  // around an address

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

struct SourcePlace {
  std::string file;
  int line = 0;
};

std::string readableName(const char* symbol) {
  if (symbol == nullptr) return {};
  const std::string known = demangled(symbol).value_or(std::string(symbol, strnlen(symbol, kLongestSymbol)));
  std::string name = shownFunctionName(bareFunctionName(known));
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(kUnnamed)) != std::string::npos;) name.erase(at, kUnnamed.size());
  return name;
}

std::string textOf(const char* text) {
  return text != nullptr ? std::string(text, strnlen(text, kLongestSymbol)) : std::string();
}

bool isNamedScope(Dwarf_Die& die) {
  const int tag = dwarf_tag(&die);
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_namespace;
}

// The name with the scopes around its declaration.
std::string fullName(Dwarf_Die declaration) {
  std::string name = textOf(dwarf_diename(&declaration));
  for (const unsigned attribute : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute leads{};
    Dwarf_Die there{};
    if (dwarf_attr(&declaration, attribute, &leads) != nullptr && dwarf_formref_die(&leads, &there) != nullptr)
      declaration = there;
  }
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &found);
  const std::unique_ptr<Dwarf_Die, Free> scopes(found);
  for (int i = 1; i < count; ++i) {
    Dwarf_Die& scope = scopes.get()[i];
    const std::string around = isNamedScope(scope) ? textOf(dwarf_diename(&scope)) : std::string();
    if (!around.empty()) name = around + "::" + name;
    if (name.size() > kLongestSymbol) break;
  }
  return shownFunctionName(name);
}

// Prefers the linkage name, because the other name lacks the scopes. For functions that no other file can call, the
// linkage name may be only in the symbol table: `symbol`.
std::string nameOf(Dwarf_Die& function, std::string_view symbol = {}) {
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    Dwarf_Attribute found{};
    if (dwarf_attr_integrate(&function, attribute, &found) == nullptr) continue;
    if (const char* const name = dwarf_formstring(&found)) return readableName(name);
  }
  if (symbol.starts_with("_Z")) return readableName(symbol.data());
  return fullName(function);
}

SourcePlace placeOf(Dwarf_Die& unit, Dwarf_Addr address) {
  SourcePlace place;
  Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
  if (line == nullptr) return place;
  static_cast<void>(dwarf_lineno(line, &place.line));
  place.file = textOf(dwarf_linesrc(line, nullptr, nullptr));
  return place;
}

std::optional<Dwarf_Word> number(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute found{};
  Dwarf_Word value = 0;
  if (dwarf_attr(&die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0) return std::nullopt;
  return value;
}

// The place where an inlined function was called.
SourcePlace callOf(Dwarf_Die& unit, Dwarf_Die& inlined) {
  SourcePlace place;
  Dwarf_Files* files = nullptr;
  const auto file = number(inlined, DW_AT_call_file);
  if (file && dwarf_getsrcfiles(&unit, &files, nullptr) == 0)
    place.file = textOf(dwarf_filesrc(files, *file, nullptr, nullptr));
  place.line = static_cast<int>(number(inlined, DW_AT_call_line).value_or(0));
  return place;
}

// The blocks and functions around an address, innermost first, in the order of the code.
std::vector<Dwarf_Die> scopesAt(Dwarf_Die& unit, Dwarf_Addr address) {
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes(&unit, address, &found);
  std::unique_ptr<Dwarf_Die, Free> scopes(found);
  if (count <= 0) return {};
  // The first list continues with the scopes around an inlined function's definition, not around its call.
  Dwarf_Die innermost = scopes.get()[0];
  const int around = dwarf_getscopes_die(&innermost, &found);
  if (around <= 0) return {};
  scopes.reset(found);
  return {scopes.get(), scopes.get() + std::min(around, kMostScopes)};
}

struct Finder {
  const CodeModules::Range* range;
  std::string_view jit;  // the function, if a JIT compiler has generated it and tells its name
  Dwfl_Module* module;
  CodeUnits& units;
  std::uint64_t address;
  CallStack frames;

  void push(std::string function, const SourcePlace& place, bool inlined) {
    StackFrame frame;
    frame.function = std::move(function);
    frame.file = place.file;
    frame.line = place.line;
    frame.inlined = inlined;
    frame.module = range != nullptr && range->path.starts_with('/') ? range->path : std::string();
    frame.offset = offset();
    frame.system = (range != nullptr && !range->program && isSystemModule(range->path)) || isSystemSource(place.file);
    frames.push_back(std::move(frame));
  }

  [[nodiscard]] std::uint64_t offset() const {
    Dwarf_Addr bias = 0;
    if (module != nullptr && dwfl_module_getelf(module, &bias) != nullptr) return address - bias;
    return range != nullptr && range->inode != 0 ? address - range->begin + range->offset : address;
  }

  void findInDebugInformation() {
    const char* const symbol = dwfl_module_addrname(module, address);
    SourcePlace place;
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = units.around(module, address, bias);
    if (unit != nullptr) {
      place = placeOf(*unit, address - bias);
      for (Dwarf_Die& scope : scopesAt(*unit, address - bias)) {
        const int tag = dwarf_tag(&scope);
        if (tag == DW_TAG_subprogram) return push(nameOf(scope, symbol != nullptr ? symbol : ""), place, false);
        if (tag != DW_TAG_inlined_subroutine) continue;
        push(nameOf(scope), place, true);
        place = callOf(*unit, scope);
      }
    }
    push(readableName(symbol), place, false);
  }

  void find() {
    if (module != nullptr) return findInDebugInformation();
    if (range == nullptr || range->inode != 0) return push({}, {}, false);
    if (range->path.empty()) return push(jit.empty() ? std::string(kUnknownJit) : std::string(jit), {}, false);
    push(range->path, {}, false);
    frames.back().system = true;
  }
};

}  // namespace

std::vector<CodeUnits::Part> CodeUnits::partsOf(Dwarf* debug) {
  std::vector<Part> parts;
  Dwarf_Off next = 0;
  std::size_t header = 0;
  for (Dwarf_Off at = 0; dwarf_nextcu(debug, at, &next, &header, nullptr, nullptr, nullptr) == 0; at = next) {
    Dwarf_Die unit{};
    if (dwarf_offdie(debug, at + header, &unit) == nullptr) continue;
    Part part{.unit = at + header};
    Dwarf_Addr base = 0;
    for (std::ptrdiff_t step = 0; (step = dwarf_ranges(&unit, step, &base, &part.begin, &part.end)) > 0;)
      parts.push_back(part);
  }
  std::ranges::sort(parts, {}, &Part::begin);
  return parts;
}

Dwarf_Die* CodeUnits::around(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  if (Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  Dwarf* const debug = dwfl_module_getdwarf(module, &bias);
  if (debug == nullptr) return nullptr;
  const auto [known, isNew] = m_parts.try_emplace(debug);
  if (isNew) known->second = partsOf(debug);
  const auto next = std::ranges::upper_bound(known->second, address - bias, {}, &Part::begin);
  if (next == known->second.begin() || address - bias >= std::prev(next)->end) return nullptr;
  return dwarf_offdie(debug, std::prev(next)->unit, &m_unit);
}

const CallStack& CodeLookup::at(const CodeModules& modules, std::uint64_t address, MonotonicTime time) {
  const auto [place, isNew] = m_known.try_emplace(address);
  Known& known = place->second;
  if (!isNew && !known.generated) return known.frames;
  const CodeModules::Range* const range = modules.at(address);
  known.generated = range != nullptr && range->inode == 0 && range->path.empty();
  const std::string_view jit = known.generated ? m_jit.at(modules.process(), address, time) : std::string_view();
  if (!isNew && known.frames.front().function == (jit.empty() ? kUnknownJit : jit)) return known.frames;
  Dwfl_Module* const module = modules.session() != nullptr ? dwfl_addrmodule(modules.session(), address) : nullptr;
  Finder finder{.range = range, .jit = jit, .module = module, .units = m_units, .address = address, .frames = {}};
  finder.find();
  known.frames = std::move(finder.frames);
  return known.frames;
}

}  // namespace faultline

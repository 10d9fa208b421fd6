// CodeLookup: the functions and lines at an address of code, including inlined functions, by elfutils' libdw. Caches
// its results.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/culprits/stack_frame.h"
#include "platform/host/linux/symbols/code_modules.h"
#include "platform/host/linux/symbols/jit_names.h"

namespace faultline {

// The compilation unit around an address. clang writes no .debug_aranges; elfutils before 0.191 finds no unit then.
class CodeUnits {
 public:
  // Null: none is known. `bias`: of the addresses in the unit. Valid until the next call.
  [[nodiscard]] Dwarf_Die* around(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias);
  void forget() { m_parts.clear(); }

 private:
  struct Part {
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    Dwarf_Off unit = 0;
  };
  static std::vector<Part> partsOf(Dwarf* debug);

  std::unordered_map<Dwarf*, std::vector<Part>> m_parts;  // by begin; of modules for which elfutils finds no unit
  Dwarf_Die m_unit{};
};

class CodeLookup {
 public:
  // Innermost first; all but the last are inlined. Never empty. Valid until the next call. `time`: of the fault.
  [[nodiscard]] const CallStack& at(const CodeModules& modules, std::uint64_t address, MonotonicTime time);
  void forget() {
    m_known.clear();
    m_units.forget();
  }
  // Why names are missing or doubtful, as a sentence; else empty.
  [[nodiscard]] std::string trouble() const { return m_jit.trouble(); }

 private:
  CodeUnits m_units;
  JitNames m_jit;
  struct Known {
    CallStack frames;
    bool generated = false;  // its name may change
  };
  std::unordered_map<std::uint64_t, Known> m_known;
};

}  // namespace faultline

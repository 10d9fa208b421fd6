// CodeLookup: the functions and lines at an address of code, including inlined functions, by elfutils' libdw. Caches
// its results.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/culprits/stack_frame.h"
#include "platform/host/linux/symbols/code_modules.h"
#include "platform/host/linux/symbols/jit_names.h"

namespace faultline {

class CodeLookup {
 public:
  // Innermost first; all but the last are inlined. Never empty. Valid until forget().
  [[nodiscard]] const CallStack& at(const CodeModules& modules, std::uint64_t address);
  void forget() { m_known.clear(); }
  // Why names are missing, as a sentence; else empty.
  [[nodiscard]] std::string trouble() const { return m_jit.trouble(); }

 private:
  JitNames m_jit;
  std::unordered_map<std::uint64_t, CallStack> m_known;
};

}  // namespace faultline

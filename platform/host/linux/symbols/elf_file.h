// ElfFile: functions of a program or library by name, with their places in the file, by elfutils' libelf. Errors are
// half sentences whose subject is the file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hidden.h"
#include "core/base/result.h"
#include "core/marks/function_pick.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// Absent unless the symbol is a name of C++ or Rust.
[[nodiscard]] std::optional<std::string> demangled(const std::string& symbol);

class ElfFile {
 public:
  [[nodiscard]] static Result<ElfFile> open(UniqueFd file);

  using Filter = std::function<bool(std::string_view symbol)>;
  // The defined functions in the order of the tables: first exported functions, then, unless stripped, all others.
  [[nodiscard]] std::vector<KnownFunction> functions(const Filter& worthKnowing) const;
  [[nodiscard]] bool defines(std::string_view symbol) const;  // a function or not
  [[nodiscard]] bool stripped() const;                        // functions that are not exported have no names
  [[nodiscard]] bool standsAlone() const;                     // linked statically
  [[nodiscard]] std::string buildId() const;                  // hexadecimal; empty: none

  // Offset in the file of the code at an address of the file; absent if there is no code.
  [[nodiscard]] std::optional<std::uint64_t> offsetOf(std::uint64_t address) const;

 private:
  struct State;
  explicit ElfFile(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

}  // namespace faultline

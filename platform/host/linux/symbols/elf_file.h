// ElfFile: a program's or a library's functions by name, and where their code lies in the file; read by elfutils'
// libelf. Errors are half sentences: what is wrong with the file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/marks/function_pick.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class ElfFile {
 public:
  [[nodiscard]] static Result<ElfFile> open(UniqueFd file);
  ~ElfFile();
  ElfFile(ElfFile&&) noexcept;
  ElfFile& operator=(ElfFile&&) noexcept;

  using Filter = std::function<bool(std::string_view symbol)>;
  // Those that it defines, in the order of its tables: what it offers to others, then, unless it was stripped, the
  // rest.
  [[nodiscard]] std::vector<KnownFunction> functions(const Filter& worthKnowing) const;
  [[nodiscard]] bool defines(std::string_view symbol) const;  // be it a function or not
  [[nodiscard]] bool stripped() const;                        // its own functions have no names any more
  [[nodiscard]] bool standsAlone() const;                     // linked statically
  [[nodiscard]] std::string buildId() const;                  // in hexadecimal; empty: it has none

  // Where in the file the code at an address of its own lies; absent for what is no code.
  [[nodiscard]] std::optional<std::uint64_t> offsetOf(std::uint64_t address) const;

 private:
  struct State;
  explicit ElfFile(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace faultline

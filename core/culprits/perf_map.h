// PerfMap: names of code that a program has generated, by the map file that it writes for perf
// (tools/perf/Documentation/ jit-interface.txt in Linux: a line per function, "BEGIN SIZE NAME", both numbers
// hexadecimal). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace faultline {

class PerfMap {
 public:
  // Reads complete lines and skips invalid ones. A later line takes its addresses from earlier ones. Returns the number
  // of bytes read: up to and including the last newline.
  std::size_t add(std::string_view text);
  // Empty if no function is known there. Valid until the next call of add().
  [[nodiscard]] std::string_view at(std::uint64_t address) const;
  [[nodiscard]] bool full() const { return m_functions.size() >= kMostFunctions; }  // takes no further function

 private:
  static constexpr std::size_t kMostFunctions = 1'000'000;

  struct Function {
    std::uint64_t end = 0;
    std::string name;
  };

  void add(std::uint64_t begin, std::uint64_t size, std::string_view name);

  std::map<std::uint64_t, Function> m_functions;  // by their beginning; none overlap
};

}  // namespace faultline

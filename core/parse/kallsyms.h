// Finds kernel functions by name in /proc/kallsyms. Pure; fed in pieces because the file is about 5 MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// `end` is the address of the next symbol. If the text ends before that symbol, found() omits the function.
struct KernelFunction {
  std::size_t name = 0;  // index in the names searched for
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool operator==(const KernelFunction&) const = default;
};

class KallsymsSearch {
 public:
  // A compiler suffix (`.constprop.0`) is ignored in comparisons. `names` must outlive this object.
  explicit KallsymsSearch(std::span<const std::string_view> names) : m_names(names) {}

  void feed(std::string_view piece);

  [[nodiscard]] std::vector<KernelFunction> found() const;  // in the order of the text
  // True if every address is zero: the reader lacks the permission to see them. Also true of a text without symbols.
  [[nodiscard]] bool hidden() const { return !m_addressSeen; }

 private:
  void line(std::string_view text);
  [[nodiscard]] std::optional<std::size_t> wanted(std::string_view name) const;

  std::span<const std::string_view> m_names;
  std::string m_incompleteLine;  // an incomplete line at the end of the last piece
  std::vector<KernelFunction> m_found;
  bool m_addressSeen = false;
};

}  // namespace faultline

// /proc/kallsyms: where functions of given names lie in the kernel. Pure; fed in pieces, since the whole is 5 MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// From `begin` up to the next symbol. A text that ends before that one leaves the function out.
struct KernelFunction {
  std::size_t name = 0;  // which of the names asked for
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool operator==(const KernelFunction&) const = default;
};

class KallsymsSearch {
 public:
  // What the compiler appends (`.constprop.0`) belongs to the name. `names` must outlive this.
  explicit KallsymsSearch(std::span<const std::string_view> names) : m_names(names) {}

  void feed(std::string_view piece);

  [[nodiscard]] std::vector<KernelFunction> found() const;  // in the order of the text
  // Addresses are shown as zeros: the reader is not allowed to know them. Also true of a text without symbols.
  [[nodiscard]] bool hidden() const { return !m_addressSeen; }

 private:
  void line(std::string_view text);
  [[nodiscard]] std::optional<std::size_t> wanted(std::string_view name) const;

  std::span<const std::string_view> m_names;
  std::string m_cut;  // a line whose end has not been fed yet
  std::vector<KernelFunction> m_found;
  bool m_addressSeen = false;
};

}  // namespace faultline

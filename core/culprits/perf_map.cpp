#include "core/culprits/perf_map.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace faultline {
namespace {

constexpr std::size_t kMostName = 255;  // bytes

bool takeHex(std::string_view& line, std::uint64_t& value) {
  if (line.starts_with("0x")) line.remove_prefix(2);
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
  const auto taken = static_cast<std::size_t>(end - line.data());
  if (error != std::errc{} || taken == line.size() || line[taken] != ' ') return false;
  line.remove_prefix(taken + 1);
  return true;
}

}  // namespace

std::size_t PerfMap::add(std::string_view text) {
  std::size_t read = 0;
  for (std::size_t end = 0; (end = text.find('\n', read)) != std::string_view::npos; read = end + 1) {
    std::string_view line = text.substr(read, end - read);
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    if (takeHex(line, begin) && takeHex(line, size) && !line.empty()) add(begin, size, line.substr(0, kMostName));
  }
  return read;
}

void PerfMap::add(std::uint64_t begin, std::uint64_t size, std::string_view name) {
  if (size == 0 || size > UINT64_MAX - begin || full()) return;
  const std::uint64_t end = begin + size;
  auto next = m_functions.lower_bound(begin);
  if (next != m_functions.begin()) {
    Function& before = std::prev(next)->second;
    if (before.end > end) m_functions.emplace(end, before);
    before.end = std::min(before.end, begin);
  }
  while (next != m_functions.end() && next->first < end) {
    if (next->second.end > end) m_functions.emplace(end, next->second);
    next = m_functions.erase(next);
  }
  m_functions[begin] = {.end = end, .name = std::string(name)};
}

std::string_view PerfMap::at(std::uint64_t address) const {
  auto next = m_functions.upper_bound(address);
  if (next == m_functions.begin()) return {};
  const Function& function = std::prev(next)->second;
  return address < function.end ? std::string_view(function.name) : std::string_view();
}

}  // namespace faultline

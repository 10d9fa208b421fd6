#include "core/parse/proc_status.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/parse/number.h"

namespace faultline {
namespace {

// Takes the digits at the front of `values` and the separator after them.
template <typename Number>
std::optional<Number> takeValue(std::string_view& values, int base = 10) {
  Number value = 0;
  const char* const end = values.data() + values.size();
  const auto [rest, error] = std::from_chars(values.data(), end, value, base);
  if (error != std::errc{} || (rest != end && *rest != '\t' && *rest != ' ')) return std::nullopt;
  values.remove_prefix(static_cast<std::size_t>(rest - values.data()) + (rest == end ? 0 : 1));
  return value;
}

std::optional<ProcIds> takeIds(std::string_view values) {
  const auto real = takeValue<std::uint32_t>(values);
  const auto effective = real ? takeValue<std::uint32_t>(values) : std::nullopt;
  return effective ? std::optional(ProcIds{*real, *effective}) : std::nullopt;
}

std::uint64_t takeMask(std::string_view digits) {
  return takeValue<std::uint64_t>(digits, 16).value_or(0);
}

}  // namespace

std::optional<ProcStatus> parseProcStatus(std::string_view text) {
  ProcStatus status;
  std::optional<std::uint32_t> group, inner;
  std::optional<ProcIds> user, userGroup;
  while (const auto line = takeLine(text)) {
    const std::size_t tab = std::min(line->find('\t'), line->size());
    const std::string_view field = line->substr(0, tab);
    std::string_view values = line->substr(std::min(tab + 1, line->size()));
    if (field == "Tgid:") group = takeValue<std::uint32_t>(values);
    if (field == "Uid:") user = takeIds(values);
    if (field == "Gid:") userGroup = takeIds(values);
    if (field == "SigBlk:") status.blockedSignals = takeMask(values);
    if (field == "CapPrm:") status.capabilities = takeMask(values);
    if (field == "Groups:")
      while (const auto other = takeValue<std::uint32_t>(values)) status.otherGroups.push_back(*other);
    if (field == "NSpid:")
      for (auto pid = takeValue<std::uint32_t>(values); pid; pid = takeValue<std::uint32_t>(values)) inner = pid;
  }
  if (!group || !user || !userGroup || !inner) return std::nullopt;
  status.group = *group;
  status.user = *user;
  status.userGroup = *userGroup;
  status.innerPid = *inner;
  return status;
}

}  // namespace faultline

#include "core/parse/meminfo.h"

#include "core/parse/number.h"

namespace faultline {
namespace {

std::optional<std::uint64_t>* slot(MemInfo& info, std::string_view key) {
  if (key == "MemTotal") return &info.total;
  if (key == "MemFree") return &info.free;
  if (key == "MemAvailable") return &info.available;
  if (key == "SwapTotal") return &info.swapTotal;
  if (key == "CommitLimit") return &info.commitLimit;
  if (key == "Committed_AS") return &info.committed;
  return nullptr;
}

std::optional<std::uint64_t> takeKilobytes(std::string_view text) {
  while (takeByte(text, ' ')) continue;
  const auto kilobytes = takeNumber(text);
  if (!kilobytes || text != " kB" || *kilobytes > UINT64_MAX / 1024) return std::nullopt;
  return *kilobytes * 1024;
}

}  // namespace

MemInfo parseMemInfo(std::string_view text) {
  MemInfo info;
  while (const auto line = takeLine(text)) {
    const std::size_t colon = line->find(':');
    if (colon == std::string_view::npos) continue;
    if (auto* target = slot(info, line->substr(0, colon))) *target = takeKilobytes(line->substr(colon + 1));
  }
  return info;
}

}  // namespace faultline

#include "app/cli/frames/times_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/file_name.h"
#include "core/base/file_text.h"
#include "core/export/csv.h"
#include "core/join/csv_rows.h"
#include "core/join/times_text.h"
#include "core/text/quantity.h"
#include "core/text/table.h"

namespace faultline {
namespace {

constexpr std::size_t kShownOthers = 4;

// "game.exe (4711), swap chain 0x1F2A4B3C0D0"
std::string nameOf(const FrameTimes& times) {
  std::string name = times.program.empty() ? "a program without a name" : printableName(times.program);
  if (times.pid > 0) name += fmt::format(" ({})", times.pid);
  if (!times.swapChain.empty())
    name += fmt::format(", {} {}", times.tool == "CapFrameX" && times.pid == 0 ? "run" : "swap chain",
                        printableName(times.swapChain));
  return name;
}

std::string listed(const std::vector<const FrameTimes*>& others) {
  std::string list;
  for (std::size_t i = 0; i < std::min(others.size(), kShownOthers); ++i)
    list += fmt::format("{}{}: {}", i == 0 ? "" : "; ", nameOf(*others[i]), formatCount(others[i]->rows()));
  if (others.size() > kShownOthers) list += fmt::format("; and {} more", formatCount(others.size() - kShownOthers));
  return list;
}

}  // namespace

Result<TimesLog> readTimesLog(const std::string& file, std::optional<double> ticksPerSecond) {
  auto bytes = fileText(pathFromUtf8(file));
  if (!bytes) return fail(file + " " + bytes.error().message);
  auto text = timesText(file, *std::move(bytes));
  if (!text) return fail(file + " " + text.error().message);
  auto all = parseFrameTimes(*text, ticksPerSecond);
  if (!all) return fail(file + " " + all.error().message);
  return TimesLog{*std::move(text), *std::move(all)};
}

Result<const FrameTimes*> chooseTimes(const std::vector<FrameTimes>& all, const TimesWanted& wanted) {
  const bool named = std::ranges::any_of(
      all, [&](const FrameTimes& times) { return times.pid == wanted.pid && !times.frames.empty(); });
  const auto fits = [&](const FrameTimes& times) {
    return !times.frames.empty() && (!named || times.pid == wanted.pid) &&
           (wanted.swapChain.empty() || findColumn({times.swapChain}, wanted.swapChain));
  };
  const auto found = std::ranges::find_if(all, fits);
  if (found != all.end()) return &*found;
  std::vector<const FrameTimes*> others(all.size());
  std::ranges::transform(all, others.begin(), [](const FrameTimes& times) { return &times; });
  return fail(fmt::format("The log has no frames of swap chain {}. The log has rows of {}.",
                          printableName(wanted.swapChain), listed(others)));
}

std::vector<std::string> leftOutTexts(const TimesLog& log, const FrameTimes& chosen, const TimesWanted& wanted) {
  std::vector<std::string> texts;
  if (wanted.pid > 0 && chosen.pid > 0 && chosen.pid != wanted.pid)
    texts.push_back(
        fmt::format("The log has no frames of process {}; those of {} are taken.", wanted.pid, nameOf(chosen)));
  if (chosen.leftOut.total() > 0) texts.push_back(chosen.leftOut.text());
  std::vector<const FrameTimes*> others;
  std::uint64_t rows = 0;
  for (const FrameTimes& times : log.all) {
    if (&times == &chosen) continue;
    others.push_back(&times);
    rows += times.rows();
  }
  if (rows > 0)
    texts.push_back(fmt::format("{} row{} of others {} left out ({}). --pid and --swap-chain select others.",
                                formatCount(rows), rows == 1 ? "" : "s", rows == 1 ? "is" : "are", listed(others)));
  return texts;
}

LogColumns::LogColumns(std::string_view text, std::uint64_t headLine) {
  while (!text.empty()) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    m_lines.push_back(text.substr(0, newline));
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  if (headLine == 0 || headLine > m_lines.size()) return;
  CsvRows rows(m_lines[headLine - 1]);
  if (const auto* head = rows.next()) m_count = head->size();
  m_names = fields(headLine, m_count);
}

std::string LogColumns::row(std::uint64_t line) const {
  return fields(line, m_count);
}

std::string LogColumns::fields(std::uint64_t line, std::size_t count) const {
  std::string text;
  CsvRows rows(line > 0 && line <= m_lines.size() ? m_lines[line - 1] : std::string_view());
  const auto* row = rows.next();
  for (std::size_t i = 0; i < count; ++i) {
    const bool has = row != nullptr && i < row->size();
    text += i == 0 ? "" : ",";
    if (!has) continue;
    const std::string field = unquoted((*row)[i]);
    text += csvNumber(*row, i) ? field : csvField(csvName(field));
  }
  return text;
}

}  // namespace faultline

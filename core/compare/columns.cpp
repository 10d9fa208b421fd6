#include "core/compare/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/export/csv.h"
#include "core/model/names.h"
#include "core/text/number.h"
#include "core/text/quantity.h"
#include "core/text/table.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

const ComparedNumber* numberOf(const ComparedResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.numbers, name, &ComparedNumber::name);
  return found == result.numbers.end() ? nullptr : &*found;
}

// Of all results, in the order of the first that has each.
std::vector<const ComparedNumber*> rowsOf(std::span<const ComparedResult> results) {
  std::vector<const ComparedNumber*> rows;
  for (const ComparedResult& result : results)
    for (const ComparedNumber& number : result.numbers)
      if (std::ranges::find(rows, number.name, &ComparedNumber::name) == rows.end()) rows.push_back(&number);
  return rows;
}

// "10 342, +1.0 % (+0.9 to +1.1), worse"
std::string cellOf(const ComparedNumber& number) {
  std::string text = comparedAmount(number.after, number.unit);
  const auto percent = [&](double change) { return 100 * change / number.before; };
  if (number.before > 0) text += fmt::format(", {:+.1f} %", percent(number.after - number.before));
  if (number.before > 0 && number.range)
    text += fmt::format(" ({:+.1f} to {:+.1f})", percent(number.range->first), percent(number.range->second));
  if (number.verdict.empty()) return text;
  std::string verdict(number.verdict);
  std::ranges::replace(verdict, '_', ' ');
  text += ", " + verdict;
  if (number.range || !number.confidence) return text;
  return text + ", by " + formatPercent(std::floor(*number.confidence * 1000) / 1000);
}

TextTable tableOf(const std::string& base, std::span<const ComparedResult> results) {
  TextTable table{.rows = {{"", printableName(base)}}, .left = [](std::size_t column) { return column != 1; }};
  for (const ComparedResult& result : results) table.rows.front().push_back(printableName(result.file));
  for (const ComparedNumber* const number : rowsOf(results)) {
    TextCells& cells = table.rows.emplace_back();
    cells = {printableName(number->name), comparedAmount(number->before, number->unit)};
    for (const ComparedResult& result : results) {
      const ComparedNumber* const own = numberOf(result, number->name);
      cells.push_back(own == nullptr ? std::string(kUnavailable) : cellOf(*own));
    }
  }
  return table;
}

// What the table means, as sentences.
std::string noteOf(std::span<const ComparedResult> results) {
  for (const ComparedResult& result : results)
    for (const ComparedNumber& number : result.numbers)
      if (number.range)
        return fmt::format("In brackets: the change in percent, with a confidence of {}, of each file by itself.\n",
                           formatPercent(number.confidence.value_or(0)));
  return {};
}

std::string textOf(std::optional<double> value) {
  std::string text;
  if (value) appendNumber(*value, text);
  return text;
}

}  // namespace

std::string comparedAmount(double value, Unit unit) {
  const auto whole = std::llround(std::max(value, 0.0));
  if (unit == Unit::Duration) return formatDuration(Nanoseconds(whole));
  if (unit == Unit::Bytes) return formatBytes(static_cast<std::uint64_t>(whole));
  const bool parts = value < 1000 && std::trunc(value) != value;
  return parts ? fmt::format("{:.1f}", value) : formatCount(static_cast<std::uint64_t>(whole));
}

std::string comparedAsText(const std::string& base, std::span<const ComparedResult> results) {
  if (results.size() == 1) return results.front().text;
  std::string text = alignedTable(tableOf(base, results)) + noteOf(results);
  for (const ComparedResult& result : results)
    text += "\n" + printableName(result.file) + " against " + printableName(base) + ":\n" + result.text;
  return text;
}

std::string comparedAsJson(const std::string& base, std::span<const ComparedResult> results) {
  if (results.size() == 1) return results.front().json;
  Json list = Json::array();
  bool judged = false;
  for (const ComparedResult& result : results) {
    list.push_back({{"file", printableName(result.file)}});
    list.back().update(Json::parse(result.json).at("compare"));
    judged |= !list.back().at("worse").is_null();
  }
  const bool worse = std::ranges::any_of(results, &ComparedResult::worse);
  const Json document{{"base", printableName(base)}, {"worse", judged ? Json(worse) : Json()}, {"results", list}};
  return Json{{"compare", document}}.dump(2) + "\n";
}

std::string comparedAsMarkdown(const std::string& base, std::span<const ComparedResult> results) {
  const std::string note = noteOf(results);
  return markdownTable(tableOf(base, results)) + (note.empty() ? "" : "\n" + note);
}

std::string comparedAsCsv(const std::string& base, std::span<const ComparedResult> results) {
  std::string out = "base,file,number,unit,before,after,change_low,change_high,confidence,verdict\r\n";
  for (const ComparedResult& result : results)
    for (const ComparedNumber& number : result.numbers) {
      const auto end = [&](double value) { return number.range ? std::optional(value) : std::nullopt; };
      const auto [low, high] = number.range.value_or(std::pair(0.0, 0.0));
      out += csvField(csvName(base)) + "," + csvField(csvName(result.file)) + "," + csvField(csvName(number.name)) +
             "," + std::string(unitName(number.unit)) + "," + textOf(number.before) + "," + textOf(number.after) + "," +
             textOf(end(low)) + "," + textOf(end(high)) + "," + textOf(number.confidence) + "," +
             std::string(number.verdict) + "\r\n";
    }
  return out;
}

}  // namespace faultline

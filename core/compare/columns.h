// Several results beside a first one, the base: a row of each number that both have, a column of each further result.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/field.h"

namespace faultline {

// In ns, bytes or counts, as the unit tells.
struct ComparedNumber {
  std::string name{};  // the same of each result; not empty
  Unit unit = Unit::Count;
  double before = 0;  // of the base
  double after = 0;
  std::optional<std::pair<double, double>> range{};  // of after - before, with `confidence`
  std::optional<double> confidence{};                // absent: not judged
  std::string_view verdict{};                        // "worse": its name in files; empty: not judged

  bool operator==(const ComparedNumber&) const = default;
};

struct ComparedResult {
  std::string file{};
  std::vector<ComparedNumber> numbers{};
  std::string text{};  // the report of this result and the base alone
  std::string json{};  // the same: a document {"compare": ...}
  bool worse = false;
};

// Of one result its own report, else a table, and the report of each.
[[nodiscard]] std::string comparedAsText(const std::string& base, std::span<const ComparedResult> results);
// Of one result its own document, else {"compare": {"base": FILE, "worse": ..., "results": [{"file": ..., ...}]}}.
[[nodiscard]] std::string comparedAsJson(const std::string& base, std::span<const ComparedResult> results);
[[nodiscard]] std::string comparedAsMarkdown(const std::string& base, std::span<const ComparedResult> results);
// A row of each number and result. Fields that are not known are empty.
[[nodiscard]] std::string comparedAsCsv(const std::string& base, std::span<const ComparedResult> results);

struct CompareFormat {
  std::string_view name;
  std::string_view words;
  std::string (*write)(const std::string& base, std::span<const ComparedResult> results);
};
inline constexpr std::array kCompareFormats{CompareFormat{"text", "for people", comparedAsText},
                                            CompareFormat{"json", "the whole report", comparedAsJson},
                                            CompareFormat{"markdown", "a table", comparedAsMarkdown},
                                            CompareFormat{"csv", "a row of each number and file", comparedAsCsv}};

// "1.21 GiB", "14.2 ms", "8 192", "16.5": a number of the table.
[[nodiscard]] std::string comparedAmount(double value, Unit unit);

}  // namespace faultline

// Reports of the lab for people and for other programs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/lab/checks.h"
#include "core/lab/report.h"

namespace faultline {

inline constexpr std::string_view kLabPublished =
    "The column \"published\" holds figures of the posts that describe these experiments, measured on other machines "
    "and, but for nodes, on Windows or macOS.";

struct LabFormat {
  std::string_view name;
  std::string (*write)(std::span<const LabReport> reports);
};

[[nodiscard]] std::string labCheckText(const LabCheck& check);  // "first touch / again >= 10: 41"
// Remarks, derived figures and the notes of rows, as sentences.
[[nodiscard]] std::vector<std::string> labNotes(const LabReport& report);
[[nodiscard]] std::string labTable(std::span<const LabReport> reports);
[[nodiscard]] std::string labMarkdown(std::span<const LabReport> reports);
[[nodiscard]] std::string labCsv(std::span<const LabReport> reports);  // a line per row; no checks
[[nodiscard]] std::string labJson(std::span<const LabReport> reports);
// The reports of a document of labJson(). Error: it is none.
[[nodiscard]] Result<std::vector<LabReport>> parseLabJson(std::string_view document);

inline constexpr LabFormat kLabFormats[]{
    {"table", labTable}, {"csv", labCsv}, {"json", labJson}, {"markdown", labMarkdown}};

}  // namespace faultline

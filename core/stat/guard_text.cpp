#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/stat/guard.h"
#include "core/text/quantity.h"
#include "core/text/table.h"

namespace faultline {
namespace {

using JsonValue = nlohmann::ordered_json;

std::string verdictWords(StatVerdict verdict) {
  switch (verdict) {
    case StatVerdict::Alike:
      return "as before";
    case StatVerdict::Unclear:
      return "unclear: the runs differ by more than that; more runs (-r) may tell";
    case StatVerdict::Worse:
      return "WORSE";
    case StatVerdict::Better:
      return "better";
  }
  return {};
}

std::string headline(const Guarded& guarded) {
  const std::string name = printableName(guarded.name);
  std::string grown;
  for (const StatChange& change : guarded.changes)
    if (change.verdict == StatVerdict::Worse) grown += (grown.empty() ? "" : "; ") + changeText(change);
  const std::string culprits = whereGrown(guarded);
  if (!grown.empty())
    return name + " costs more memory work than its baseline. " + grown + "." + (culprits.empty() ? "" : " ") +
           culprits + (culprits.empty() ? "" : ".");
  if (guarded.changes.empty()) return name + " could not be judged: no figure is known of both.";
  return name + " costs no more than its baseline.";
}

std::vector<std::string> guardNotes(const Guarded& guarded) {
  std::vector<std::string> lines;
  if (!guarded.otherPlace.empty()) {
    std::string clauses;
    for (const std::string& clause : guarded.otherPlace) clauses += (clauses.empty() ? "" : ", ") + clause;
    lines.push_back("The baseline was made elsewhere: " + clauses +
                    ". Counts alone are judged, and may differ for that reason.");
  }
  if (!guarded.countedOtherwise.empty())
    lines.push_back("The baseline counted page faults in another way: " + guarded.countedOtherwise + ".");
  for (const std::string& title : guarded.notJudged)
    lines.push_back(title + " is not judged: only one of the baseline and these runs has it.");
  if (!guarded.noCallSites.empty()) lines.push_back("Which lines grew is not known. " + guarded.noCallSites);
  return lines;
}

// The site that grew most, where its line is known; else null.
const SiteGrowth* lineToBlame(const Guarded& guarded) {
  const auto found = std::ranges::find_if(
      guarded.callSites, [](const SiteGrowth& growth) { return growth.faults > 0 && growth.site.line > 0; });
  return found == guarded.callSites.end() ? nullptr : &*found;
}

std::string inXml(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '&') out += "&amp;";
    else if (letter == '<') out += "&lt;";
    else if (letter == '>') out += "&gt;";
    else if (letter == '"') out += "&quot;";
    else out += letter;
  }
  return out;
}

// A command of a workflow ends at a line break, and a property at a comma or colon.
std::string inWorkflow(std::string_view text, bool property) {
  std::string out;
  for (const char letter : text) {
    if (letter == '%') out += "%25";
    else if (letter == '\r') out += "%0D";
    else if (letter == '\n') out += "%0A";
    else if (property && letter == ':') out += "%3A";
    else if (property && letter == ',') out += "%2C";
    else out += letter;
  }
  return out;
}

}  // namespace

std::string guardTable(const Guarded& guarded) {
  std::string out;
  for (const StatChange& change : guarded.changes)
    out += changeText(change) + ": " + verdictWords(change.verdict) + "\n";
  for (const std::string& note : guardNotes(guarded)) out += "  " + note + "\n";
  return out + headline(guarded) + "\n";
}

std::string guardMarkdown(const Guarded& guarded) {
  std::string out = "**" + headline(guarded) + "**\n\n<details><summary>Figures</summary>\n\n";
  TextTable table{.rows = {{"figure", "verdict"}}, .left = [](std::size_t) { return true; }};
  for (const StatChange& change : guarded.changes)
    table.rows.push_back({changeText(change), verdictWords(change.verdict)});
  out += markdownTable(table) + "\n";
  for (const std::string& note : guardNotes(guarded)) out += "* " + note + "\n";
  return out + "</details>\n";
}

std::string guardJson(const Guarded& guarded) {
  JsonValue changes = JsonValue::array();
  for (const StatChange& change : guarded.changes)
    changes.push_back({{"figure", kStatFields.at(change.figure).name},
                       {"before", change.before},
                       {"after", change.after},
                       {"noise", change.noise},
                       {"verdict", verdictName(change.verdict)}});
  JsonValue processes = JsonValue::array();
  for (const auto& [name, change] : guarded.processes)
    processes.push_back(
        {{"name", printableName(name)}, {"faults_before", change.before}, {"faults_after", change.after}});
  JsonValue sites = JsonValue::array();
  for (const SiteGrowth& growth : guarded.callSites)
    sites.push_back({{"function", growth.site.function},
                     {"file", growth.site.file},
                     {"line", growth.site.line},
                     {"caller", growth.site.caller},
                     {"faults", growth.faults},
                     {"pages", growth.pages},
                     {"text", growthText(growth, guarded.pageBytes)}});
  const JsonValue document{{"program", printableName(guarded.name)},
                           {"worse", guarded.has(StatVerdict::Worse)},
                           {"changes", changes},
                           {"other_place", guarded.otherPlace},
                           {"counted_otherwise", guarded.countedOtherwise},
                           {"not_judged", guarded.notJudged},
                           {"processes", processes},
                           {"call_sites", sites},
                           {"no_call_sites", guarded.noCallSites},
                           {"text", headline(guarded)}};
  return JsonValue{{"guard", document}}.dump(2) + "\n";
}

std::string guardJunit(const Guarded& guarded) {
  const std::string name = inXml(printableName(guarded.name));
  std::string cases;
  std::size_t failures = 0;
  const std::string culprits = whereGrown(guarded);
  for (const StatChange& change : guarded.changes) {
    const std::string text = inXml(changeText(change) + (culprits.empty() ? "" : ". " + culprits));
    cases +=
        fmt::format("    <testcase classname=\"{}\" name=\"{}\"", name, inXml(kStatFields.at(change.figure).title));
    if (change.verdict != StatVerdict::Worse) {
      cases += "/>\n";
      continue;
    }
    ++failures;
    cases += fmt::format(">\n      <failure message=\"{}\"/>\n    </testcase>\n", text);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{0}\" failures=\"{1}\">\n"
      "  <testsuite name=\"faultline guard\" tests=\"{0}\" failures=\"{1}\">\n{2}  </testsuite>\n</testsuites>\n",
      guarded.changes.size(), failures, cases);
}

std::string guardGithub(const Guarded& guarded) {
  std::string out;
  const std::string name = printableName(guarded.name);
  const SiteGrowth* const blamed = lineToBlame(guarded);
  const std::string culprits = whereGrown(guarded);
  const std::string place =
      blamed == nullptr ? "" : fmt::format("file={},line={},", inWorkflow(blamed->site.file, true), blamed->site.line);
  for (const StatChange& change : guarded.changes)
    if (change.verdict == StatVerdict::Worse)
      out +=
          fmt::format("::error {}title={}::{}\n", place, inWorkflow("Faultline: " + name, true),
                      inWorkflow(name + ": " + changeText(change) + (culprits.empty() ? "" : ". " + culprits), false));
  for (const SiteGrowth& growth : guarded.callSites)
    if (&growth != blamed && growth.faults > 0 && growth.site.line > 0)
      out +=
          fmt::format("::warning file={},line={},title={}::{}\n", inWorkflow(growth.site.file, true), growth.site.line,
                      inWorkflow("Faultline: " + name, true), inWorkflow(growthText(growth, guarded.pageBytes), false));
  for (const std::string& note : guardNotes(guarded)) out += "::notice::" + inWorkflow(note, false) + "\n";
  return out;
}

}  // namespace faultline

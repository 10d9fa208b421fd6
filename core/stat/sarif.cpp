// SARIF 2.1.0 (OASIS): what code scanning shows at the lines of a pull request.
#include <nlohmann/json.hpp>
#include <string>

#include "core/stat/guard.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

// A path as the reference of a URI (RFC 3986).
std::string inUri(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~";
  std::string out;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    if (kPlain.find(letter) != std::string_view::npos) out += letter;
    else if (letter == '\\') out += '/';
    else out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out;
}

// A path from the root of the source tree is relative, as the readers of code scanning expect.
Json locationOf(const SiteGrowth& growth, std::uint64_t pageBytes) {
  const std::string uri = inUri(growth.site.file);
  const bool absolute = uri.starts_with('/') || uri.find("%3A/") == 1;
  Json artifact{{"uri", (absolute ? uri.starts_with('/') ? "file://" : "file:///" : "") + uri}};
  if (!absolute) artifact["uriBaseId"] = "%SRCROOT%";
  return {{"physicalLocation", {{"artifactLocation", artifact}, {"region", {{"startLine", growth.site.line}}}}},
          {"message", {{"text", growthText(growth, pageBytes)}}}};
}

}  // namespace

std::string guardSarif(const Guarded& guarded) {
  Json locations = Json::array();
  for (const SiteGrowth& growth : guarded.callSites)
    if (growth.faults > 0 && growth.site.line > 0) locations.push_back(locationOf(growth, guarded.pageBytes));
  Json rules = Json::array();
  Json results = Json::array();
  const std::string culprits = whereGrown(guarded);
  for (const StatChange& change : guarded.changes) {
    const StatField& named = kStatFields.at(change.figure);
    rules.push_back({{"id", named.name}, {"shortDescription", {{"text", std::string(named.title) + " grew"}}}});
    if (change.verdict != StatVerdict::Worse) continue;
    Json result{{"ruleId", named.name},
                {"ruleIndex", rules.size() - 1},
                {"level", "error"},
                {"message",
                 {{"text", printableName(guarded.name) + ": " + changeText(change) + "." +
                               (culprits.empty() ? "" : " " + culprits + ".")}}}};
    if (!locations.empty()) {
      result["locations"] = Json::array({locations.front()});
      Json related = locations;
      related.erase(0);
      if (!related.empty()) result["relatedLocations"] = related;
    }
    results.push_back(std::move(result));
  }
  const Json driver{{"name", "Faultline"}, {"rules", rules}};
  const Json run{{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", results}};
  return Json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({run})}}
             .dump(2) +
         "\n";
}

}  // namespace faultline

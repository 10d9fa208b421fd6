#include "core/stat/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/culprits/culprits.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::int64_t kFewFaults = 8;     // as of the figure of page faults: addresses differ from run to run
constexpr std::int64_t kShareOfMost = 20;  // sites that changed by less than this part of the largest are left out
constexpr std::size_t kMostGrowths = 3;    // of those that grew, and of those that shrank
constexpr std::size_t kMostSites = 10;

std::string_view lastPart(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string below(const std::string& root, const std::string& path) {
  const bool is = !root.empty() && path.size() > root.size() + 1 && path.starts_with(root) && path[root.size()] == '/';
  return is ? path.substr(root.size() + 1) : path;
}

// A fault gave the program a page, by zeroing or copying one.
bool givesPage(FaultKind kind) {
  return kind == FaultKind::FirstTouch || kind == FaultKind::TouchedAgain || kind == FaultKind::CopyOnWrite;
}

// The innermost caller that is the program's own and another function; null: none.
const StackFrame* callerOf(const CallStack& stack, const StackFrame* site) {
  for (const StackFrame* frame = site + 1; frame < stack.data() + stack.size(); ++frame)
    if (!frame->system && frame->function != site->function && frame->function != kTruncatedStack) return frame;
  return nullptr;
}

using Line = std::tuple<std::string_view, std::string_view, std::string_view>;  // module, function, its line

std::map<std::pair<Line, std::string>, SiteGrowth> byLine(const CallSites& sites, int sign,
                                                          std::map<std::pair<Line, std::string>, SiteGrowth> all) {
  for (const CallSite& site : sites.sites) {
    if (!site.program.empty()) continue;  // how much of it was read differs from run to run
    const bool numbered = site.source.empty() && site.line > 0;
    SiteGrowth& growth = all[{Line{site.module, site.function, site.source}, numbered ? siteName(site) : ""}];
    if (growth.site.faults == 0 || sign > 0) growth.site = site;
    growth.faults += sign * static_cast<std::int64_t>(site.faults);
    growth.pages += sign * static_cast<std::int64_t>(site.pages);
  }
  return all;
}

std::string placeText(const SiteGrowth& growth) {
  const std::string& caller = growth.site.caller;
  return "in " + siteName(growth.site) + (caller.empty() ? "" : ", called by " + caller);
}

std::string touchedText(const SiteGrowth& growth, std::uint64_t pageBytes) {
  if (growth.pages == 0 || (growth.pages > 0) != (growth.faults > 0)) return {};
  const auto bytes = static_cast<std::uint64_t>(std::abs(growth.pages)) * pageBytes;
  return fmt::format(": at least {} {} touched", formatBytes(bytes), growth.pages > 0 ? "more" : "less");
}

std::string changeOf(const SiteGrowth& growth) {
  const auto count = static_cast<std::uint64_t>(std::abs(growth.faults));
  return (growth.each ? "" : "≈ ") + formatCount(count) + (growth.faults > 0 ? " more" : " fewer");
}

}  // namespace

void SiteCount::add(const FaultSample& sample, const std::string& program) {
  m_faults += sample.weight;
  const bool gives = givesPage(m_kinds.next(sample));
  const CallStack stack = stackOf(sample.calls);
  const StackFrame* const frame = culpritFrame(stack);
  if (frame == nullptr) return;
  const bool named = !frame->function.empty();
  Counted& counted = m_sites[{program, frame->module, frame->function, frame->file, named ? frame->line : 0}];
  CallSite& site = counted.site;
  if (site.faults == 0) {
    site.program = printableName(program);
    site.function = printableName(frame->function);
    site.module = printableName(lastPart(frame->module));
    if (named && frame->line > 0 && !frame->file.empty()) {
      site.file = printableName(below(m_root, frame->file));
      site.line = frame->line;
      site.source = printableName(m_read(frame->file, frame->line));
    }
  }
  const bool timed = sample.took && (site.faults == 0 || site.time);
  site.time = timed ? std::optional(site.time.value_or(Nanoseconds(0)) + timeOf(sample)) : std::nullopt;
  site.faults += sample.weight;
  if (gives) site.pages += sample.weight;
  if (sample.major) site.majors += sample.weight;
  if (const StackFrame* const caller = callerOf(stack, frame)) counted.callers[lineName(*caller)] += sample.weight;
}

CallSites SiteCount::found() const {
  CallSites found{.faults = m_faults};
  for (const auto& [key, counted] : m_sites) {
    CallSite site = counted.site;
    const auto most = std::ranges::max_element(counted.callers, {}, [](const auto& caller) { return caller.second; });
    if (most != counted.callers.end()) site.caller = most->first;
    found.sites.push_back(std::move(site));
  }
  std::ranges::stable_sort(found.sites, std::greater(), &CallSite::faults);
  return found;
}

std::string siteName(const CallSite& site) {
  const std::string name = !site.function.empty() ? site.function : site.module.empty() ? "unknown code" : site.module;
  const std::string place = site.line > 0 ? fmt::format(" ({}:{})", lastPart(site.file), site.line) : "";
  return name + place + (site.program.empty() ? "" : " in " + site.program);
}

std::vector<SiteGrowth> siteGrowths(const CallSites& before, const CallSites& after) {
  std::vector<SiteGrowth> all;
  std::int64_t most = kFewFaults * kShareOfMost;
  for (const auto& [line, growth] : byLine(after, 1, byLine(before, -1, {}))) {
    all.push_back(growth);
    all.back().each = before.each && after.each;
    most = std::max(most, std::abs(growth.faults));
  }
  std::erase_if(all, [&](const SiteGrowth& growth) { return std::abs(growth.faults) <= most / kShareOfMost; });
  std::ranges::stable_sort(all, std::greater(), &SiteGrowth::faults);
  std::vector<SiteGrowth> growths;
  for (std::size_t i = 0; i < all.size() && i < kMostGrowths && all[i].faults > 0; ++i) growths.push_back(all[i]);
  for (std::size_t i = 0; i < all.size() && i < kMostGrowths && all[all.size() - 1 - i].faults < 0; ++i)
    growths.push_back(all[all.size() - 1 - i]);
  return growths;
}

std::string growthText(const SiteGrowth& growth, std::uint64_t pageBytes) {
  return changeOf(growth) + " page faults " + placeText(growth) + touchedText(growth, pageBytes);
}

std::string growthText(const std::vector<SiteGrowth>& growths, std::uint64_t pageBytes, double faults) {
  std::string text;
  const double allowed = std::max(static_cast<double>(kFewFaults), faults / 100);
  for (const SiteGrowth& growth : growths) {
    const bool all = growths.size() == 1 && std::abs(static_cast<double>(growth.faults) - faults) <= allowed;
    text += text.empty() ? changeOf(growth) + " page faults" + (all ? ", all " : " ") : "; " + changeOf(growth) + " ";
    text += placeText(growth) + touchedText(growth, pageBytes);
  }
  return text;
}

std::vector<std::vector<std::string>> siteRows(const CallSites& sites, std::uint64_t pageBytes) {
  const std::string about = sites.each ? "" : "≈ ";
  const bool majors = std::ranges::any_of(sites.sites, [](const CallSite& site) { return site.majors > 0; });
  const bool timed = std::ranges::any_of(sites.sites, [](const CallSite& site) { return site.time.has_value(); });
  const bool pages = std::ranges::any_of(sites.sites, [&](const CallSite& site) { return site.pages * pageBytes > 0; });
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::vector<std::string> counts, std::string major, std::string time, std::string touched,
                       std::string site, std::string line) {
    if (majors) counts.push_back(std::move(major));
    if (timed) counts.push_back(std::move(time));
    if (pages) counts.push_back(std::move(touched));
    counts.push_back(std::move(site));
    counts.push_back(std::move(line));
    rows.push_back(std::move(counts));
  };
  add({"page faults", "share"}, "major", "time", "touched", "call site", "line");
  for (const CallSite& site : sites.sites) {
    if (rows.size() > kMostSites) break;
    const double share =
        static_cast<double>(site.faults) / static_cast<double>(std::max(sites.faults, std::uint64_t{1}));
    add({about + formatCount(site.faults), formatPercent(share)}, about + formatCount(site.majors),
        site.time ? about + formatDuration(*site.time) : "", "≥ " + formatBytes(site.pages * pageBytes), siteName(site),
        site.source);
  }
  return rows;
}

}  // namespace faultline

#include "core/trial/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/text/quantity.h"

namespace faultline {
namespace {

// The lines of a text; its last one may be cut, and is left out then.
std::vector<std::string_view> linesOf(const TrialSample& run) {
  std::vector<std::string_view> lines;
  std::string_view text = run.output;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && run.output.size() < run.outputBytes) break;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool continues(std::string_view text, std::size_t at) {  // a character that began before
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
}

// The part of a line around `at`.
std::string around(std::string_view line, std::size_t at) {
  constexpr std::size_t kBefore = 24;
  constexpr std::size_t kLength = 60;
  std::size_t begin = at > kBefore && line.size() > kLength ? at - kBefore : 0;
  while (begin > 0 && continues(line, begin)) --begin;
  std::size_t end = std::min(line.size(), begin + kLength);
  while (continues(line, end)) ++end;
  return (begin > 0 ? "…" : "") + printableName(line.substr(begin, end - begin)) + (end < line.size() ? "…" : "");
}

std::string quoted(const std::optional<std::string>& line) {
  return line ? "“" + *line + "”" : "no line";
}

}  // namespace

bool sameOutput(const TrialSample& a, const TrialSample& b) {
  if (a.ended || b.ended) return true;
  return a.outputBytes == b.outputBytes && a.outputHash == b.outputHash;
}

void addRun(std::vector<TrialSample>& runs, TrialSample run) {
  const auto likeFirst = [&runs](const TrialSample& other) { return sameOutput(other, runs.front()); };
  const bool needed = runs.empty() || (std::ranges::all_of(runs, likeFirst) && !likeFirst(run));
  if (!needed) run.output = std::string();
  runs.push_back(std::move(run));
}

std::optional<OutputDifference> outputDifference(const TrialSample& plain, const std::vector<TrialSample>& runs) {
  const auto other = std::ranges::find_if(runs, [&](const TrialSample& run) { return !sameOutput(run, plain); });
  if (other == runs.end()) return std::nullopt;
  OutputDifference difference{.plainBytes = plain.outputBytes, .otherBytes = other->outputBytes};
  const std::vector<std::string_view> ours = linesOf(plain);
  const std::vector<std::string_view> theirs = linesOf(*other);
  // Where one text is cut and the other goes on, the lines beyond cannot be compared.
  const bool whole = plain.output.size() == plain.outputBytes && other->output.size() == other->outputBytes;
  const std::size_t count = whole ? std::max(ours.size(), theirs.size()) : std::min(ours.size(), theirs.size());
  for (std::size_t i = 0; i < count && difference.lines.size() < kShownLines; ++i) {
    const std::string_view mine = i < ours.size() ? ours[i] : std::string_view();
    const std::string_view its = i < theirs.size() ? theirs[i] : std::string_view();
    if (mine == its && i < ours.size() && i < theirs.size()) continue;
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(mine, its).in1 - mine.begin());
    OutputLine line{.number = i + 1};
    if (i < ours.size()) line.plain = around(mine, at);
    if (i < theirs.size()) line.other = around(its, at);
    difference.lines.push_back(std::move(line));
  }
  return difference;
}

std::string differenceText(const OutputDifference& difference) {
  if (difference.lines.empty())
    return fmt::format("{} become {}, with the same lines as far as they are kept", formatBytes(difference.plainBytes),
                       formatBytes(difference.otherBytes));
  std::string text;
  for (const OutputLine& line : difference.lines)
    text += fmt::format("{}line {}: {} becomes {}", text.empty() ? "" : "; ", line.number, quoted(line.plain),
                        quoted(line.other));
  return text;
}

}  // namespace faultline

#include "core/marks/function_pick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "core/text/function_name.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kShown = 6;
constexpr std::size_t kMinSimilarName = 4;  // letters; shorter names occur in too many others

using Functions = std::vector<const KnownFunction*>;
using Test = std::function<bool(const KnownFunction&)>;

struct Wanted {
  std::string_view name;
  std::string_view version;
};

// Splits "name@VERS" or "name@@VERS".
Wanted parse(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return {text, {}};
  const std::size_t version = text.find_first_not_of('@', at);
  return {text.substr(0, at), version == std::string_view::npos ? std::string_view() : text.substr(version)};
}

bool sameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}
bool holds(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), sameLetter) != text.end();
}

// The fewest letters to add, take away or replace that make `a` of `b`, in either case; at most `most` + 1.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = corner + (sameLetter(a[i], b[j]) ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, corner + 1});
    }
  }
  return std::min(row.back(), most + 1);
}
bool isTypo(std::string_view name, std::string_view key) {
  const std::size_t shorter = std::min(name.size(), key.size());
  const std::size_t most = std::min<std::size_t>(2, shorter / 3);
  return shorter >= kMinSimilarName && distance(name, key, most) <= most;
}

// Whether an identifier of a mangled C++ or Rust name passes the test: its length precedes it.
bool anyIdentifier(std::string_view symbol, const std::function<bool(std::string_view)>& test) {
  if (!symbol.starts_with("_Z") && !symbol.starts_with("_R")) return test(symbol);
  for (std::size_t at = 2; at < symbol.size();) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(symbol.data() + at, symbol.data() + symbol.size(), length);
    const auto begin = static_cast<std::size_t>(end - symbol.data());
    const bool fits = error == std::errc{} && length <= symbol.size() - begin;
    if (fits && test(symbol.substr(begin, length))) return true;
    at = std::max(at + 1, fits ? begin + length : begin);
  }
  return false;
}

const std::string& shown(const KnownFunction& function) {
  return function.readable.empty() ? function.symbol : function.readable;
}

// Keeps the functions that pass the test, unless none passes.
void prefer(Functions& functions, const Test& test) {
  Functions kept;
  for (const KnownFunction* function : functions)
    if (test(*function)) kept.push_back(function);
  if (!kept.empty()) functions = std::move(kept);
}

Functions fitting(std::span<const KnownFunction> functions, const Test& test) {
  Functions found;
  for (const KnownFunction& function : functions)
    if (test(function)) found.push_back(&function);
  prefer(found, [](const KnownFunction& function) { return !function.oldVersion; });
  prefer(found, [](const KnownFunction& function) { return function.global; });
  std::ranges::sort(found, {}, &KnownFunction::address);
  const auto same = [](const KnownFunction* a, const KnownFunction* b) { return a->address == b->address; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

Functions fitting(std::span<const KnownFunction> functions, const Wanted& wanted) {
  Functions found = fitting(functions, [&](const KnownFunction& function) {
    return function.symbol == wanted.name && (wanted.version.empty() || function.version == wanted.version);
  });
  if (!found.empty() || !wanted.version.empty()) return found;
  found = fitting(functions, [&](const KnownFunction& function) { return function.readable == wanted.name; });
  if (!found.empty()) return found;
  return fitting(functions, [&](const KnownFunction& function) {
    return !function.readable.empty() && bareFunctionName(function.readable) == wanted.name;
  });
}

template <class Names>
std::string listed(const Names& names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (count++ == kShown) return text + fmt::format(" and {} more", names.size() - kShown);
    text += (text.empty() ? "" : ", ") + printableName(name);
  }
  return text;
}

// The nearest first.
std::string notFoundText(std::span<const KnownFunction> functions, std::string_view wanted, std::string_view file) {
  std::set<std::string> near;
  for (const KnownFunction& function : functions)
    near.insert(function.version.empty() ? shown(function) : shown(function) + "@" + function.version);
  const std::string_view key = lastIdentifier(parse(wanted).name);
  std::vector<std::string> nearest(near.begin(), near.end());
  std::ranges::sort(nearest, {}, [&](const std::string& name) {
    const std::string_view bare = lastIdentifier(parse(name).name);
    return std::pair(distance(bare, key, std::max(bare.size(), key.size())), name);
  });
  const std::string hint = near.empty() ? "" : " Similar names: " + listed(nearest) + ".";
  return fmt::format("{} has no function '{}'.{}", file, printableName(wanted), hint);
}

tl::unexpected<Error> ambiguous(const Functions& functions, std::string_view wanted, std::string_view file) {
  std::set<std::string> names;
  for (const KnownFunction* function : functions) names.insert(shown(*function));
  const bool namesDiffer = names.size() == functions.size();
  if (!namesDiffer) names.clear();
  for (const KnownFunction* function : functions)
    if (!namesDiffer) names.insert(fmt::format("{} at 0x{:x}", shown(*function), function->address));
  const std::string how = namesDiffer ? "" : fmt::format(" by its address, such as 0x{:x}", functions.front()->address);
  return fail(fmt::format("{} has {} functions '{}': {}. Name one of them{}.", file, functions.size(),
                          printableName(wanted), listed(names), how));
}

}  // namespace

bool isRelevantName(std::string_view symbol, std::string_view wanted) {
  const std::string_view name = parse(wanted).name;
  const std::string_view key = lastIdentifier(name);
  if (symbol == name || key.empty()) return true;
  if (holds(symbol, key) || (symbol.size() >= kMinSimilarName && holds(key, symbol))) return true;
  return anyIdentifier(symbol, [&](std::string_view identifier) { return isTypo(identifier, key); });
}

Result<KnownFunction> pickFunction(std::span<const KnownFunction> functions, std::string_view wanted,
                                   std::string_view file, std::string_view ifNone) {
  const Functions found = fitting(functions, parse(wanted));
  if (found.empty()) return fail(notFoundText(functions, wanted, file) + std::string(ifNone));
  if (found.size() > 1) return ambiguous(found, wanted, file);
  if (found.front()->chosenAtStart)
    return fail(
        fmt::format("'{}' of {} is resolved to one of several functions when the program starts. Name the chosen one.",
                    printableName(wanted), file));
  return *found.front();
}

}  // namespace faultline

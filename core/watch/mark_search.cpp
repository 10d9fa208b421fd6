#include "core/watch/mark_search.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr auto kStartPatience = 10s;      // wait for any mark or function of a started program
constexpr auto kOwnPatience = 2s;         // wait for the own marks of a started program that has known functions
constexpr auto kRunningPatience = 500ms;  // wait for the own marks of a running program

constexpr std::size_t kAtOnce = 4;  // hardware breakpoints: functions watched at once without privileges

// Moves the function `ends` among the first kAtOnce: others before it go last, first those that `isOld`, which the game
// has not called.
template <class IsOld>
void keepAtOnce(std::vector<ProbePoint>& functions, const std::string& ends, IsOld isOld) {
  for (;;) {
    const auto last = std::ranges::find(functions, ends, &ProbePoint::name);
    if (last == functions.end() || last - functions.begin() < static_cast<std::ptrdiff_t>(kAtOnce)) return;
    const auto old = std::find_if(functions.begin(), last, isOld);
    const auto out = old != last ? old : std::prev(last);
    std::rotate(out, std::next(out), functions.end());
  }
}

// The function that a lookup has handed out takes the place of the lookup, unless it is known by name.
void replaceLookup(std::vector<ProbePoint>& functions, const ProbePoint& handedOut) {
  const auto lookup = std::ranges::find(functions, ProbeCalls::Lookups, &ProbePoint::calls);
  if (lookup == functions.end()) return;
  const bool known = std::ranges::any_of(functions, [&](const ProbePoint& function) {
    return function.file == handedOut.file && function.offset == handedOut.offset;
  });
  if (known) functions.erase(lookup);
  else *lookup = handedOut;
}

}  // namespace

MarkSearch::MarkSearch(MarkSource& source, std::uint32_t pid, MarkWishes wishes, Time now)
    : m_source(&source), m_pid(pid), m_wishes(std::move(wishes)), m_begun(now) {}

Result<std::optional<WatchChoice>> MarkSearch::look(Time now) {
  if (m_wishes.rate > 0) return watchAtRate(m_pid, m_wishes.rate);
  if (m_wishes.mark.empty()) return lookForAny(now);
  if (const auto function = parseFunctionName(m_wishes.mark)) return lookForFunction(*function, now);
  return lookForMark(now);
}

Result<FoundMarks> MarkSearch::lookAt(std::uint32_t pid) {
  auto found = m_source->look(pid);
  if (found && !m_wishes.presentMon.empty()) found->presentMon = m_wishes.presentMon;
  const auto handedOut = m_handedOut.find(pid);
  if (found && handedOut != m_handedOut.end()) replaceLookup(found->functions, handedOut->second);
  return found;
}

std::optional<WatchChoice> MarkSearch::handedOut(const WatchChoice& choice, const ProbePoint& function) {
  if (!mayChoose() || choice.by != FrameEnd::Function) return std::nullopt;
  m_handedOut[choice.pid] = function;
  const auto found = lookAt(choice.pid);
  if (!found || found->own) return std::nullopt;
  WatchChoice other = chooseWatch(choice.pid, m_source->nameOf(choice.pid), *found);
  return isTried(other) ? std::nullopt : std::optional(chosen(std::move(other)));
}

// An empty file name means the program, and a wrapper is another program than the game: wait for the game.
Result<std::optional<WatchChoice>> MarkSearch::lookForFunction(const FunctionName& wanted, Time now) {
  const bool wait = m_restarted || (m_wishes.started && !late(now, kStartPatience));
  std::optional<NotFound> why;
  for (const std::uint32_t pid : family()) {
    auto point = m_source->find(pid, wanted);
    if (point) return chosen(watchFunction(pid, std::move(*point)));
    if (!why || why->mayCome || !point.error().mayCome) why = point.error();
  }
  if (m_missing.empty() || !why->mayCome) m_missing = why->message;
  if (wait && (why->mayCome || wanted.file.empty())) return std::nullopt;
  return fail(why->message);
}

// After the wait the collector is started in any case, because it reports the missing mark best.
std::optional<WatchChoice> MarkSearch::lookForMark(Time now) {
  for (const std::uint32_t pid : family()) {
    const auto found = lookAt(pid);
    if (found && found->own) return chosen(watchOwnMarks(pid, m_wishes.mark));
  }
  if (m_restarted || (m_wishes.started && !late(now, kStartPatience))) return std::nullopt;
  return chosen(watchOwnMarks(m_pid, m_wishes.mark));
}

Result<std::optional<WatchChoice>> MarkSearch::lookForAny(Time now) {
  const auto family = lookAround();
  if (!family) return tl::unexpected(family.error());
  if (auto choice = chooseAmong(*family, now)) return chosen(std::move(*choice));
  if (m_restarted) return std::nullopt;
  const FoundMarks& found = family->front().found;
  if (!m_refusal.empty()) {
    if (m_wishes.started && !late(now, kOwnPatience)) return std::nullopt;
    const std::uint32_t pid = m_tried.empty() ? m_pid : m_tried.back().pid;
    return chosen(watchAtRate(pid, kAssumedRate, m_refusal));
  }
  const auto patience = m_wishes.started ? kStartPatience : found.ownExpected ? kRunningPatience : 0ms;
  if (!late(now, patience)) return std::nullopt;
  const std::uint32_t pid = family->front().pid;
  return chosen(chooseWatch(pid, m_source->nameOf(pid), found));
}

std::optional<WatchChoice> MarkSearch::chooseAmong(const std::vector<Looked>& family, Time now) {
  for (const auto& [pid, found] : family)
    if (found.own) return watchOwnMarks(pid);
  for (const auto& [pid, found] : family) {
    const auto patience = m_wishes.started ? kOwnPatience : kRunningPatience;
    const bool mayMark = found.ownExpected || (m_wishes.started && found.functions.empty());
    if (!found.calls() || !m_refusal.empty() || (mayMark && !late(now, patience))) continue;
    return chooseWatch(pid, m_source->nameOf(pid), found);
  }
  return std::nullopt;
}

std::optional<WatchChoice> MarkSearch::untried() {
  const auto family = lookAround();
  if (!family) return std::nullopt;
  for (const auto& [pid, found] : *family) {
    if (!found.own && (!found.calls() || !m_refusal.empty())) continue;
    const WatchChoice choice = chooseWatch(pid, m_source->nameOf(pid), found);
    if (!isTried(choice)) return chosen(choice);
  }
  return std::nullopt;
}

bool MarkSearch::isTried(const WatchChoice& choice) const {
  return std::ranges::any_of(m_tried, [&](const WatchChoice& tried) {
    return tried.pid == choice.pid && tried.by == choice.by && tried.functions == choice.functions;
  });
}

std::optional<WatchChoice> MarkSearch::better(const WatchChoice& choice, const std::string& ends, bool silent) {
  if (silent)
    if (auto again = inNewBuild(choice)) return again;
  if (!mayChoose()) return std::nullopt;
  if (silent || choice.by == FrameEnd::AssumedRate) return untried();
  auto found = lookAt(choice.pid);
  if (!found) return std::nullopt;
  if (found->own) return betterOwnMarks(choice);
  auto& functions = found->functions;
  const auto isOld = [&](const ProbePoint& function) { return std::ranges::count(choice.functions, function) > 0; };
  if (std::all_of(functions.begin(), std::ranges::find(functions, ends, &ProbePoint::name), isOld)) return std::nullopt;
  keepAtOnce(functions, ends, isOld);
  WatchChoice other = chooseWatch(choice.pid, m_source->nameOf(choice.pid), *found);
  return isTried(other) ? std::nullopt : std::optional(chosen(std::move(other)));
}

// A game may unload a library and load a new build of it in its place: the old one's functions are called no more.
std::optional<WatchChoice> MarkSearch::inNewBuild(const WatchChoice& choice) {
  if (choice.by != FrameEnd::Function) return std::nullopt;
  const auto found = lookAt(choice.pid);
  if (!found) return std::nullopt;
  const bool replaced = std::ranges::any_of(choice.functions, [&](const ProbePoint& function) {
    const auto before = m_files.find(function.file);
    const auto now = found->files.find(function.file);
    return before != m_files.end() && now != found->files.end() && now->second != before->second;
  });
  if (!replaced) return std::nullopt;
  const auto wanted = parseFunctionName(m_wishes.mark);
  if (!wanted) return chosen(chooseWatch(choice.pid, m_source->nameOf(choice.pid), *found));
  auto point = m_source->find(choice.pid, *wanted);
  return point ? std::optional(chosen(watchFunction(choice.pid, std::move(*point)))) : std::nullopt;
}

std::optional<WatchChoice> MarkSearch::searchAgain() {
  if (!mayChoose()) return std::nullopt;
  if (auto other = untried()) return other;
  if (m_tried.empty()) return std::nullopt;
  WatchChoice last = m_tried.back();
  m_tried.clear();
  if (last.functions.size() <= kAtOnce) {
    m_tried.push_back(std::move(last));
    return std::nullopt;
  }
  std::ranges::rotate(last.functions, last.functions.begin() + kAtOnce);
  return chosen(std::move(last));
}

std::optional<WatchChoice> MarkSearch::betterOwnMarks(const WatchChoice& choice) {
  const bool byOthers = choice.by == FrameEnd::Function || choice.by == FrameEnd::Log;
  if (!m_wishes.mark.empty() || !byOthers) return std::nullopt;
  WatchChoice own = watchOwnMarks(choice.pid);
  if (isTried(own)) return std::nullopt;
  const auto found = lookAt(choice.pid);
  return found && found->own ? std::optional(chosen(std::move(own))) : std::nullopt;
}

bool MarkSearch::refused(const std::string& reason, Time now) {
  if (!m_wishes.mark.empty() || m_tried.empty() || m_tried.back().by != FrameEnd::Function) return false;
  m_refusal = reason;
  m_begun = now;
  return true;
}

void MarkSearch::restart(Time now) {
  m_begun = now;
  m_restarted = true;
  m_tried.clear();
  m_handedOut.clear();
  m_missing.clear();
}

Nanoseconds MarkSearch::pause() const {
  return m_restarted ? 200ms : 20ms;
}

// The process itself first. A process that cannot be read is omitted, such as a wrapper of another user; if none can be
// read, that is an error.
Result<std::vector<MarkSearch::Looked>> MarkSearch::lookAround() {
  std::vector<Looked> looked;
  std::optional<Error> error;
  for (const std::uint32_t pid : family()) {
    auto found = lookAt(pid);
    if (found) looked.push_back({pid, std::move(*found)});
    else if (!error) error = found.error();
  }
  if (looked.empty()) return tl::unexpected(*error);
  return looked;
}

std::vector<std::uint32_t> MarkSearch::family() const {
  std::vector<std::uint32_t> pids{m_pid};
  const auto descendants = m_source->descendants(m_pid);
  pids.insert(pids.end(), descendants.begin(), descendants.end());
  return pids;
}

WatchChoice MarkSearch::chosen(WatchChoice choice) {
  if (auto found = lookAt(choice.pid)) m_files = std::move(found->files);
  m_tried.push_back(choice);
  return choice;
}

}  // namespace faultline

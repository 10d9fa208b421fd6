#include "core/advice/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text/quantity.h"
#include "core/trial/remedy.h"

namespace faultline {
namespace {

constexpr std::size_t kKinds = 8;

struct Words {
  std::string_view name;
  std::string_view cause;   // after "is for"
  std::string_view remedy;  // after the line of code
  std::string_view price;
  std::array<std::string_view, 2> tried;
};

// {0}: the memory's name; {1}: the bytes. `tried` reach memory of malloc alone.
constexpr std::array<Words, kKinds> kWords{
    Words{"keep",
          "memory that is touched again after it was given back",
          "keep it, or take it from a pool",
          "the memory stays taken; its peak does not grow",
          {"keep", "huge-keep"}},
    Words{"prefault",
          "memory that is touched for the first time",
          "populate at least {1} of it at load, by madvise(MADV_POPULATE_WRITE)",
          "loading takes that time, and {1} are taken from then on",
          {"prefault", "huge"}},
    Words{"one_piece",
          "new memory in mappings smaller than a huge page",
          "take it in one piece, aligned to 2 MiB, and advise it, by madvise(MADV_HUGEPAGE)",
          "memory is taken in pieces of 2 MiB",
          {"huge-keep", "advise"}},
    Words{"whole_huge",
          "single pages of large mappings that are touched again after they were given back, which splits huge pages",
          "give back whole multiples of 2 MiB, or keep the memory",
          "up to 2 MiB more stay taken for each part that is kept",
          {}},
    Words{
        "no_copies",
        "pages that are copied when they are written, because a child of fork() shares them, or because they were read "
        "before",
        "start children by posix_spawn(), exclude the memory by madvise(MADV_DONTFORK), or write it once at load",
        "the child does not see the memory",
        {}},
    Words{"populate_file",
          "pages of {0} that are not mapped yet",
          "map the file once and populate it at load, by madvise(MADV_POPULATE_READ or _WRITE), or read it ahead",
          "loading takes that time, and the pages stay mapped",
          {}},
    Words{"keep_device",
          "pages of the device mapping {0}",
          "map it once, populate it at load (MAP_POPULATE), and keep it mapped",
          "the device's memory stays mapped",
          {}},
    Words{"give_back_later",
          "",
          "keep the memory, or free it in another thread",
          "the memory is taken for longer",
          {"free-later", "keep"}}};

const Words& wordsOf(AdviceKind kind) {
  return kWords.at(static_cast<std::size_t>(kind));
}

std::string filled(std::string_view text, const Advice& advice) {
  const std::string memory = advice.memory.empty() ? "several files" : advice.memory;
  return fmt::format(fmt::runtime(text), memory, formatBytes(advice.bytes));
}

std::string causeText(const Advice& advice) {
  if (advice.kind == AdviceKind::GiveBackLater)
    return fmt::format("The {} worst frames wait while memory is given back", advice.frames);
  return fmt::format("{} of the {} of the {} worst frames {} for {}{}", formatPercent(advice.share),
                     advice.timed ? "time in faults" : "faults", advice.frames, advice.timed ? "is" : "are",
                     filled(wordsOf(advice.kind).cause, advice), advice.line.empty() ? "" : ", in " + advice.line);
}

// Huge pages save most of the faults, but not their zeroing.
std::string expectedText(const Advice& advice) {
  if (!advice.gain)
    return fmt::format("Expected: about {} of {} faults of such a frame; their time is unavailable.",
                       formatCount(static_cast<std::uint64_t>(std::llround(advice.share * advice.faults))),
                       formatCount(static_cast<std::uint64_t>(std::llround(advice.faults))));
  const std::string about = advice.kind == AdviceKind::OnePiece ? "up to " : "about ";
  const std::string paid =
      advice.paid ? fmt::format(" Delayed faults show that it pays {} of their time.", formatPercent(*advice.paid))
                  : "";
  if (advice.late)
    return fmt::format("Expected: {}{} of the {} by which such a frame is late.{}", about, formatDuration(*advice.gain),
                       formatDuration(advice.lateness), paid);
  return fmt::format("Expected: {}{} of such a frame, which is not late.{}", about, formatDuration(*advice.gain), paid);
}

bool isPlain(const std::string& word) {
  constexpr std::string_view kPlain = "/._-+,:=@%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
}

void addProgram(std::span<const std::string> program, std::vector<std::string>& words) {
  words.emplace_back("--");
  if (program.empty()) words.emplace_back("PROGRAM");
  words.insert(words.end(), program.begin(), program.end());
}

}  // namespace

std::string_view adviceName(AdviceKind kind) {
  return wordsOf(kind).name;
}

std::vector<std::string> remediesOf(const Advice& advice) {
  std::vector<std::string> names;
  if (advice.malloc == ServedByMalloc::No) return names;
  for (const std::string_view name : wordsOf(advice.kind).tried)
    if (!name.empty()) names.emplace_back(name);
  return names;
}

std::vector<std::string> tryCommand(const Advice& advice, std::span<const std::string> program) {
  const std::vector<std::string> remedies = remediesOf(advice);
  if (remedies.empty()) return {};
  std::vector<std::string> words{"faultline-cli", "try", "--frames"};
  for (const std::string& name : remedies) words.insert(words.end(), {"--with", name});
  if (advice.kind == AdviceKind::Prefault) {
    constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
    const std::uint64_t amount = std::clamp<std::uint64_t>((advice.bytes + kMiB - 1) / kMiB, 1, kMiB);
    words.insert(words.end(), {"--prefault", std::to_string(amount)});
  }
  addProgram(program, words);
  return words;
}

std::vector<std::string> tryCommand(std::span<const std::string> program) {
  std::vector<std::string> words{"faultline-cli", "try"};
  addProgram(program, words);
  return words;
}

std::string asTyped(std::span<const std::string> words) {
  std::string typed;
  for (const std::string& word : words) {
    typed += typed.empty() ? "" : " ";
    if (isPlain(word)) {
      typed += word;
      continue;
    }
    typed += '\'';
    for (const char letter : word) typed += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    typed += '\'';
  }
  return typed;
}

std::string adviceText(const Advice& advice) {
  const Words& words = wordsOf(advice.kind);
  return fmt::format("{}: {}. {} Price: {}.", causeText(advice), filled(words.remedy, advice), expectedText(advice),
                     filled(words.price, advice));
}

std::string adviceText(const Advice& advice, std::span<const std::string> program) {
  const std::vector<std::string> command = tryCommand(advice, program);
  if (!command.empty())
    return fmt::format("{} {}: {}", adviceText(advice),
                       advice.malloc == ServedByMalloc::Yes ? "Try" : "If malloc serves this memory, try",
                       printableName(asTyped(command)));
  const bool reachesMalloc = !wordsOf(advice.kind).tried.front().empty();
  return adviceText(advice) +
         (reachesMalloc ? " Malloc does not serve this memory: no remedy of 'faultline-cli try' reaches it." : "");
}

std::string adviceJson(const Advice& advice, std::span<const std::string> program) {
  using Json = nlohmann::ordered_json;
  const auto known = [](const std::optional<double>& value) { return value ? Json(std::llround(*value)) : Json(); };
  const std::vector<std::string> command = tryCommand(advice, program);
  const Json json{{"kind", adviceName(advice.kind)},
                  {"frames", advice.frames},
                  {"share", advice.share},
                  {"share_of", advice.timed ? "fault_time" : "faults"},
                  {"line", advice.line.empty() ? Json() : Json(printableName(advice.line))},
                  {"memory", advice.memory.empty() ? Json() : Json(printableName(advice.memory))},
                  {"bytes", advice.bytes},
                  {"faults_per_frame", advice.faults},
                  {"late", advice.late},
                  {"lateness_ns", std::llround(advice.lateness)},
                  {"cost_ns", known(advice.cost)},
                  {"expected_gain_ns", known(advice.gain)},
                  {"paid_share", advice.paid ? Json(*advice.paid) : Json()},
                  {"served_by_malloc",
                   advice.malloc == ServedByMalloc::Perhaps ? Json() : Json(advice.malloc == ServedByMalloc::Yes)},
                  {"remedies", remediesOf(advice)},
                  {"try", command.empty() ? Json() : Json(printableName(asTyped(command)))},
                  {"text", printableName(adviceText(advice, program))}};
  return json.dump();
}

}  // namespace faultline

// Question: what can be asked of a recording or of the running machine. One table has the questions and what each
// takes; the command line, the tools of an assistant and their JSON Schema follow it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/frames/judge.h"

namespace faultline {

inline constexpr std::size_t kMostRows = 1000;
inline constexpr Nanoseconds kShortestMeasurement = std::chrono::milliseconds(100);
inline constexpr Nanoseconds kLongestMeasurement = std::chrono::minutes(10);

enum class Ask : std::uint8_t { Summary, Processes, Spikes, Frames, Frame, Culprits };

struct Question {
  Ask ask = Ask::Summary;
  std::string file{};     // empty: the running machine
  std::uint32_t pid = 0;  // without a file: the game whose frames are watched; 0: none
  // Since the start of the recording, both included. Of processes: sweeps, each with the time since the one before; of
  // frames: their starts.
  Nanoseconds from = Nanoseconds::min();
  Nanoseconds to = Nanoseconds::max();
  std::size_t top = 10;                           // rows of each list, the largest first
  std::string by{};                               // empty: the first of QuestionKind::by
  std::string metric = "minor_faults";            // of kProcessFields
  std::optional<std::uint64_t> frame{};           // its number
  Nanoseconds budget = kDefaultBudget;            // of a frame
  Nanoseconds measure = std::chrono::seconds(2);  // the running machine for so long
};

enum class Takes : std::uint8_t { File, Pid, From, To, Top, By, Metric, Frame, Budget, Measure };
inline constexpr std::size_t kMostBy = 4;

struct QuestionKind {
  Ask ask;
  std::string_view name;
  std::string_view words;  // a phrase for help
  std::string_view about;  // sentences for an assistant
  std::uint32_t takes;     // a bit for each of Takes
  std::array<std::string_view, kMostBy> by{};

  [[nodiscard]] bool may(Takes what) const { return ((takes >> static_cast<unsigned>(what)) & 1U) != 0; }
};

[[nodiscard]] constexpr std::uint32_t takesBits(std::initializer_list<Takes> all) {
  std::uint32_t bits = 0;
  for (const Takes one : all) bits |= 1U << static_cast<unsigned>(one);
  return bits;
}

inline constexpr auto kQuestions = [] {
  using enum Takes;
  return std::to_array<QuestionKind>({
      {Ask::Summary, "summary", "what was measured, how well, and the sums",
       "What a recording or the running machine holds: machine and kernel, page size, begin and end, sums, losses, and "
       "for each number its unit and quality. Of a game: counts of late frames, percentiles and advice.",
       takesBits({File, From, To, Budget, Measure})},
      {Ask::Processes,
       "processes",
       "the processes, programs or services that cost most",
       "The processes (by: process), programs (by: program), or services and containers (by: service) with the most of "
       "a metric, ended ones included: sums over the time asked for, levels at its end and at their highest. Not of a "
       "game's recording.",
       takesBits({File, From, To, Top, By, Metric, Measure}),
       {"process", "program", "service"}},
      {Ask::Spikes, "spikes", "bursts that stand out, the heaviest first",
       "Bursts of page-fault cost that stand out against the process's own past: when, whose, how much. Not of a "
       "game's "
       "recording.",
       takesBits({File, From, To, Top, Measure})},
      {Ask::Frames, "frames", "the worst frames of a game",
       "The worst frames of a game, recorded or watched now: number, time, deadline, verdict in words, what the thread "
       "spent the frame "
       "on, and the main culprit. Frames late because of memory come first.",
       takesBits({File, Pid, From, To, Top, Budget, Measure})},
      {Ask::Frame, "frame", "all about one frame, with call stacks",
       "Why one frame of a recorded game was late: all its numbers, the verdict in words, what its thread spent the "
       "frame on, and its page faults by code, mapping, thread and kind, with call stacks.",
       takesBits({File, Top, Frame, Budget})},
      {Ask::Culprits,
       "culprits",
       "whose page faults hurt frames",
       "What caused the page faults of the frames that they hurt: by culprit (line of the game's code), mapping, "
       "thread "
       "or kind, over the time asked for, or of one frame.",
       takesBits({File, Pid, From, To, Top, By, Frame, Budget, Measure}),
       {"culprit", "mapping", "thread", "kind"}},
  });
}();

[[nodiscard]] const QuestionKind& kindOf(Ask ask);
[[nodiscard]] const QuestionKind* questionNamed(std::string_view name);  // null: there is none
[[nodiscard]] bool ofFrames(Ask ask);                                    // of a game alone

// Error: a choice that the question does not have, or one that it lacks.
[[nodiscard]] Result<void> checkQuestion(const Question& question);

// JSON Schema of the arguments, an object: file, pid, from_s, to_s, top, by, metric, frame, budget_ms, measure_s.
[[nodiscard]] nlohmann::ordered_json argumentSchema(const QuestionKind& kind);
// Error: an argument that the question does not take, or of another type or range.
[[nodiscard]] Result<Question> questionFrom(const QuestionKind& kind, const nlohmann::json& arguments);

// The begin of each answer: {schema, ask, file, remark, units}. `remark`: why a recording was not read whole.
inline constexpr int kAnswerSchema = 1;
[[nodiscard]] nlohmann::ordered_json answerHead(const Question& question, const std::string& remark);
// JSON Schema of what all answers have; schema.h has all of each.
[[nodiscard]] nlohmann::ordered_json briefAnswerSchema();

}  // namespace faultline

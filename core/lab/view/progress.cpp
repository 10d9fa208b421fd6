#include "core/lab/view/progress.h"

#include <fmt/format.h>

#include <charconv>

namespace faultline {
namespace {

constexpr std::string_view kProcess = "process ";
constexpr std::string_view kTurn = "turn ";
constexpr std::string_view kOf = " of ";

template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> shareDone(std::string_view text) {
  if (!text.starts_with(kTurn)) return std::nullopt;
  text.remove_prefix(kTurn.size());
  const std::size_t of = text.find(kOf);
  if (of == std::string_view::npos) return std::nullopt;
  const auto turn = whole<unsigned>(text.substr(0, of));
  const auto turns = whole<unsigned>(text.substr(of + kOf.size()));
  if (!turn || !turns || *turn == 0 || *turn > *turns) return std::nullopt;
  return static_cast<double>(*turn - 1) / *turns;
}

}  // namespace

std::string labTurnText(int turn, int turns) {
  return turn == 0 ? "warming up" : fmt::format("{}{}{}{}", kTurn, turn, kOf, turns);
}

std::string labProcessText(std::uint32_t pid) {
  return fmt::format("{}{}", kProcess, pid);
}

std::string labProgressLine(std::string_view experiment, std::string_view text) {
  return fmt::format("{}: {}", experiment, text);
}

std::optional<LabProgress> parseLabProgress(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == 0 || colon == std::string_view::npos || line.substr(0, colon).find(' ') != std::string_view::npos)
    return std::nullopt;
  const std::string_view text = line.substr(colon + 2);
  LabProgress progress{.experiment = std::string(line.substr(0, colon)), .text = std::string(text)};
  if (text.starts_with(kProcess)) progress.pid = whole<std::uint32_t>(text.substr(kProcess.size()));
  progress.done = shareDone(text);
  return progress;
}

}  // namespace faultline

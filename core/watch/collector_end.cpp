#include "core/watch/collector_end.h"

#include <fmt/format.h>

#include "core/text/printable_text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

// Why, and what helps; empty: unknown.
std::string whyKilled(const CollectorKill& kill) {
  constexpr int kKilled = 9;
  constexpr int kTerminated = 15;
  constexpr int kBadCall = 31;
  if (kill.signal == kTerminated) return "It was asked to end before it had begun to measure.";
  if (kill.signal == kBadCall)
    return "Its own filter of system calls has ended it: report this with the output of 'faultline-cli doctor'.";
  if (kill.signal != kKilled) return {};
  if (kill.memoryWent)
    return "The system has ended processes for want of memory meanwhile: give it more, or raise the limit of its "
           "control group.";
  if (kill.silent < kLongestStandstill) return {};
  return fmt::format(
      "It had sent nothing for {}: a collector with probes in a game ends when it is stopped for {}, so that they do "
      "not stay.",
      formatDuration(kill.silent), formatDuration(kLongestStandstill));
}

}  // namespace

// A crash on Windows has a code with the highest bit set (NTSTATUS), which is usually written in hexadecimal.
std::string endedWith(int code) {
  return code >= 0 ? fmt::format("ended with code {}", code)
                   : fmt::format("ended with code 0x{:08X}", static_cast<std::uint32_t>(code));
}

CollectorEnd collectorEnd(std::string_view how, std::string_view errors, const CollectorKill& kill,
                          std::string_view who, std::string_view advice) {
  constexpr std::string_view kName = "faultline-collector: ";
  std::string said = lastLine(errors);
  if (said.starts_with(kName)) said.erase(0, kName.size());
  std::string sentence = fmt::format("{} {}.", who, how);
  if (!said.empty()) sentence += fmt::format(" The collector said: “{}”", said);
  const std::string why = whyKilled(kill);
  if (const std::string_view last = why.empty() ? advice : why; !last.empty()) sentence.append(" ").append(last);
  return {.said = std::move(said), .sentence = std::move(sentence)};
}

}  // namespace faultline

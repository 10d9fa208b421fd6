#include "core/watch/collector_end.h"

#include <fmt/format.h>

#include "core/text/printable_text.h"

namespace faultline {

// A crash on Windows has a code with the highest bit set (NTSTATUS), which is usually written in hexadecimal.
std::string endedWith(int code) {
  return code >= 0 ? fmt::format("ended with code {}", code)
                   : fmt::format("ended with code 0x{:08X}", static_cast<std::uint32_t>(code));
}

CollectorEnd collectorEnd(std::string_view how, std::string_view errors, std::string_view who) {
  constexpr std::string_view kName = "faultline-collector: ";
  std::string said = lastLine(errors);
  if (said.starts_with(kName)) said.erase(0, kName.size());
  std::string sentence = fmt::format("{} {}.", who, how);
  if (!said.empty()) sentence += fmt::format(" The collector said: “{}”", said);
  return {.said = std::move(said), .sentence = std::move(sentence)};
}

}  // namespace faultline

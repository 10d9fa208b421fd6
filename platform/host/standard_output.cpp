#include "platform/host/standard_output.h"

#include "core/text/printable_text.h"
#include "platform/host/terminal.h"

namespace faultline {

Result<void> StandardOutput::write(std::string_view text) {
  return isTerminal(StandardStream::Output) ? writeUnescaped(printableText(text)) : writeUnescaped(text);
}

void writeToStandardError(std::string_view text) {
  if (isTerminal(StandardStream::Error)) writeToStandardErrorUnescaped(printableText(text));
  else writeToStandardErrorUnescaped(text);
}

}  // namespace faultline

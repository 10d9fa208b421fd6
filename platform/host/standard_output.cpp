#include "platform/host/standard_output.h"

#include "core/text/printable_text.h"
#include "platform/host/terminal.h"

namespace faultline {

Result<void> StandardOutput::write(std::string_view text) {
  return isTerminal(StandardStream::Output) ? writeAsIs(printableText(text)) : writeAsIs(text);
}

void writeToStandardError(std::string_view text) {
  if (isTerminal(StandardStream::Error)) writeToStandardErrorAsIs(printableText(text));
  else writeToStandardErrorAsIs(text);
}

}  // namespace faultline

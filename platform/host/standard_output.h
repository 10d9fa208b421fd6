// StandardOutput: writes data to standard output. Errors name the system's reason. If the reader takes nothing for 2 s,
// Signals have their usual effect again until it does.
#pragma once

#include <streambuf>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

class StandardOutput {
 public:
  // Writes all of the text or fails; after a failure a part may have been written. On a terminal, control characters
  // and bidirectional overrides are escaped, because names and texts come from other programs.
  [[nodiscard]] Result<void> write(std::string_view text);
  [[nodiscard]] Result<void> writeUnescaped(std::string_view bytes);  // without escaping
  [[nodiscard]] bool readerGone() const { return m_readerGone; }      // the write failed with EPIPE

 private:
  bool m_readerGone = false;
};

// StandardOutput as a stream buffer, without escaping. After a failure errno has the reason.
class StandardOutputBuffer final : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;

 private:
  StandardOutput m_out;
};

// Writes a message to standard error, escaped on a terminal as above. Failures are ignored.
void writeToStandardError(std::string_view text);
void writeToStandardErrorUnescaped(std::string_view text);

}  // namespace faultline

// StandardOutput: data on its way out. An error names the system's reason. Where the reader takes nothing for seconds,
// Signals have their usual effect on this program again.
#pragma once

#include <streambuf>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

class StandardOutput {
 public:
  // Writes all of it or fails. After a failure part of it may have been written. On a terminal, what would move its
  // cursor or turn the writing around is made visible instead: names and texts are from elsewhere.
  [[nodiscard]] Result<void> write(std::string_view text);
  [[nodiscard]] Result<void> writeAsIs(std::string_view bytes);
  [[nodiscard]] bool readerGone() const { return m_readerGone; }  // the failure was that nobody reads us any more

 private:
  bool m_readerGone = false;
};

// The same for what writes to a stream; the reason of a failure is left in errno.
class StandardOutputBuffer final : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;

 private:
  StandardOutput m_out;
};

// Words for a person, to standard error, on a terminal as above; whoever does not listen misses them.
void writeToStandardError(std::string_view text);
void writeToStandardErrorAsIs(std::string_view text);

}  // namespace faultline

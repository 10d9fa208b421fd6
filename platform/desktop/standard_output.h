// StandardOutput: data on its way out. An error names the system's reason.
#pragma once

#include <string_view>

#include "core/base/result.h"

namespace faultline {

class StandardOutput {
 public:
  // Writes all of it or fails. After a failure part of it may have been written.
  [[nodiscard]] Result<void> write(std::string_view text);
  [[nodiscard]] bool readerGone() const { return m_readerGone; }  // the failure was that nobody reads us any more

 private:
  bool m_readerGone = false;
};

}  // namespace faultline

// PresentMon: that program as a child, which traces the frames of one process by ETW and writes them as CSV. The child
// ends with this process, however that ends.
#pragma once

#include <windows.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "platform/system/windows/spawn.h"

namespace faultline {

class PresentMon {
 public:
  // `program`: an absolute path. Error: a sentence.
  [[nodiscard]] static Result<PresentMon> start(const std::filesystem::path& program, std::uint32_t pid);
  // Asks the child to end and waits for up to 0.7 s; then ends it, and its trace session.
  ~PresentMon();
  PresentMon(PresentMon&&) noexcept = default;
  PresentMon& operator=(PresentMon&&) = delete;

  [[nodiscard]] std::string read();             // what has come on its standard output
  [[nodiscard]] std::optional<DWORD> exited();  // its exit code; absent: it runs
  [[nodiscard]] const std::string& errors();    // the begin of its standard error

 private:
  PresentMon() = default;

  UniqueHandle m_slot;  // the right to the name of the session
  std::wstring m_session;
  UniqueHandle m_job;
  UniqueHandle m_output;
  UniqueHandle m_errors;
  std::string m_errorText;
  Spawned m_child;
};

}  // namespace faultline

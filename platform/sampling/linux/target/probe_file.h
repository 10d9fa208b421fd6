// ProbeFile: a file in which a probe is to stand, held open: the very one whose code the game has mapped. Open it as
// the game's own user, before any privilege is in effect. Errors: a sentence that says what else can be done.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class ProbeFile {
 public:
  // The target has `point.file` mapped as code, with the offset in it, and it is there still.
  [[nodiscard]] static Result<ProbeFile> open(const WatchTarget& target, const ProbePoint& point);

  // The same for what the target says it has at that address of its memory.
  [[nodiscard]] static Result<ProbeFile> openAt(const WatchTarget& target, std::uint64_t address);

  // What the kernel can be given in place of its path; good in this process, as long as this object lives.
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(m_file.get()); }
  [[nodiscard]] std::uint64_t offset() const { return m_offset; }
  [[nodiscard]] std::uint64_t address() const { return m_address; }  // where the game has that byte in its memory
  [[nodiscard]] const std::string& name() const { return m_name; }
  [[nodiscard]] ProbeCalls calls() const { return m_calls; }

 private:
  ProbeFile(UniqueFd file, const ProbePoint& point, std::uint64_t address);

  UniqueFd m_file;
  std::uint64_t m_offset;
  std::uint64_t m_address;
  std::string m_name;
  ProbeCalls m_calls;
};

}  // namespace faultline

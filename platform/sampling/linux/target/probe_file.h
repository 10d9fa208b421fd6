// ProbeFile: holds open the file for a probe: the same file whose code the game has mapped. Open it as the game's user,
// before any privilege is in effect. Errors: a sentence that names an alternative.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// The code that the target has mapped at this address; without a name. Error: none of a file.
[[nodiscard]] Result<ProbePoint> codeAt(const WatchTarget& target, std::uint64_t address);

class ProbeFile {
 public:
  // Error also if the target has not mapped this byte of `point.file` as code, or if the file is gone.
  [[nodiscard]] static Result<ProbeFile> open(const WatchTarget& target, const ProbePoint& point);

  // The same for the file and byte that the target has mapped at this address.
  [[nodiscard]] static Result<ProbeFile> openAt(const WatchTarget& target, std::uint64_t address);

  // A path to the file for the kernel; valid in this process while this object exists.
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(m_file.get()); }
  [[nodiscard]] std::uint64_t offset() const { return m_offset; }
  [[nodiscard]] std::uint64_t address() const { return m_address; }  // of that byte in the game's memory
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

// One value of each file, in order.
template <class Value>
[[nodiscard]] std::vector<std::decay_t<Value>> valuesOf(const std::vector<ProbeFile>& files,
                                                        Value (ProbeFile::*value)() const) {
  std::vector<std::decay_t<Value>> values;
  for (const ProbeFile& file : files) values.push_back((file.*value)());
  return values;
}

}  // namespace faultline

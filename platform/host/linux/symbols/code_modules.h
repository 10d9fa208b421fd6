// CodeModules: the code that a process has mapped, opened for libdwfl in the process's view of the file system, and
// kept after the process has ended.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "platform/host/linux/symbols/pe_images.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {

class CodeModules {
 public:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  // in the file; in an image of Windows, from its beginning in memory
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::string path;      // may be "[vdso]"; empty: generated at run time
    bool deleted = false;  // or replaced
    bool program = false;  // the process's program

    [[nodiscard]] bool sameFile(const Range& other) const {
      return device == other.device && inode == other.inode && begin - offset == other.begin - other.offset;
    }
  };

  // Error: a sentence; there is no such process, or it belongs to another user.
  [[nodiscard]] static Result<CodeModules> open(std::uint32_t pid);

  // Reads the mappings again. True: earlier results for some addresses are no longer valid.
  bool refresh();
  // The process's folder in /proc.
  [[nodiscard]] int process() const { return m_process.get(); }
  // Null: no code is known there.
  [[nodiscard]] const Range* at(std::uint64_t address) const;
  // Changes when refresh() returns true.
  [[nodiscard]] Dwfl* session() const { return m_session.get(); }

 private:
  struct EndSession {
    void operator()(Dwfl* session) const { dwfl_end(session); }
  };

  explicit CodeModules(ProcessFolder process);
  [[nodiscard]] std::vector<Range> mapped();
  [[nodiscard]] UniqueFd openFile(const Range& range) const;
  void begin();
  void report(const Range& range);

  ProcessFolder m_process;  // never another process
  PeImages m_images;
  std::vector<Range> m_ranges;  // in order of addresses
  std::unique_ptr<Dwfl, EndSession> m_session;
};

}  // namespace faultline

// FrameFiles: a game's frames into the files that were asked for, as they come. Errors name the file.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/culprits/culprits.h"
#include "core/frames/export.h"
#include "core/frames/tally.h"
#include "platform/host/standard_output.h"

namespace faultline {

class FrameFiles {
 public:
  // "-" is standard output. Whatever the file holds is gone with begin(), and not before.
  [[nodiscard]] Result<void> open(const std::string& file, FrameFormat format);

  // The call stacks of all frames' culprits, folded; written at the end.
  [[nodiscard]] Result<void> openFolded(const std::string& file);

  [[nodiscard]] Result<void> begin(const WatchedGame& watched);  // the first time; what is told later changes nothing
  [[nodiscard]] Result<void> add(const JudgedFrame& judged, const Culprits& culprits);
  [[nodiscard]] Result<void> flush();  // what add() has gathered
  [[nodiscard]] Result<void> end();
  [[nodiscard]] bool toStandardOutput() const;
  [[nodiscard]] bool readerGone() const { return m_out.readerGone(); }  // of standard output
  [[nodiscard]] bool none() const { return m_files.empty(); }

 private:
  struct File {
    std::string name;
    std::optional<FrameExport> writer;  // none: folded stacks
    std::ofstream stream;
    std::string text;  // not written yet
  };

  [[nodiscard]] Result<void> add(File file);
  [[nodiscard]] static Result<void> create(File& file);
  [[nodiscard]] Result<void> write(File& file);

  std::vector<File> m_files;
  StandardOutput m_out;
  CallTree m_stacks;
  bool m_begun = false;
};

}  // namespace faultline

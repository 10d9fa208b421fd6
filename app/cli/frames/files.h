// FrameFiles: writes a game's frames to the requested files as the frames arrive. Errors name the file.
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
  // "-" is standard output. begin() truncates the file; open() only checks that the file can be written.
  [[nodiscard]] Result<void> open(const std::string& file, FrameFormat format);

  // The folded call stacks of all frames' culprits; end() writes them.
  [[nodiscard]] Result<void> openFolded(const std::string& file);

  [[nodiscard]] Result<void> begin(const WatchedGame& watched);  // only the first call has an effect
  [[nodiscard]] Result<void> add(const JudgedFrame& judged, const Culprits& culprits);
  [[nodiscard]] Result<void> flush();  // writes the text buffered by add()
  [[nodiscard]] Result<void> end();
  [[nodiscard]] bool toStandardOutput() const;
  [[nodiscard]] bool readerGone() const { return m_out.readerGone(); }  // the reader of standard output closed it
  [[nodiscard]] bool none() const { return m_files.empty(); }

 private:
  struct File {
    std::string name;
    std::optional<FrameExport> writer;  // absent: folded call stacks
    std::ofstream stream;
    std::string text;  // buffered, not written yet
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

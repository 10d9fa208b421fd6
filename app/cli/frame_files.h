// FrameFiles: a game's frames into the files that were asked for, as they come. Errors name the file.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/frames/frame_export.h"
#include "platform/desktop/standard_output.h"

namespace faultline {

class FrameFiles {
 public:
  // "-" is standard output. Whatever the file held is gone.
  [[nodiscard]] Result<void> open(const std::string& file, FrameFormat format);

  [[nodiscard]] Result<void> begin(const WatchedGame& watched);
  [[nodiscard]] Result<void> add(const GameFrame& frame, const FrameVerdict& verdict);
  [[nodiscard]] Result<void> flush();  // what add() has gathered
  [[nodiscard]] Result<void> end();
  [[nodiscard]] bool toStandardOutput() const;

 private:
  struct File {
    std::string name;
    FrameExport writer;
    std::ofstream stream;
    std::string text;  // not written yet
  };

  [[nodiscard]] static Result<void> write(File& file);

  std::vector<File> m_files;
};

}  // namespace faultline

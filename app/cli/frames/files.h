// FrameFiles: writes a game's frames to the requested files as the frames arrive. After each write a file is a complete
// document, so that the file of a killed writer can be read. Errors name the file.
#pragma once

#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/culprits/culprits.h"
#include "core/frames/files/formats.h"
#include "core/frames/tally.h"
#include "platform/host/standard_output.h"

namespace faultline {

using FrameFormat = ExportFormat<FrameExporter>;

class FrameFiles {
 public:
  // "-" is standard output. begin() truncates the file; open() only checks that the file can be written. The format
  // outlives this object.
  [[nodiscard]] Result<void> open(const std::string& file, const FrameFormat& format);
  // Appends to `text`, which outlives this object, in place of a file.
  void openText(std::string& text, const FrameFormat& format) { openText(text, format.make()); }
  void openText(std::string& text, std::unique_ptr<FrameExporter> writer) {
    m_files.push_back(
        {.name = {}, .format = nullptr, .writer = std::move(writer), .stream = {}, .text = {}, .sink = &text});
  }

  [[nodiscard]] Result<void> begin(const ExportedGame& game);  // only the first call has an effect
  // All frames, or only those of the last game, are added once more, by other verdicts. Where earlier ones cannot be
  // taken back, as on standard output, they stay.
  [[nodiscard]] Result<void> beginAnew(const ExportedGame& game, bool all);
  [[nodiscard]] bool keepsEarlier() const;  // some stayed
  [[nodiscard]] Result<void> add(const JudgedFrame& judged, const Culprits& culprits, const SessionTotals& totals,
                                 std::span<const FaultSample> samples, std::string_view more = {});
  [[nodiscard]] Result<void> flush();  // writes the text buffered by add()
  // JSON, as of adviceJson() and delayJson(); Empty: there is none.
  [[nodiscard]] Result<void> end(const std::string& advice = {}, const std::string& delay = {});
  [[nodiscard]] bool toStandardOutput() const;
  [[nodiscard]] bool readerGone() const { return m_out.readerGone(); }  // the reader of standard output closed it
  [[nodiscard]] bool none() const { return m_files.empty(); }

 private:
  struct File {
    std::string name;
    const FrameFormat* format = nullptr;  // null: `writer` is the only one
    std::unique_ptr<FrameExporter> writer;
    std::ofstream stream;
    std::string text;             // buffered, not written yet
    std::string* sink = nullptr;  // in place of a file
    MonotonicTime from{};         // frames that begin earlier stay as they were written
    std::streamoff end = -1;  // of what is written, without closing(); -1: not a file in which the end can be replaced
  };

  [[nodiscard]] static Result<void> create(File& file);
  [[nodiscard]] Result<void> write(File& file, bool last = false);

  std::vector<File> m_files;
  StandardOutput m_out;
  bool m_begun = false;
  MonotonicTime m_end;  // of the last frame
};

}  // namespace faultline

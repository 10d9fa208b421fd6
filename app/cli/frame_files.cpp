#include "app/cli/frame_files.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{64} << 10U;

}  // namespace

Result<void> FrameFiles::open(const std::string& file, FrameFormat format) {
  m_files.push_back({.name = file, .writer = FrameExport(format), .stream = {}, .text = {}});
  if (file == "-") return {};
  m_files.back().stream.open(file, std::ios::binary | std::ios::trunc);
  return m_files.back().stream ? Result<void>() : fail(file + " cannot be written.");
}

Result<void> FrameFiles::write(File& file) {
  if (file.name == "-") {
    const auto written = StandardOutput().write(file.text);
    file.text.clear();
    return written;
  }
  file.stream << file.text << std::flush;
  file.text.clear();
  return file.stream ? Result<void>() : fail(file.name + " cannot be written any further.");
}

Result<void> FrameFiles::flush() {
  for (File& file : m_files)
    if (const auto written = write(file); !written) return written;
  return {};
}

Result<void> FrameFiles::begin(const WatchedGame& watched) {
  for (File& file : m_files) file.writer.begin(watched, file.text);
  return flush();
}

Result<void> FrameFiles::add(const GameFrame& frame, const FrameVerdict& verdict) {
  for (File& file : m_files) {
    file.writer.add(frame, verdict, file.text);
    if (file.text.size() < kWriteBytes) continue;
    if (const auto written = write(file); !written) return written;
  }
  return {};
}

Result<void> FrameFiles::end() {
  for (File& file : m_files) file.writer.end(file.text);
  return flush();
}

bool FrameFiles::toStandardOutput() const {
  return std::ranges::any_of(m_files, [](const File& file) { return file.name == "-"; });
}

}  // namespace faultline

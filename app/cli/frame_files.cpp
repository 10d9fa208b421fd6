#include "app/cli/frame_files.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{64} << 10U;

}  // namespace

Result<void> FrameFiles::open(const std::string& file, FrameFormat format) {
  return open({.name = file, .writer = FrameExport(format), .stream = {}, .text = {}});
}

Result<void> FrameFiles::openFolded(const std::string& file) {
  return open({.name = file, .writer = {}, .stream = {}, .text = {}});
}

Result<void> FrameFiles::open(File file) {
  m_files.push_back(std::move(file));
  File& opened = m_files.back();
  if (opened.name == "-") return {};
  opened.stream.open(opened.name, std::ios::binary | std::ios::trunc);
  return opened.stream ? Result<void>() : fail(opened.name + " cannot be written.");
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
  if (m_begun) return {};
  m_begun = true;
  for (File& file : m_files)
    if (file.writer) file.writer->begin(watched, file.text);
  return flush();
}

Result<void> FrameFiles::add(const JudgedFrame& judged, const Culprits& culprits) {
  const std::string culprit = culpritText(culprits, judged.frame.faults());
  if (culprits.stacks) addTree(m_stacks, culprits.tree);
  for (File& file : m_files) {
    if (!file.writer) continue;
    file.writer->add(judged.frame, judged.verdict, file.text, culprit);
    if (file.text.size() < kWriteBytes) continue;
    if (const auto written = write(file); !written) return written;
  }
  return {};
}

Result<void> FrameFiles::end() {
  sortTree(m_stacks);
  for (File& file : m_files) {
    if (file.writer) file.writer->end(file.text);
    else file.text = foldedText(m_stacks);
  }
  return flush();
}

bool FrameFiles::toStandardOutput() const {
  return std::ranges::any_of(m_files, [](const File& file) { return file.name == "-"; });
}

}  // namespace faultline

#include "app/cli/frames/files.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "app/cli/stream/writable.h"
#include "core/base/file_name.h"

namespace faultline {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{64} << 10U;

std::string reason() {
  return std::generic_category().message(errno);
}

}  // namespace

Result<void> FrameFiles::open(const std::string& file, const FrameFormat& format) {
  if (file != "-")
    if (const auto may = mayWrite(pathFromUtf8(file)); !may) return may;
  m_files.push_back({.name = file, .format = &format, .writer = format.make(), .stream = {}, .text = {}});
  return {};
}

Result<void> FrameFiles::create(File& file) {
  if (file.name == "-" || file.sink != nullptr) return {};
  const auto unblocked = signalsWhileOpening(pathFromUtf8(file.name));
  errno = 0;
  file.stream.open(pathFromUtf8(file.name), std::ios::binary | std::ios::trunc);
  if (!file.stream) return fail(file.name + " cannot be written: " + reason() + ".");
  if (std::error_code error; std::filesystem::is_regular_file(pathFromUtf8(file.name), error)) file.end = 0;
  return {};
}

Result<void> FrameFiles::write(File& file, bool last) {
  if (file.text.empty()) return {};
  std::string text = std::exchange(file.text, {});
  if (file.name == "-") return m_out.write(text);
  if (file.sink != nullptr) {
    *file.sink += text;
    return {};
  }
  errno = 0;
  if (file.end >= 0) {
    file.stream.seekp(file.end);
    file.end += static_cast<std::streamoff>(text.size());
    if (!last) text += file.writer->closing();
  }
  file.stream << text << std::flush;
  return file.stream ? Result<void>() : fail(file.name + " cannot be written any further: " + reason() + ".");
}

Result<void> FrameFiles::flush() {
  for (File& file : m_files)
    if (const auto written = write(file); !written) return written;
  return {};
}

Result<void> FrameFiles::begin(const ExportedGame& game) {
  if (m_begun) return {};
  m_begun = true;
  for (File& file : m_files) {
    if (const auto created = create(file); !created) return created;
    file.writer->begin(game, file.text);
  }
  return flush();
}

Result<void> FrameFiles::beginAnew(const ExportedGame& game, bool all) {
  for (File& file : m_files) {
    if (!all || file.end < 0) {
      file.from = m_end;
      continue;
    }
    file.stream.close();
    file.text.clear();
    file.writer = file.format->make();
    if (const auto created = create(file); !created) return created;
    file.writer->begin(game, file.text);
  }
  return flush();
}

bool FrameFiles::keepsEarlier() const {
  return std::ranges::any_of(m_files, [](const File& file) { return file.from != MonotonicTime{}; });
}

Result<void> FrameFiles::add(const JudgedFrame& judged, const Culprits& culprits, const SessionTotals& totals,
                             std::span<const FaultSample> samples, std::string_view more) {
  const std::string culprit = culpritText(culprits, judged.frame.faults());
  m_end = std::max(m_end, judged.frame.end());
  for (File& file : m_files) {
    if (judged.frame.start < file.from) continue;
    file.writer->add({judged.frame, judged.verdict, culprit, &culprits, totals, samples, more}, file.text);
    if (file.text.size() < kWriteBytes) continue;
    if (const auto written = write(file); !written) return written;
  }
  return {};
}

Result<void> FrameFiles::end(const std::string& advice, const std::string& delay) {
  for (File& file : m_files) {
    file.writer->conclude(advice, delay);
    file.writer->end(file.text);
    if (const auto written = write(file, true); !written) return written;
  }
  return {};
}

bool FrameFiles::toStandardOutput() const {
  return std::ranges::any_of(m_files, [](const File& file) { return file.name == "-"; });
}

}  // namespace faultline

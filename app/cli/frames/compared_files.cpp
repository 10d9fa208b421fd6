#include "app/cli/frames/compared_files.h"

#include <array>
#include <fstream>
#include <utility>

#include "app/cli/frames/watch.h"
#include "core/base/file_name.h"
#include "core/base/file_text.h"
#include "core/lab/view/text.h"
#include "core/recording/recording.h"
#include "core/stat/text.h"
#include "core/stream/wire.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

Result<ComparedFile> framesOf(const std::filesystem::path& path, Nanoseconds budget) {
  auto recording = RecordingFile::open(path);
  if (!recording) return tl::unexpected(recording.error());
  std::string text;
  FrameFiles files;
  files.openText(text, kFrameFormats[0]);
  FrameWatch watch({.budget = budget}, std::move(files));
  watch.replay(path, 0ns, Nanoseconds::max());
  for (;;) {
    const auto event = recording->next();
    if (!event) return tl::unexpected(event.error());
    if (const auto taken = watch.take(streamEvent(*event)); !taken) return tl::unexpected(taken.error());
    if (std::holds_alternative<RecordingEnd>(*event)) break;
  }
  if (const auto finished = watch.finish(); !finished) return tl::unexpected(finished.error());
  return ComparedFile(FramesCsv{std::move(text)});
}

Result<ComparedFile> sweepsOf(const std::filesystem::path& path) {
  auto recording = RecordingFile::open(path);
  if (!recording) return tl::unexpected(recording.error());
  SweepSum sum;
  for (;;) {
    const auto event = recording->next();
    if (!event) return tl::unexpected(event.error());
    if (const auto* const hello = std::get_if<Hello>(&*event)) sum.add(*hello);
    if (const auto* const snapshot = std::get_if<const Snapshot*>(&*event)) sum.add(**snapshot);
    if (std::holds_alternative<RecordingEnd>(*event)) return ComparedFile(sum.totals());
  }
}

}  // namespace

Result<ComparedFile> readCompared(const std::string& name, Nanoseconds budget) {
  const std::filesystem::path path = pathFromUtf8(name);
  std::string begin(wire::kMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (file && begin == wire::kMagic) return recordsFrames(path) ? framesOf(path, budget) : sweepsOf(path);
  auto text = fileText(path);
  if (!text) return fail(name + " " + text.error().message);
  if (!text->starts_with('{') && !text->starts_with('[')) return ComparedFile(FramesCsv{*std::move(text)});
  if (auto lab = parseLabJson(*text)) return ComparedFile(std::move(*lab));
  auto report = parseStat(*text);
  if (!report) return fail(name + " " + report.error().message);
  return ComparedFile(std::move(*report));
}

std::string kindOf(const ComparedFile& file) {
  constexpr std::array<const char*, 4> kKinds{"the frames of a game", "a result of stat", "sweeps of processes",
                                              "results of the lab"};
  return kKinds.at(file.index());
}

}  // namespace faultline

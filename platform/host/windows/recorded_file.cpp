#include "platform/host/recorded_file.h"

#include <system_error>
#include <utility>

namespace faultline {

// The file inherits the access rights of its folder.
Result<void> makeRecorded(const std::filesystem::path& path, Existing existing) {
  std::error_code ignored;
  if (existing == Existing::Keep && std::filesystem::is_regular_file(path, ignored))
    return fail(path.string() + " exists meanwhile. Name another file.");
  return {};
}

Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello, Existing existing) {
  if (auto made = makeRecorded(path, existing); !made) return tl::unexpected(std::move(made.error()));
  return RecordingWriter::create(path, hello);
}

}  // namespace faultline

#include "platform/host/recorded_file.h"

#include <system_error>

namespace faultline {

// The file inherits the access rights of its folder.
Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello, Existing existing) {
  std::error_code ignored;
  if (existing == Existing::Keep && std::filesystem::is_regular_file(path, ignored))
    return fail(path.string() + " exists meanwhile. Name another file.");
  return RecordingWriter::create(path, hello);
}

}  // namespace faultline

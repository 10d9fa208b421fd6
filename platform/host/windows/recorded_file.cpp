#include "platform/host/recorded_file.h"

namespace faultline {

// Who may read a file is what its folder says.
Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello) {
  return RecordingWriter::create(path, hello);
}

}  // namespace faultline

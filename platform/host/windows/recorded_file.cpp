#include "platform/host/recorded_file.h"

namespace faultline {

// The file inherits the access rights of its folder.
Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello) {
  return RecordingWriter::create(path, hello);
}

}  // namespace faultline

#include "platform/host/recorded_file.h"

#include <cstdint>
#include <fstream>
#include <span>
#include <system_error>

#include "core/base/file_name.h"
#include "core/stream/encoder.h"

namespace faultline {
namespace {

constexpr std::uintmax_t kLeast = 64;  // bytes: a shorter file ends in its Hello, and what follows would not be read

// A device may have no end.
bool append(const std::filesystem::path& from, std::ofstream& out) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(from, none) || std::filesystem::file_size(from, none) < kLeast) return true;
  std::ifstream in(from, std::ios::binary);
  if (in) out << in.rdbuf();
  return out.good();
}

bool writeWhole(const std::filesystem::path& file, const std::filesystem::path& copy) {
  std::ofstream out(copy, std::ios::binary | std::ios::trunc);
  if (!append(beforeOf(file), out) || !append(file, out)) return false;
  Encoder encoder;
  const std::span<const std::byte> end = encoder.end();
  out.write(reinterpret_cast<const char*>(end.data()), static_cast<std::streamsize>(end.size()));
  out.close();
  return out.good();
}

}  // namespace

std::filesystem::path beforeOf(const std::filesystem::path& file) {
  std::filesystem::path before = file;
  before += ".before";
  return before;
}

Result<RecordingWriter> turnRing(const std::filesystem::path& file, const Hello& hello) {
  std::error_code error;
  std::filesystem::rename(file, beforeOf(file), error);
  if (error)
    return fail(nameInUtf8(file) + " cannot be renamed to " + nameInUtf8(beforeOf(file)) + ": " + error.message() +
                ".");
  return createRecording(file, hello, Existing::Keep);
}

Result<void> copyRing(const std::filesystem::path& file, const std::filesystem::path& copy) {
  if (auto made = makeRecorded(copy, Existing::Keep); !made) return made;
  if (writeWhole(file, copy)) return {};
  std::error_code ignored;
  std::filesystem::remove(copy, ignored);
  return fail(nameInUtf8(copy) + " cannot be written. Make room, then try again.");
}

}  // namespace faultline

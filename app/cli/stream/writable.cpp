#include "app/cli/stream/writable.h"

#include <fmt/chrono.h>

#include <cerrno>
#include <ctime>
#include <fstream>
#include <system_error>

#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "platform/host/terminal.h"

namespace faultline {

using std::filesystem::file_type;

std::string nameByTime(const std::string& stem) {
  return fmt::format("{}-{:%Y%m%d-%H%M%S}.faultline", stem, fmt::localtime(std::time(nullptr)));
}

Result<void> mayWrite(const std::filesystem::path& file) {
  std::error_code ignored;
  const file_type type = std::filesystem::status(file, ignored).type();
  if (type == file_type::directory) return fail(file.string() + " is a folder. Name a file in it.");
  if (type != file_type::regular && type != file_type::not_found) return {};  // opening a FIFO would wake its reader
  errno = 0;
  std::filebuf trial;
  const bool opened = trial.open(file, std::ios::out | std::ios::binary | std::ios::app) != nullptr;
  const int error = errno;
  trial.close();
  if (opened && type == file_type::not_found)  // canonical(): remove the target, not a link to it
    std::filesystem::remove(std::filesystem::canonical(file, ignored), ignored);
  if (opened) return {};
  return fail(file.string() + " cannot be written: " + std::generic_category().message(error) +
              ". Choose another place.");
}

std::unique_ptr<DefaultSignals> signalsWhileOpening(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_fifo(file, ignored) ? std::make_unique<DefaultSignals>() : nullptr;
}

Result<void> mayRecord(const std::filesystem::path& file, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::is_regular_file(file, ignored))
    return fail(file.string() + " exists. Overwrite it with --force, or name another file.");
  if (!force && std::filesystem::is_symlink(file, ignored) && !std::filesystem::exists(file, ignored))
    return fail(file.string() +
                " is a link to a file that does not exist. Create that file with --force, or name another.");
  return mayWrite(file);
}

Result<void> mayRecordRing(const std::filesystem::path& file, bool force) {
  if (auto may = mayRecord(beforeOf(file), force); !may) return may;
  return mayRecord(file, force);
}

void copyRingBeside(const std::filesystem::path& file) {
  std::filesystem::path copy = file;
  copy.replace_filename(pathFromUtf8(nameByTime(nameInUtf8(file.stem()))));
  const auto copied = copyRing(file, copy);
  say(copied ? "Copied to " + nameInUtf8(copy) + "." : copied.error().message);
}

Result<void> mayRecordTo(const std::string& file, bool force) {
  if (file != "-") return mayRecord(pathFromUtf8(file), force);
  if (!isTerminal(StandardStream::Output)) return {};
  return fail("Standard output is a terminal. Name a file with -o, or redirect standard output.");
}

Result<RecordingWriter> beginRecording(const std::filesystem::path& file, Existing existing,
                                       StandardOutputBuffer& standardOutput, const Hello& hello) {
  const auto unblocked = signalsWhileOpening(file);
  return file == "-" ? RecordingWriter::onto(standardOutput, "standard output", hello)
                     : createRecording(file, hello, existing);
}

}  // namespace faultline

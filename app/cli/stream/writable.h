// Names a recording by the time, checks whether a file can be written, before anything is measured or started, and
// begins it. The checks leave the file unchanged.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/recording/writer.h"
#include "platform/host/recorded_file.h"
#include "platform/host/signals.h"
#include "platform/host/standard_output.h"

namespace faultline {

// STEM-DATE-TIME.faultline, by local time.
[[nodiscard]] std::string nameByTime(const std::string& stem);

// Error: the file cannot be written, for this reason.
[[nodiscard]] Result<void> mayWrite(const std::filesystem::path& file);
// As mayWrite(). Unless `force` is set, also fails if a regular file exists, or a link to a file that does not:
// somebody else may have laid it, to have a file written that he may not write.
[[nodiscard]] Result<void> mayRecord(const std::filesystem::path& file, bool force);
// The same of both files of a ring.
[[nodiscard]] Result<void> mayRecordRing(const std::filesystem::path& file, bool force);
// The same of a name as typed, of which - is standard output, and no terminal.
[[nodiscard]] Result<void> mayRecordTo(const std::string& file, bool force);

// Opening a FIFO blocks until a reader opens it: while this object lives, signals end the program as usual. Null unless
// the file is a FIFO.
[[nodiscard]] std::unique_ptr<DefaultSignals> signalsWhileOpening(const std::filesystem::path& file);
// Copies what both files of a ring hold now to a recording beside them, named by the time, and says so or why not.
void copyRingBeside(const std::filesystem::path& file);
// Begins a recording in the file, or, if it is -, in `standardOutput`.
[[nodiscard]] Result<RecordingWriter> beginRecording(const std::filesystem::path& file, Existing existing,
                                                     StandardOutputBuffer& standardOutput, const Hello& hello);

}  // namespace faultline

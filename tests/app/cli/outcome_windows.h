// The remains of a program that ended: its output, and files in a folder of the test.
#pragma once

#include <windows.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/host/child_process.h"
#include "platform/host/programs.h"
#include "tests/support/read_all.h"
#include "tests/support/scratch_folder.h"

namespace faultline::test {

struct Outcome {
  std::string output;
  std::string errors;
  int code = 0;
};

// One of Faultline's programs, without input.
inline ChildProcess startBuilt(const std::string& program, std::vector<std::string> words) {
  auto child = ChildProcess::start({.program = executableFolder() / (program + ".exe"),
                                    .arguments = std::move(words),
                                    .output = ChildStream::Pipe,
                                    .errors = ChildStream::Pipe,
                                    .quietInput = true});
  REQUIRE(child);
  return std::move(*child);
}

// Waits before reading: the output on standard error fits into a pipe.
inline Outcome finished(ChildProcess child) {
  Outcome outcome;
  outcome.output = readAll(child, &ChildProcess::readOutput);
  outcome.errors = readAll(child, &ChildProcess::readErrors);
  outcome.code = child.wait().shellCode();
  return outcome;
}

// Removed at the end. Under Wine a child's files may stay open shortly after its end.
struct FilesFolder {
  std::filesystem::path path = makeScratchFolder();

  FilesFolder() = default;
  ~FilesFolder() {
    std::error_code error;
    for (int i = 0; i < 500 && (std::filesystem::remove_all(path, error), error); ++i) ::Sleep(10);
  }
  FilesFolder(const FilesFolder&) = delete;
  FilesFolder& operator=(const FilesFolder&) = delete;
};

inline std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace faultline::test

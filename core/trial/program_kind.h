// The kind of a program file: its loader decides which remedies can reach it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace faultline {

struct ProgramKind {
  enum class Form {
    Unknown,  // no program of this machine
    Script,   // `interpreter` runs it ("#!")
    Static,   // without a loader
    Dynamic,  // `interpreter` is its loader
  };
  Form form = Form::Unknown;
  std::string interpreter{};
  bool wide = false;           // 64-bit
  bool readsTunables = false;  // glibc: its loader is glibc's, or glibc's start code is linked into it

  bool operator==(const ProgramKind&) const = default;
};

// `file` is the whole file, or its beginning with the program headers.
[[nodiscard]] ProgramKind programKind(std::span<const std::byte> file);

}  // namespace faultline

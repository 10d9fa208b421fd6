#include "core/trial/program_kind.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <string_view>

using namespace faultline;

namespace {

ProgramKind kindOf(std::string_view text) {
  return programKind({reinterpret_cast<const std::byte*>(text.data()), text.size()});
}

template <class T>
void put(std::string& file, std::size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

// A 64-bit program of this machine with one program header of this type.
std::string elf(std::uint32_t type, std::string_view rest) {
  const std::uint16_t one = 1;
  const bool little = *reinterpret_cast<const unsigned char*>(&one) == 1;
  std::string file(64 + 56, '\0');
  file.replace(0, 4,
               "\x7f"
               "ELF");
  file[4] = 2;
  file[5] = little ? 1 : 2;
  put(file, 32, std::uint64_t{64});
  put(file, 54, std::uint16_t{56});
  put(file, 56, std::uint16_t{1});
  put(file, 64, type);
  put(file, 64 + 8, std::uint64_t{file.size()});
  return file.append(rest);
}

constexpr std::uint32_t kInterpreter = 3;
using enum ProgramKind::Form;

}  // namespace

TEST_CASE("A program's loader tells whether it is glibc's") {
  const std::string glibc = elf(kInterpreter, std::string_view("/lib64/ld-linux-x86-64.so.2\0more", 32));
  CHECK(kindOf(glibc) == ProgramKind{Dynamic, "/lib64/ld-linux-x86-64.so.2", true, true});
  const ProgramKind musl = kindOf(elf(kInterpreter, std::string_view("/lib/ld-musl-x86_64.so.1\0", 25)));
  CHECK(musl.form == Dynamic);
  CHECK_FALSE(musl.readsTunables);
}

// glibc's start code reads GLIBC_TUNABLES in programs that are linked statically, too.
TEST_CASE("A static program reads tunables if glibc's start code is in it") {
  CHECK(kindOf(elf(1, "")) == ProgramKind{Static, "", true, false});
  CHECK(kindOf(elf(1, "...GLIBC_TUNABLES...")) == ProgramKind{Static, "", true, true});
}

TEST_CASE("A script names the program that runs it") {
  CHECK(kindOf("#!/bin/sh\necho").interpreter == "/bin/sh");
  CHECK(kindOf("#! /usr/bin/python3 -u\n").interpreter == "/usr/bin/python3");
  CHECK(kindOf("#!/usr/bin/env python3\n").interpreter == "python3");
  CHECK(kindOf("#!/usr/bin/env -S A=1 python3 -u\n").interpreter == "python3");
  CHECK(kindOf("#!/usr/bin/env").interpreter == "/usr/bin/env");
  CHECK(kindOf("#!").form == Script);
}

TEST_CASE("A file that is cut or no program is unknown, and no byte beyond it is read") {
  CHECK(kindOf("") == ProgramKind{});
  CHECK(kindOf("MZ and so on") == ProgramKind{});
  const std::string whole = elf(kInterpreter, "/lib/ld-linux.so.2");
  for (std::size_t size = 0; size < whole.size(); ++size) static_cast<void>(kindOf(whole.substr(0, size)));
  std::string wild = whole;
  put(wild, 32, ~std::uint64_t{0});
  CHECK(kindOf(wild).form == Static);
  wild = whole;
  put(wild, 64 + 8, ~std::uint64_t{0});
  CHECK(kindOf(wild).interpreter.empty());
}

#include "core/base/file_name.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("A file's name is UTF-8 everywhere, and any bytes at all where names are bytes") {
  CHECK(fileNamed("grün 🦀.faultline").u8string() == u8"grün 🦀.faultline");
  CHECK(fileNamed("a/b").filename().u8string() == u8"b");
  CHECK(fileNamed("-") == "-");
  if constexpr (sizeof(std::filesystem::path::value_type) == 1) CHECK(fileNamed("\xff\xfe") == "\xff\xfe");
}

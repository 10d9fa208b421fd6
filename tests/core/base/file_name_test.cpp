#include "core/base/file_name.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("File names are UTF-8; invalid UTF-8 is kept where names are bytes") {
  CHECK(fileNamed("grün 🦀.faultline").u8string() == u8"grün 🦀.faultline");
  CHECK(fileNamed("a/b").filename().u8string() == u8"b");
  CHECK(fileNamed("-") == "-");
  if constexpr (sizeof(std::filesystem::path::value_type) == 1) CHECK(fileNamed("\xff\xfe") == "\xff\xfe");
}

#include "core/base/file_name.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("File names are UTF-8; invalid UTF-8 is kept where names are bytes") {
  CHECK(pathFromUtf8("grün 🦀.faultline").u8string() == u8"grün 🦀.faultline");
  CHECK(pathFromUtf8("a/b").filename().u8string() == u8"b");
  CHECK(pathFromUtf8("-") == "-");
  if constexpr (sizeof(std::filesystem::path::value_type) == 1) CHECK(pathFromUtf8("\xff\xfe") == "\xff\xfe");
}

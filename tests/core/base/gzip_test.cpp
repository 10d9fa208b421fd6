#include "core/base/gzip.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace faultline;

TEST_CASE("gzip has its bytes in blocks of at most 65535, and their checksum") {
  const std::string header("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);
  CHECK(gzipOf("") == header + std::string("\1\0\0\xFF\xFF\0\0\0\0\0\0\0\0", 13));
  CHECK(gzipOf("123456789") ==
        header + std::string("\1\x09\0\xF6\xFF", 5) + "123456789" + std::string("\x26\x39\xF4\xCB\x09\0\0\0", 8));
  const std::string large = gzipOf(std::string(65'536, 'a'));
  CHECK(large.size() == 10 + 5 + 65'535 + 5 + 1 + 8);
  CHECK(large.substr(10, 5) == std::string("\0\xFF\xFF\0\0", 5));
  CHECK(large.substr(10 + 5 + 65'535, 6) == std::string("\1\1\0\xFE\xFF\x61", 6));
}

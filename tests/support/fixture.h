// Recorded bytes from tests/fixtures.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace faultline::test {

[[nodiscard]] inline std::string fixture(const std::string& path) {
  std::ifstream file(std::string(FAULTLINE_FIXTURES) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace faultline::test

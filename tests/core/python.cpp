#include "tests/core/python.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace faultline::test {
namespace {

std::filesystem::path uniquePath() {
  std::random_device random;
  return std::filesystem::temp_directory_path() / ("faultline-test-" + std::to_string(random()));
}

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

std::optional<std::string> runPython(std::string_view script, std::string_view input) {
  if (std::system("python3 -c pass") != 0) return std::nullopt;
  const auto in = uniquePath();
  const auto out = uniquePath();
  std::ofstream(in, std::ios::binary) << input;
  const std::string path = FAULTLINE_FIXTURES "/../core/" + std::string(script);
  const int status = std::system(("python3 " + path + " " + in.string() + " > " + out.string()).c_str());
  std::string printed = contents(out);
  std::filesystem::remove(in);
  std::filesystem::remove(out);
  INFO(printed);
  REQUIRE(status == 0);
  return printed;
}

}  // namespace faultline::test

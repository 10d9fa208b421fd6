#include "core/parse/machine_text.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"

using namespace faultline;

TEST_CASE("os-release gives the pretty name with any quoting") {
  CHECK(prettyName(test::fixture("linux/os_release")) == "Debian GNU/Linux 12 (bookworm)");
  CHECK(prettyName("NAME=x\nPRETTY_NAME=Alpine\n") == "Alpine");
  CHECK(prettyName("PRETTY_NAME='single quoted'\n") == "single quoted");
  CHECK(prettyName("PRETTY_NAME=\"with \\\"quotes\\\"\"\n") == "with \"quotes\"");
  CHECK(prettyName("PRETTY_NAME=\"\n") == "\"");
  CHECK(prettyName("NAME=x\n").empty());
}

TEST_CASE("cpuinfo gives the model if the architecture has one") {
  CHECK(processorName(test::fixture("linux/cpuinfo")) == "Intel(R) Xeon(R) Processor");
  CHECK(processorName("processor\t: 0\nBogoMIPS\t: 50.00\n").empty());
  CHECK(processorName("model name\t:\n").empty());
}

TEST_CASE("machine texts cut at any byte, against a guard page") {
  for (const char* file : {"linux/os_release", "linux/cpuinfo"}) {
    const std::string text = test::fixture(file);
    for (std::size_t size = 0; size <= text.size(); ++size) {
      const test::GuardedText cut(std::string_view(text).substr(0, size));
      const std::string name = prettyName(cut.view()) + processorName(cut.view());
      CHECK((name.empty() || name == prettyName(text) + processorName(text)));
    }
  }
}

#include "tests/app/cli/shell_linux.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "platform/host/child_process.h"
#include "tests/support/read_all.h"
#include "tests/support/scratch_folder.h"

namespace faultline::test {

Shell::Shell() : folder(makeScratchFolder()) {}

Shell::~Shell() {
  std::filesystem::remove_all(folder);
}

Outcome Shell::run(const std::string& script) const {
  const std::string setup = "PATH='" FAULTLINE_BIN "':$PATH; cd '" + folder.string() + "'; ";
  auto child = ChildProcess::start({.program = "bash",
                                    .arguments = {"-o", "pipefail", "-c", setup + script},
                                    .output = ChildStream::Pipe,
                                    .quietInput = true});
  REQUIRE(child);
  Outcome outcome;
  outcome.output = readAll(*child, &ChildProcess::readOutput);
  outcome.code = child->wait().shellCode();
  return outcome;
}

void Shell::file(const std::string& name, const std::string& text) const {
  std::ofstream(folder / name) << text;
}

}  // namespace faultline::test

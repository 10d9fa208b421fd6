// A shell with the built programs in PATH, in a temporary folder that the destructor removes.
#pragma once

#include <filesystem>
#include <string>

namespace faultline::test {

struct Outcome {
  std::string output;
  int code = 0;
};

struct Shell {
  std::filesystem::path folder;
  Shell();
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  [[nodiscard]] Outcome run(const std::string& script) const;
  void file(const std::string& name, const std::string& text) const;
};

}  // namespace faultline::test

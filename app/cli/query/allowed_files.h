// AllowedFiles: the recordings that an assistant may ask, by the files and folders that a person has named. Links are
// followed first, so that none leads out of a folder.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace faultline {

class AllowedFiles {
 public:
  // Error: one of them does not exist.
  [[nodiscard]] static Result<AllowedFiles> of(const std::vector<std::string>& names);
  // The file's own path. Error: it is no file that may be read, whether it exists or not.
  [[nodiscard]] Result<std::filesystem::path> find(const std::string& name) const;
  // {files: [{name, bytes, holds}], more}: `holds` is "sweeps" or "frames", null of a file that is no recording. Below
  // folders: files that end in .faultline; looks at some thousands of files, and lists some hundreds.
  [[nodiscard]] nlohmann::ordered_json list() const;

 private:
  struct Root {
    std::filesystem::path name;   // as a person wrote it
    std::filesystem::path whole;  // without links
    bool folder = false;
  };

  std::vector<Root> m_roots;
};

}  // namespace faultline

// PeImages: the programs and libraries of Windows (PE) that Wine has loaded. Wine maps an image's header from the file,
// but copies sections that the file does not align to pages into memory without a name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/parse/proc_maps.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {

struct PeImage {
  std::uint64_t begin = 0;  // in memory
  std::uint64_t end = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string path;
};

class PeImages {
 public:
  void restart() { m_image.reset(); }
  // Call it for all mappings of a list, in its order, after restart(). Returns the image that contains the mapping,
  // valid until the next call; null if there is none. `process`: the process.
  [[nodiscard]] const PeImage* around(const ProcMapping& mapping, const ProcessFolder& process);

 private:
  struct Bytes {
    std::uint64_t file = 0;
    std::uint64_t image = 0;  // in memory; 0: the file is no image
  };
  [[nodiscard]] static Bytes read(const std::string& path, const ProcessFolder& process);
  // Of the image in memory, if the mapping begins one; else 0.
  [[nodiscard]] std::uint64_t bytesOf(const PeImage& image, const ProcMapping& mapping, const ProcessFolder& process);

  std::optional<PeImage> m_image;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Bytes> m_known;  // by device and inode
};

}  // namespace faultline

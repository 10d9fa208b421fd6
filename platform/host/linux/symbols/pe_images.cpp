#include "platform/host/linux/symbols/pe_images.h"

#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "platform/system/posix/regular_file.h"

namespace faultline {
namespace {

constexpr std::array kExtensions{".exe", ".dll", ".drv", ".ocx", ".cpl", ".acm", ".ax", ".sys"};

bool mayBePe(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot != std::string::npos &&
         std::ranges::any_of(kExtensions, [&](const char* one) { return strcasecmp(path.c_str() + dot, one) == 0; });
}

// As little-endian machines store it; Wine runs on no others.
template <class Number>
std::optional<Number> numberAt(int file, std::uint64_t place) {
  Number number = 0;
  if (pread(file, &number, sizeof number, static_cast<off_t>(place)) != sizeof number) return std::nullopt;
  return number;
}

// SizeOfImage in the headers that the "PE Format" of Microsoft describes; 0 if the file has none.
std::uint64_t imageBytes(int file) {
  constexpr std::uint16_t kDos = 0x5a4d;
  constexpr std::uint32_t kPe = 0x4550;
  const auto header = numberAt<std::uint32_t>(file, 0x3c);
  if (numberAt<std::uint16_t>(file, 0) != kDos || !header || numberAt<std::uint32_t>(file, *header) != kPe) return 0;
  return numberAt<std::uint32_t>(file, std::uint64_t{*header} + 24 + 56).value_or(0);
}

}  // namespace

PeImages::Bytes PeImages::read(const std::string& path, const ProcessFolder& process) {
  const UniqueFd file = openRegularFile(process.get(), process.pathOf("root" + path));
  struct stat status{};
  if (!file || fstat(file.get(), &status) != 0) return {};
  return {.file = static_cast<std::uint64_t>(status.st_size), .image = imageBytes(file.get())};
}

const PeImage* PeImages::around(const ProcMapping& mapping, const ProcessFolder& process) {
  if (mapping.inode != 0 && mapping.offset == 0) {
    PeImage image{.begin = mapping.begin,
                  .device = std::uint64_t{mapping.deviceMajor} << 32U | mapping.deviceMinor,
                  .inode = mapping.inode,
                  .path = mappedPath(mapping.name)};
    const std::uint64_t bytes = mayBePe(image.path) ? bytesOf(image, mapping, process) : 0;
    image.end = image.begin + bytes;
    if (bytes > 0) m_image = std::move(image);
  }
  const bool inside = m_image && mapping.begin >= m_image->begin && mapping.end <= m_image->end;
  const bool own = mapping.inode == 0 ? mapping.name.empty() : m_image && mapping.inode == m_image->inode;
  return inside && own ? &*m_image : nullptr;
}

std::uint64_t PeImages::bytesOf(const PeImage& image, const ProcMapping& mapping, const ProcessFolder& process) {
  const auto [known, isNew] = m_known.try_emplace({image.device, image.inode});
  if (isNew) known->second = read(image.path, process);
  const bool asData = mapping.end - mapping.begin >= known->second.file;  // from its first to its last byte
  return asData ? 0 : known->second.image;
}

}  // namespace faultline

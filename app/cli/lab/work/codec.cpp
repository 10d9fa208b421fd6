#include "app/cli/lab/work/codec.h"

#include <zlib.h>

namespace faultline {
namespace {

const Bytef* bytesOf(std::span<const std::byte> data) {
  return reinterpret_cast<const Bytef*>(data.data());
}

}  // namespace

Result<std::vector<std::byte>> compressed(std::span<const std::byte> text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::vector<std::byte> packed(size);
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, bytesOf(text), static_cast<uLong>(text.size()), 1) !=
      Z_OK)
    return fail("zlib could not compress the text.");
  packed.resize(size);
  return packed;
}

bool decompress(std::span<const std::byte> packed, std::span<std::byte> text) {
  auto size = static_cast<uLongf>(text.size());
  return uncompress(reinterpret_cast<Bytef*>(text.data()), &size, bytesOf(packed), static_cast<uLong>(packed.size())) ==
             Z_OK &&
         size == text.size();
}

}  // namespace faultline

// The compiled programs.bpf.c, an ELF object; made by embed.cmake.
#pragma once

#include <cstddef>

namespace faultline {

struct BpfBytes {
  const unsigned char* data;
  std::size_t size;
};

extern const BpfBytes kBpfBytes;

}  // namespace faultline

// The compiled programs, an ELF object each; made by embed.cmake.
#pragma once

#include <cstddef>

namespace faultline {

struct BpfBytes {
  const unsigned char* data;
  std::size_t size;
};

extern const BpfBytes kBpfBytes;          // programs.bpf.c
extern const BpfBytes kWatchBpfBytes;     // watch.bpf.c
extern const BpfBytes kIdentifyBpfBytes;  // identify.bpf.c

}  // namespace faultline

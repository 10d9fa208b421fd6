// Reads a child's pipe to the end.
#pragma once

#include <array>
#include <string>

#include "platform/host/child_process.h"

namespace faultline::test {

inline std::string readAll(ChildProcess& child, std::size_t (ChildProcess::*read)(std::span<std::byte>)) {
  std::string all;
  std::array<std::byte, 65536> buffer{};
  while (const std::size_t got = (child.*read)(buffer)) all.append(reinterpret_cast<const char*>(buffer.data()), got);
  return all;
}

}  // namespace faultline::test

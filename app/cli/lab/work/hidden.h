#pragma once

namespace faultline {

// Hides a pointer's origin from the compiler, which otherwise would drop or merge allocations and writes.
template <class T>
[[nodiscard]] T* hidden(T* pointer) {
  T* volatile seen = pointer;
  return seen;
}

}  // namespace faultline

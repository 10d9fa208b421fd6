// Looks up functions that some versions of Windows or Wine lack, in a loaded library, by name. A program that links
// such a function does not start where it is missing.
#pragma once

#include <windows.h>

namespace faultline {

// nullptr: not found. F is the function's type, with its calling convention.
template <class F>
[[nodiscard]] F* libraryFunction(const wchar_t* library, const char* name) {
  const HMODULE module = ::GetModuleHandleW(library);
  if (module == nullptr) return nullptr;
  return reinterpret_cast<F*>(reinterpret_cast<void*>(::GetProcAddress(module, name)));
}

}  // namespace faultline

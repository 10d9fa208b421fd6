// Functions that not every Windows, or Wine, has: looked up in a library that is loaded already, by name. A program
// that links one of them does not start where it is missing.
#pragma once

#include <windows.h>

namespace faultline {

// nullptr: there is none. F is the type of the function, with its calling convention.
template <class F>
[[nodiscard]] F* libraryFunction(const wchar_t* library, const char* name) {
  const HMODULE module = ::GetModuleHandleW(library);
  if (module == nullptr) return nullptr;
  return reinterpret_cast<F*>(reinterpret_cast<void*>(::GetProcAddress(module, name)));
}

}  // namespace faultline

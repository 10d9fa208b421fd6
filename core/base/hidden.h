// Hidden: owns an object whose type only a source file knows. Its owner is moved, not copied, and needs no destructor.
#pragma once

#include <memory>
#include <utility>

namespace faultline {

template <class T>
using Hidden = std::unique_ptr<T, void (*)(T*)>;

template <class T, class... Arguments>
[[nodiscard]] Hidden<T> makeHidden(Arguments&&... arguments) {
  return {new T(std::forward<Arguments>(arguments)...), [](T* object) { delete object; }};
}

}  // namespace faultline

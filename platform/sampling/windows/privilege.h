// The Windows side of platform/sampling/lockdown.h: the privileges of this process's token, by their names
// (SE_..._NAME).
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace faultline {

// The privileges that measuring can use: SeDebugPrivilege opens the zero-page threads, SeProfileSingleProcessPrivilege
// reads SystemMemoryListInformation.
inline constexpr const wchar_t* kDebugPrivilege = L"SeDebugPrivilege";
inline constexpr const wchar_t* kProfilePrivilege = L"SeProfileSingleProcessPrivilege";

struct Privilege {
  std::wstring name;
  bool inEffect = false;

  bool operator==(const Privilege&) const = default;
};

// All privileges of this process, in effect or not.
[[nodiscard]] Result<std::vector<Privilege>> privileges();
[[nodiscard]] bool inEffect(const wchar_t* privilege);

// Enables or disables those of `names` that this process has.
[[nodiscard]] Result<void> enablePrivileges(std::initializer_list<const wchar_t*> names, bool enable);
// Removes all other privileges for good.
[[nodiscard]] Result<void> keepPrivileges(std::initializer_list<const wchar_t*> names);

}  // namespace faultline

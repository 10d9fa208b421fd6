#include "platform/sampling/windows/privilege.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

tl::unexpected<Error> failed(const char* what) {
  return fail(std::string("Cannot ") + what + ": " + reasonOf(::GetLastError()) + ".");
}

UniqueHandle openToken() {
  HANDLE token = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY | TOKEN_ADJUST_PRIVILEGES, &token) == 0) return {};
  return UniqueHandle(token);
}

using Attributes = std::vector<LUID_AND_ATTRIBUTES>;

Result<Attributes> readPrivileges(HANDLE token) {
  std::vector<std::byte> buffer(sizeof(TOKEN_PRIVILEGES));
  DWORD size = 0;
  while (::GetTokenInformation(token, TokenPrivileges, buffer.data(), static_cast<DWORD>(buffer.size()), &size) == 0) {
    if (::GetLastError() != ERROR_INSUFFICIENT_BUFFER || size <= buffer.size()) return failed("read own privileges");
    buffer.resize(size);
  }
  DWORD count = 0;
  std::memcpy(&count, buffer.data() + offsetof(TOKEN_PRIVILEGES, PrivilegeCount), sizeof(count));
  Attributes all(count);
  if (count > 0)
    std::memcpy(all.data(), buffer.data() + offsetof(TOKEN_PRIVILEGES, Privileges), count * sizeof(all.front()));
  return all;
}

std::wstring nameOf(LUID privilege) {
  std::array<wchar_t, 64> name{};
  auto size = static_cast<DWORD>(name.size());
  return ::LookupPrivilegeNameW(nullptr, &privilege, name.data(), &size) != 0 ? std::wstring(name.data(), size)
                                                                              : std::wstring();
}

// One privilege per call: TOKEN_PRIVILEGES has room for one.
Result<void> set(HANDLE token, LUID privilege, DWORD attributes) {
  TOKEN_PRIVILEGES one{.PrivilegeCount = 1, .Privileges = {{.Luid = privilege, .Attributes = attributes}}};
  if (::AdjustTokenPrivileges(token, FALSE, &one, 0, nullptr, nullptr) == 0) return failed("change own privileges");
  return {};
}

bool isAmong(const std::wstring& name, std::initializer_list<const wchar_t*> names) {
  return std::ranges::any_of(names, [&](const wchar_t* other) { return name == other; });
}

// attributesFor(name) returns the new attributes of a privilege; absent: unchanged.
template <class Choose>
Result<void> change(Choose attributesFor) {
  const UniqueHandle token = openToken();
  if (!token) return failed("open own token");
  const auto all = readPrivileges(token.get());
  if (!all) return tl::unexpected(all.error());
  for (const auto& privilege : *all) {
    const std::optional<DWORD> attributes = attributesFor(nameOf(privilege.Luid));
    if (!attributes) continue;
    if (const auto done = set(token.get(), privilege.Luid, *attributes); !done) return done;
  }
  return {};
}

}  // namespace

Result<std::vector<Privilege>> privileges() {
  const UniqueHandle token = openToken();
  if (!token) return failed("open own token");
  const auto all = readPrivileges(token.get());
  if (!all) return tl::unexpected(all.error());
  std::vector<Privilege> result;
  for (const auto& one : *all)
    result.push_back({.name = nameOf(one.Luid), .inEffect = (one.Attributes & SE_PRIVILEGE_ENABLED) != 0});
  return result;
}

bool inEffect(const wchar_t* privilege) {
  const auto all = privileges();
  return all && std::ranges::find(*all, Privilege{.name = privilege, .inEffect = true}) != all->end();
}

Result<void> enablePrivileges(std::initializer_list<const wchar_t*> names, bool enable) {
  return change([&](const std::wstring& name) -> std::optional<DWORD> {
    if (!isAmong(name, names)) return std::nullopt;
    return enable ? SE_PRIVILEGE_ENABLED : 0;
  });
}

Result<void> keepPrivileges(std::initializer_list<const wchar_t*> names) {
  return change([&](const std::wstring& name) -> std::optional<DWORD> {
    if (isAmong(name, names)) return std::nullopt;
    return SE_PRIVILEGE_REMOVED;
  });
}

}  // namespace faultline

#include "platform/sampling/lockdown.h"

#include <windows.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "platform/sampling/windows/privilege.h"

using namespace faultline;

namespace {

// A second process, which runs that hidden test alone, does all that cannot be undone.
DWORD runAlone(const wchar_t* test) {
  std::array<wchar_t, 1024> program{};
  GetModuleFileNameW(nullptr, program.data(), program.size());
  std::wstring line = L"\"" + std::wstring(program.data()) + L"\" \"" + test + L"\"";
  STARTUPINFOW start{};
  start.cb = sizeof(start);
  PROCESS_INFORMATION started{};
  REQUIRE(CreateProcessW(nullptr, line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &start, &started) != 0);
  WaitForSingleObject(started.hProcess, INFINITE);
  DWORD code = 0;
  GetExitCodeProcess(started.hProcess, &code);
  CloseHandle(started.hThread);
  CloseHandle(started.hProcess);
  return code;
}

std::vector<std::wstring> namesInEffect() {
  std::vector<std::wstring> names;
  const auto all = privileges();
  REQUIRE(all);
  for (const Privilege& one : *all)
    if (one.inEffect) names.push_back(one.name);
  return names;
}

}  // namespace

TEST_CASE("locked down", "[.]") {
  REQUIRE(privileges());
  REQUIRE_FALSE(privileges()->empty());
  REQUIRE(keepMeasuringPrivileges());
  for (const std::wstring& name : namesInEffect()) CHECK((name == kDebugPrivilege || name == kProfilePrivilege));
  const bool couldDebug = inEffect(kDebugPrivilege);
  REQUIRE(withholdPrivileges());
  CHECK(namesInEffect().empty());
  REQUIRE(keepMeasuringPrivileges());
  CHECK(inEffect(kDebugPrivilege) == couldDebug);
  REQUIRE(lockDown(SamplerNeeds{}));
  CHECK(privileges()->empty());
  REQUIRE(enablePrivileges({kDebugPrivilege}, true));
  CHECK(privileges()->empty());
}

TEST_CASE("no administrator any more", "[.]") {
  REQUIRE(lockDown(SamplerNeeds{}));
  std::array<std::byte, SECURITY_MAX_SID_SIZE> administrators{};
  auto size = static_cast<DWORD>(administrators.size());
  REQUIRE(CreateWellKnownSid(WinBuiltinAdministratorsSid, nullptr, administrators.data(), &size) != 0);
  BOOL member = TRUE;
  REQUIRE(CheckTokenMembership(nullptr, administrators.data(), &member) != 0);
  CHECK(member == FALSE);
}

TEST_CASE("locked down but for lists of pages", "[.]") {
  REQUIRE(keepMeasuringPrivileges());
  const bool had = inEffect(kProfilePrivilege);
  REQUIRE(lockDown(SamplerNeeds{.opensIn = -1, .privileges = true}));
  CHECK(privileges()->size() == (had ? 1 : 0));
  CHECK(inEffect(kProfilePrivilege) == had);
}

TEST_CASE("no privilege is left for the loop, and none can be regained") {
  CHECK(runAlone(L"locked down") == 0);
  CHECK(runAlone(L"locked down but for lists of pages") == 0);
  CHECK(runAlone(L"no administrator any more") == 0);
}

TEST_CASE("a standard stream that is not a handle is set to null") {
  CHECK(runAlone(L"a closed stream") == 0);
}

TEST_CASE("a closed stream", "[.]") {
  const HANDLE event = CreateEventW(nullptr, TRUE, FALSE, nullptr);
  CloseHandle(event);
  SetStdHandle(STD_INPUT_HANDLE, event);
  occupyStandardStreams();
  CHECK(GetStdHandle(STD_INPUT_HANDLE) == nullptr);
}

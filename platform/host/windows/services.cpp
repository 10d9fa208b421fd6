// The services of this machine, each with its process, by the service control manager, which answers every user.
#include <windows.h>
// after windows.h
#include <winsvc.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/monitor/service_names.h"
#include "platform/host/processes.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

using Services = std::map<std::uint32_t, std::string>;  // by pid

struct CloseManager {
  void operator()(SC_HANDLE manager) const { ::CloseServiceHandle(manager); }
};

Services runningServices() {
  Services found;
  const std::unique_ptr<std::remove_pointer_t<SC_HANDLE>, CloseManager> manager(
      ::OpenSCManagerW(nullptr, nullptr, SC_MANAGER_ENUMERATE_SERVICE));
  std::vector<std::uint64_t> room((std::size_t{256} << 10U) / sizeof(std::uint64_t));  // no larger one is taken
  DWORD next = 0;
  for (BOOL all = manager ? FALSE : TRUE; all == FALSE;) {
    DWORD missing = 0;
    DWORD count = 0;
    all = ::EnumServicesStatusExW(
        manager.get(), SC_ENUM_PROCESS_INFO, SERVICE_WIN32, SERVICE_ACTIVE, reinterpret_cast<BYTE*>(room.data()),
        static_cast<DWORD>(room.size() * sizeof room.front()), &missing, &count, &next, nullptr);
    if (all == FALSE && ::GetLastError() != ERROR_MORE_DATA) break;
    const auto* const services = reinterpret_cast<const ENUM_SERVICE_STATUS_PROCESSW*>(room.data());
    for (DWORD i = 0; i < count; ++i) {
      if (services[i].ServiceStatusProcess.dwProcessId == 0) continue;  // it is being started
      std::string& names = found[services[i].ServiceStatusProcess.dwProcessId];
      names += (names.empty() ? "" : ", ") + toUtf8(services[i].lpServiceName);
    }
  }
  return found;
}

}  // namespace

// A process is asked for until it is older than the list, so that an earlier process with its pid cannot lend it a
// name.
std::optional<std::string> serviceOfProcess(const ProcessKey& key) {
  constexpr auto kOldest = 1s;  // as ServiceNames
  static std::mutex mutex;
  static Services services;
  static std::chrono::steady_clock::time_point read;
  const std::lock_guard lock(mutex);
  if (const auto now = std::chrono::steady_clock::now(); services.empty() || now - read > kOldest) {
    services = runningServices();
    read = now;
  }
  const auto found = services.find(key.pid);
  return found == services.end() ? kAsItsParent : found->second;
}

std::optional<GroupFaults> faultsOfService(std::uint32_t /*pid*/, const std::string& /*service*/) {
  return std::nullopt;
}

}  // namespace faultline

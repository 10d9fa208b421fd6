#include <windows.h>
// after windows.h
#include <winsvc.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

#include "core/monitor/service_names.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

struct Handle {
  ~Handle() { ::CloseServiceHandle(handle); }
  SC_HANDLE handle;
};

// A service of this test, which runs; stopped and removed at the end.
struct OwnService {
  explicit OwnService(const wchar_t* name) {
    const std::wstring line = L"\"" + (executableFolder() / L"child_windows.exe").wstring() + L"\" service";
    service.handle = ::CreateServiceW(manager.handle, name, name, SERVICE_ALL_ACCESS, SERVICE_WIN32_OWN_PROCESS,
                                      SERVICE_DEMAND_START, SERVICE_ERROR_IGNORE, line.c_str(), nullptr, nullptr,
                                      nullptr, nullptr, nullptr);
    for (int i = 0; service.handle != nullptr && pid == 0 && i < 3; ++i) {
      if (::StartServiceW(service.handle, 0, nullptr) != 0) pid = whenItRuns();
      else error = ::GetLastError();
    }
  }
  ~OwnService() {
    SERVICE_STATUS status{};
    ::ControlService(service.handle, SERVICE_CONTROL_STOP, &status);
    ::DeleteService(service.handle);
  }

  [[nodiscard]] std::uint32_t whenItRuns() const {
    SERVICE_STATUS_PROCESS status{};
    DWORD size = 0;
    for (int i = 0; i < 600 && status.dwCurrentState != SERVICE_RUNNING; ++i) {
      ::QueryServiceStatusEx(service.handle, SC_STATUS_PROCESS_INFO, reinterpret_cast<BYTE*>(&status), sizeof status,
                             &size);
      std::this_thread::sleep_for(50ms);
    }
    return status.dwProcessId;
  }

  Handle manager{::OpenSCManagerW(nullptr, nullptr, SC_MANAGER_ALL_ACCESS)};
  Handle service{nullptr};
  std::uint32_t pid = 0;
  DWORD error = ERROR_SUCCESS;
};

}  // namespace

TEST_CASE("A process that hosts a service has its name, and others are asked for that of their parent") {
  CHECK(serviceOfProcess({::GetCurrentProcessId(), 0}) == kAsItsParent);
  CHECK(serviceOfProcess({0, 0}) == kAsItsParent);
  const OwnService service(L"FaultlineTest");
  if (service.service.handle == nullptr) SKIP("This user may not create a service.");
  if (service.pid == 0) SKIP("No service could be started, such as on a busy machine: error " << service.error);
  std::this_thread::sleep_for(1100ms);
  CHECK(serviceOfProcess({service.pid, 0}) == "FaultlineTest");
}

// Function names by DbgHelp, which every Windows has. Windows tells the code of a fault, and not its callers.
#include "platform/host/stack_reader.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <vector>
// after windows.h
#include <dbghelp.h>
#include <psapi.h>

#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kPause = 250ms;  // between two lists of modules, for unknown code
constexpr std::size_t kLongestName = 1000;

std::mutex g_dbgHelp;  // DbgHelp's functions must not run at the same time (Microsoft's documentation)

std::wstring folderOf(const std::wstring& path) {
  return path.substr(0, path.find_last_of(L'\\'));
}

bool belongsToWindows(const std::wstring& path) {
  std::array<wchar_t, MAX_PATH> windows{};
  const UINT size = ::GetSystemWindowsDirectoryW(windows.data(), static_cast<UINT>(windows.size()));
  return size > 0 && size < windows.size() && path.size() > size && path[size] == L'\\' &&
         ::CompareStringOrdinal(path.data(), static_cast<int>(size), windows.data(), static_cast<int>(size), TRUE) ==
             CSTR_EQUAL;
}

// A program or library in the game, with its symbols: those beside its file, and none that a server would send.
class Module {
 public:
  Module(std::uint64_t base, std::uint64_t size, std::wstring path)
      : m_base(base), m_size(size), m_path(std::move(path)), m_system(belongsToWindows(m_path)) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() {
    if (m_loaded.valid()) m_loaded.wait();
    const std::scoped_lock lock(g_dbgHelp);
    if (m_session) ::SymCleanup(session());
  }

  [[nodiscard]] bool is(std::uint64_t base, const std::wstring& path) const { return m_base == base && m_path == path; }
  [[nodiscard]] bool has(std::uint64_t code) const { return code - m_base < m_size; }

  [[nodiscard]] bool ready() {
    begin();
    return m_loaded.wait_for(0s) == std::future_status::ready;
  }

  [[nodiscard]] StackFrame frameAt(std::uint64_t code) {
    begin();
    m_loaded.wait();
    StackFrame frame{.function = {}, .module = toUtf8(m_path), .offset = code - m_base, .file = {}, .system = m_system};
    const std::scoped_lock lock(g_dbgHelp);
    struct {
      SYMBOL_INFOW symbol;
      std::array<wchar_t, kLongestName> rest;
    } found{};
    found.symbol.SizeOfStruct = sizeof found.symbol;
    found.symbol.MaxNameLen = kLongestName;
    DWORD64 distance = 0;
    if (m_session && ::SymFromAddrW(session(), code, &distance, &found.symbol) != 0)
      frame.function = toUtf8({found.symbol.Name, std::min<std::size_t>(found.symbol.NameLen, kLongestName)});
    IMAGEHLP_LINEW64 line{};
    line.SizeOfStruct = sizeof line;
    DWORD column = 0;
    if (m_session && ::SymGetLineFromAddrW64(session(), code, &column, &line) != 0 && line.FileName != nullptr) {
      frame.file = toUtf8(line.FileName);
      frame.line = static_cast<int>(line.LineNumber);
    }
    return frame;
  }

 private:
  // Any number that is unique serves in place of a process.
  HANDLE session() { return this; }

  void begin() {
    if (!m_loaded.valid()) m_loaded = std::async(std::launch::async, [this] { load(); });
  }

  void load() {
    const std::scoped_lock lock(g_dbgHelp);
    ::SymSetOptions(SYMOPT_UNDNAME | SYMOPT_LOAD_LINES | SYMOPT_FAIL_CRITICAL_ERRORS | SYMOPT_NO_PROMPTS);
    m_session = ::SymInitializeW(session(), folderOf(m_path).c_str(), FALSE) != 0;
    if (m_session)
      ::SymLoadModuleExW(session(), nullptr, m_path.c_str(), nullptr, m_base, static_cast<DWORD>(m_size), nullptr, 0);
  }

  std::uint64_t m_base;
  std::uint64_t m_size;
  std::wstring m_path;
  bool m_system;
  bool m_session = false;  // under g_dbgHelp
  std::future<void> m_loaded;
};

class DbgHelpReader final : public GameStackReader {
 public:
  explicit DbgHelpReader(UniqueHandle process) : m_process(std::move(process)) {}

  void notice(const FaultSample& sample) override {
    const auto code = codeOf(sample);
    if (!code || moduleAt(*code) != nullptr) return;
    const auto now = std::chrono::steady_clock::now();
    if (m_looked && now - *m_looked < kPause) return;
    m_looked = now;
    listModules();
  }

  CallStack read(const FaultSample& sample) override {
    const auto code = codeOf(sample);
    if (!code) return {};
    Module* const module = moduleAt(*code);
    const StackFrame unknown{.function = {}, .module = {}, .offset = *code, .file = {}};
    return {module != nullptr ? module->frameAt(*code) : unknown,
            {.function = std::string(kTruncatedStack), .module = {}, .file = {}, .system = true}};
  }

  bool ready(const FaultSample& sample) override {
    const auto code = codeOf(sample);
    Module* const module = code ? moduleAt(*code) : nullptr;
    return module == nullptr || module->ready();
  }

  std::string trouble() const override { return {}; }

 private:
  static std::optional<std::uint64_t> codeOf(const FaultSample& sample) {
    return sample.registers.empty() ? std::nullopt : std::optional(sample.registers.back());
  }

  Module* moduleAt(std::uint64_t code) {
    for (const auto& module : m_modules)
      if (module->has(code)) return module.get();
    return nullptr;
  }

  void listModules() {
    std::vector<HMODULE> handles(1024);
    DWORD bytes = 0;
    const auto room = static_cast<DWORD>(handles.size() * sizeof(HMODULE));
    if (::K32EnumProcessModulesEx(m_process.get(), handles.data(), room, &bytes, LIST_MODULES_ALL) == 0) return;
    handles.resize(std::min<std::size_t>(handles.size(), bytes / sizeof(HMODULE)));
    std::vector<std::unique_ptr<Module>> now;
    for (const HMODULE handle : handles) {
      MODULEINFO info{};
      std::wstring path(32768, L'\0');
      const DWORD size =
          ::K32GetModuleFileNameExW(m_process.get(), handle, path.data(), static_cast<DWORD>(path.size()));
      if (size == 0 || ::K32GetModuleInformation(m_process.get(), handle, &info, sizeof info) == 0) continue;
      path.resize(size);
      const auto base = reinterpret_cast<std::uintptr_t>(info.lpBaseOfDll);
      const auto kept = std::ranges::find_if(m_modules, [&](const auto& m) { return m && m->is(base, path); });
      now.push_back(kept != m_modules.end() ? std::move(*kept)
                                            : std::make_unique<Module>(base, info.SizeOfImage, std::move(path)));
    }
    m_modules = std::move(now);
  }

  UniqueHandle m_process;
  std::vector<std::unique_ptr<Module>> m_modules;
  std::optional<std::chrono::steady_clock::time_point> m_looked;
};

}  // namespace

Result<std::unique_ptr<GameStackReader>> openStackReader(std::uint32_t pid, std::shared_ptr<ReadingBudget> /*budget*/) {
  UniqueHandle process(::OpenProcess(PROCESS_QUERY_INFORMATION | PROCESS_VM_READ, FALSE, pid));
  if (!process)
    return fail("The code of process " + std::to_string(pid) + " cannot be read: " + reasonOf(::GetLastError()) + ".");
  return std::make_unique<DbgHelpReader>(std::move(process));
}

std::string everyFaultWarning() {
  return "Windows notes every page fault of this process from now on, until the process ends; nothing can undo that.";
}

}  // namespace faultline

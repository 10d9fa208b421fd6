#include "platform/host/trial/run.h"

#include <windows.h>
// after windows.h
#include <psapi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "core/base/file_name.h"
#include "core/text/quantity.h"
#include "platform/host/windows/invocation.h"
#include "platform/system/windows/spawn.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
constexpr UINT kLeftBehind = 0xC000013A;  // STATUS_CONTROL_C_EXIT

// Windows keeps the peak of a job's memory only beside a limit for it; no machine has as much as this one.
constexpr std::size_t kMostMemory = std::size_t{1} << 46U;

template <class Information>
Information told(HANDLE job, JOBOBJECTINFOCLASS about) {
  Information information{};
  ::QueryInformationJobObject(job, about, &information, sizeof information, nullptr);
  return information;
}

// The largest resident peak of a job's processes: each is opened when the job tells its start, and asked after its end.
class LargestPeak {
 public:
  explicit LargestPeak(HANDLE job) : m_job(job), m_port(::CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 1)) {
    JOBOBJECT_ASSOCIATE_COMPLETION_PORT messages{.CompletionKey = nullptr, .CompletionPort = m_port.get()};
    if (m_port &&
        ::SetInformationJobObject(job, JobObjectAssociateCompletionPortInformation, &messages, sizeof messages) != 0)
      m_thread = std::thread([this] { follow(); });
  }
  ~LargestPeak() { static_cast<void>(finish()); }
  LargestPeak(const LargestPeak&) = delete;
  LargestPeak& operator=(const LargestPeak&) = delete;

  // 0: unknown.
  std::uint64_t finish() {
    if (!m_thread.joinable()) return m_largest;
    ::PostQueuedCompletionStatus(m_port.get(), kStop, 0, nullptr);
    m_thread.join();
    for (const auto& [pid, process] : m_running) ask(process);
    return m_largest;
  }

 private:
  static constexpr DWORD kStop = 0;  // no message of a job

  void follow() {
    DWORD message = kStop;
    ULONG_PTR key = 0;
    OVERLAPPED* about = nullptr;
    while (::GetQueuedCompletionStatus(m_port.get(), &message, &key, &about, INFINITE) != 0 && message != kStop) {
      const auto pid = static_cast<DWORD>(reinterpret_cast<std::uintptr_t>(about));
      if (message == JOB_OBJECT_MSG_NEW_PROCESS) m_running[pid] = opened(pid);
      if (message != JOB_OBJECT_MSG_EXIT_PROCESS && message != JOB_OBJECT_MSG_ABNORMAL_EXIT_PROCESS) continue;
      if (const auto ended = m_running.extract(pid)) ask(ended.mapped());
    }
  }

  // Its pid may belong to another process by now.
  [[nodiscard]] UniqueHandle opened(DWORD pid) const {
    UniqueHandle process(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_VM_READ, FALSE, pid));
    BOOL ours = FALSE;
    const bool known = process && ::IsProcessInJob(process.get(), m_job, &ours) != 0 && ours != FALSE;
    return known ? std::move(process) : UniqueHandle();
  }

  void ask(const UniqueHandle& process) {
    PROCESS_MEMORY_COUNTERS memory{};
    if (process && ::GetProcessMemoryInfo(process.get(), &memory, sizeof memory) != 0)
      m_largest = std::max<std::uint64_t>(m_largest, memory.PeakWorkingSetSize);
  }

  HANDLE m_job;
  UniqueHandle m_port;
  std::map<DWORD, UniqueHandle> m_running;
  std::uint64_t m_largest = 0;
  std::thread m_thread;
};

// Of a job without running processes.
void addCounts(HANDLE job, TrialSample& sample) {
  const auto counts = told<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>(job, JobObjectBasicAccountingInformation);
  const auto limits = told<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(job, JobObjectExtendedLimitInformation);
  constexpr std::int64_t kUnit = 100;  // ns
  sample.byJob = true;
  sample.system = Nanoseconds(counts.TotalKernelTime.QuadPart * kUnit);
  sample.processor = Nanoseconds(counts.TotalUserTime.QuadPart * kUnit) + sample.system;
  sample.minorFaults = counts.TotalPageFaultCount;
  sample.processes = counts.TotalProcesses;
  if (limits.PeakJobMemoryUsed > 0) sample.peakCommitBytes = limits.PeakJobMemoryUsed;
}

// Ends what the program has left behind.
void endAll(HANDLE job) {
  constexpr auto kPatience = 3s;
  ::TerminateJobObject(job, kLeftBehind);
  for (const auto since = Clock::now(); Clock::now() - since < kPatience; ::Sleep(1))
    if (told<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>(job, JobObjectBasicAccountingInformation).ActiveProcesses == 0)
      return;
}

UniqueHandle inputOf(const std::filesystem::path& file) {
  if (file.empty()) return emptyStream();
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  return UniqueHandle(::CreateFileW(file.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                                    OPEN_EXISTING, 0, nullptr));
}

// Lets the program run until it ends. Absent: cancelled. False: the watch has ended it.
std::optional<bool> observe(const Spawned& program, const Interrupt& cancel, const TrialWatch* watch,
                            Nanoseconds& wall) {
  std::optional<Clock::time_point> since;
  if (watch != nullptr) watch->begin(program.pid);
  for (;;) {
    const TrialWish wish = watch == nullptr ? TrialWish::Run : watch->step();
    if (wish != TrialWish::Hold && !since) {
      since = Clock::now();
      ::ResumeThread(program.thread.get());
    }
    const std::array handles{reinterpret_cast<WaitHandle>(program.process.get()), cancel.ready,
                             watch == nullptr ? kNoHandle : watch->ready()};
    const std::uint32_t ready =
        wish == TrialWish::End ? 0 : waitAny(handles, watch == nullptr ? std::nullopt : watch->pause());
    if ((ready & 2U) != 0 && cancel.requested()) return std::nullopt;
    if ((ready & 1U) == 0 && wish != TrialWish::End) continue;
    wall = since ? Clock::now() - *since : Nanoseconds(0);
    return wish != TrialWish::End;
  }
}

}  // namespace

Result<std::optional<TrialSample>> runTrial(const TrialCommand& command, const Interrupt& cancel,
                                            const TrialWatch* watch) {
  if (command.output == TrialOutput::Kept) return fail("Faultline cannot compare what runs print on Windows.");
  const auto invocation =
      invocationOf(pathFromUtf8(command.words.front()), {command.words.begin() + 1, command.words.end()});
  if (!invocation) return tl::unexpected(invocation.error());
  std::array streams{inputOf(command.input),
                     command.output == TrialOutput::Shown ? inheritedStream(STD_ERROR_HANDLE) : emptyStream(),
                     command.showErrors ? inheritedStream(STD_ERROR_HANDLE) : emptyStream()};
  if (!streams[0]) return fail(toUtf8(command.input.native()) + " cannot be read: " + reasonOf(::GetLastError()) + ".");
  const UniqueHandle job = makeJob(kMostMemory);
  if (!job) return fail("No job could be made for the run: " + reasonOf(::GetLastError()) + ".");
  LargestPeak peak(job.get());
  const auto program = spawn(invocation->program, invocation->line, streams, false, job.get());
  if (!program)
    return fail(printableName(command.words.front()) + " could not be started: " + program.error().message + ".");
  TrialSample sample;
  const auto observed = observe(*program, cancel, watch, sample.wall);
  if (!observed) return std::nullopt;
  endAll(job.get());
  sample.peakBytes = peak.finish();
  addCounts(job.get(), sample);
  sample.ended = !*observed;
  DWORD code = 0;
  if (!sample.ended && ::GetExitCodeProcess(program->process.get(), &code) != 0) sample.code = static_cast<int>(code);
  return sample;
}

}  // namespace faultline

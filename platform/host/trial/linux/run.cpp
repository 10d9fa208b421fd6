#include "platform/host/trial/run.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/text/quantity.h"
#include "platform/host/posix/waits/children.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/trial/linux/family.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kKeeperPatience = 10s;

tl::unexpected<Error> failure(const std::string& what, int error) {
  return fail(what + ": " + std::generic_category().message(error) + ".");
}

TrialSample sampleOf(const FamilyReport& report) {
  TrialSample sample{.wall = Nanoseconds(report.wall),
                     .processor = Nanoseconds(report.processor),
                     .system = Nanoseconds(report.system),
                     .minorFaults = report.minorFaults,
                     .majorFaults = report.majorFaults,
                     .startFaults = report.startFaults,
                     .peakBytes = report.peakBytes,
                     .peakAtMost = report.peakAtMost,
                     .ended = report.ended};
  if (report.grouped) sample.unwaitedFaults = report.unwaitedFaults;
  if (report.groupPeakBytes > 0) sample.groupPeakBytes = report.groupPeakBytes;
  if (report.peakCommitBytes > 0) sample.peakCommitBytes = report.peakCommitBytes;
  if (report.waited >= 0 && report.wall > 0)
    sample.waited = static_cast<double>(report.waited) / static_cast<double>(report.wall);
  if (report.ended) return sample;
  sample.signal = report.end.signal;
  sample.code = report.end.code;
  return sample;
}

// The process that keeps the run, and what it and the program write.
class Run {
 public:
  Run(pid_t keeper, UniqueFd output, UniqueFd report)
      : m_keeper(keeper), m_output(std::move(output)), m_report(std::move(report)) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  // The keeper ends the run when nobody can read its report. A keeper that cannot is killed, and the system then kills
  // the program.
  ~Run() {
    m_report.reset();
    m_output.reset();
    if (!takeEndWithin(m_keeper, kKeeperPatience)) killAndTakeEnd(m_keeper);
  }

  Result<std::optional<TrialSample>> observe(const TrialCommand& command, const Interrupt& cancel,
                                             const TrialWatch* watch) {
    std::optional<FamilyReport> report;
    std::array<std::byte, 1U << 16U> buffer{};
    // A process that could not be killed may keep the output open.
    while (!report || m_output) {
      const bool watched = m_program != 0 && !report;
      const std::array handles{m_output ? WaitHandle{m_output.get()} : kNoHandle,
                               report ? kNoHandle : WaitHandle{m_report.get()}, cancel.ready,
                               watched ? watch->ready() : kNoHandle};
      const auto pause = report    ? std::optional<Nanoseconds>(1s)
                         : watched ? watch->pause()
                                   : std::optional<Nanoseconds>();
      const std::uint32_t ready = waitAny(handles, pause);
      if ((ready & 4U) != 0 && cancel.requested()) return std::nullopt;
      if ((ready & 1U) != 0) takeOutput(buffer);
      if ((ready & 2U) != 0) {
        if (const auto taken = takeMessage(report); !taken) return tl::unexpected(taken.error());
        if (report && report->error != 0)
          return failure(printableName(command.words.front()) + " could not be started", report->error);
        if (report && !report->ended && !report->end.known)
          return fail("The end of " + printableName(command.words.front()) +
                      " is unknown: the system has not told it.");
        if (!report) watch->begin(static_cast<std::uint32_t>(m_program));
      }
      if (ready == 0 && report) m_output.reset();
      if (m_program != 0 && !report) obey(watch->step());
    }
    TrialSample sample = sampleOf(*report);
    sample.outputBytes = m_bytes;
    sample.outputHash = m_hash;
    sample.output = std::move(m_text);
    return sample;
  }

 private:
  // The program's pid, or the report.
  Result<void> takeMessage(std::optional<FamilyReport>& report) {
    FamilyReport message;
    const ssize_t got = receiveAtOnce(m_report.get(), reinterpret_cast<char*>(&message), sizeof message);
    if (got == sizeof m_program) std::memcpy(&m_program, &message, sizeof m_program);
    else if (got == sizeof message) report = message;
    else return fail("The process that keeps the run ended.");
    return {};
  }

  void obey(TrialWish wish) {
    if (wish == TrialWish::Hold || m_ending) return;
    m_ending = wish == TrialWish::End;
    if (m_ending || !std::exchange(m_released, true)) tell(m_ending ? FamilyOrder::End : FamilyOrder::Release);
  }
  // A keeper that is gone cannot be told, and its report cannot be read either.
  void tell(FamilyOrder order) { static_cast<void>(send(m_report.get(), &order, sizeof order, MSG_NOSIGNAL)); }

  void takeOutput(std::span<std::byte> buffer) {
    const ssize_t got = readSome(m_output.get(), buffer);
    if (got <= 0) return m_output.reset();
    m_bytes += static_cast<std::uint64_t>(got);
    const auto bytes = buffer.first(static_cast<std::size_t>(got));
    m_hash = hashOn(m_hash, bytes);
    const auto kept = bytes.first(std::min(bytes.size(), kKeptOutput - m_text.size()));
    m_text.append(reinterpret_cast<const char*>(kept.data()), kept.size());
  }

  pid_t m_keeper;
  UniqueFd m_output;
  UniqueFd m_report;
  pid_t m_program = 0;  // 0: unknown
  bool m_released = false;
  bool m_ending = false;
  std::uint64_t m_bytes = 0;
  std::uint64_t m_hash = kEmptyHash;
  std::string m_text;  // the beginning
};

}  // namespace

Result<std::optional<TrialSample>> runTrial(const TrialCommand& command, const Interrupt& cancel,
                                            const TrialWatch* watch) {
  const std::filesystem::path inputPath = command.input.empty() ? "/dev/null" : command.input;
  const UniqueFd input(::open(inputPath.c_str(), O_RDONLY | O_CLOEXEC));
  if (!input) return failure(printableName(inputPath.string()) + " cannot be read", errno);
  UniqueFd errors;
  if (!command.showErrors) errors = UniqueFd(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  std::array<int, 2> outputs{};
  std::array<int, 2> reports{};
  UniqueFd output;
  UniqueFd theirOutput;
  if (command.output == TrialOutput::Kept) {
    if (pipe2(outputs.data(), O_CLOEXEC) != 0) return failure("No pipe could be opened", errno);
    output = UniqueFd(outputs[0]);
    theirOutput = UniqueFd(outputs[1]);
  } else {
    theirOutput = UniqueFd(command.output == TrialOutput::Shown ? ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
                                                                : ::open("/dev/null", O_WRONLY | O_CLOEXEC));
  }
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, reports.data()) != 0)
    return failure("No socket could be opened", errno);
  UniqueFd report(reports[0]);
  UniqueFd theirReport(reports[1]);
  const auto group = command.countsAll ? OwnGroup::create() : fail("it is not asked for");
  const pid_t keeper = fork();
  if (keeper < 0) return failure("No process could be started", errno);
  if (keeper == 0) {
    report.reset();
    output.reset();
    keepFamily(command,
               {.input = input.get(),
                .output = theirOutput.get(),
                .errors = errors.get(),
                .report = reports[1],
                .group = group ? &*group : nullptr},
               watch != nullptr);
  }
  theirOutput.reset();
  theirReport.reset();
  auto sample = Run(keeper, std::move(output), std::move(report)).observe(command, cancel, watch);
  if (sample && *sample && !(*sample)->unwaitedFaults)
    (*sample)->noGroup = group ? "the control group of the run told nothing" : group.error().message;
  return sample;
}

}  // namespace faultline

// The running collector, seen from outside: its rights and its output.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "platform/sampling/linux/confine/seccomp.h"
#include "platform/sampling/linux/facts/privilege.h"
#include "tests/app/collector/capable_copy_linux.h"
#include "tests/app/collector/running_collector.h"
#include "tests/support/headless.h"
#include "tests/support/in_child.h"

using namespace faultline;
using test::CapableCopy;
using test::Collector;
using test::CollectorStart;
using test::follow;

namespace {

constexpr uid_t kUnprivileged = 54321;

using Status = std::map<std::string, std::string>;

// /proc/PID/status after the collector has sent its first bytes from its loop.
Status statusOf(const Collector& collector) {
  REQUIRE_FALSE(collector.readOutput().empty());
  std::ifstream file("/proc/" + std::to_string(collector.pid()) + "/status");
  Status status;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    std::istringstream value(line.substr(colon + 1));
    value >> status[line.substr(0, colon)];
  }
  return status;
}

void checkConfined(const Status& status) {
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) {
    INFO(set);
    CHECK(status.at(set) == "0000000000000000");
  }
  CHECK(status.at("NoNewPrivs") == "1");
  if (systemCallsCanBeRestricted()) CHECK(status.at("Seccomp") == "2");
}

Grade zeroingGrade(const CollectorStart& start) {
  const Collector collector({"sweep", "--interval", "10ms", "--count", "2"}, Collector::Input::Inherit, start);
  Grade grade = Grade::Unavailable;
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) grade = hello->quality(ProcessMetric::ZeroedBytes).grade;
  });
  return grade;
}

// The kernel's code on x86-64 (Documentation/arch/x86/x86_64/mm.rst). Negative numbers in MessagePack, read across
// their ends, lie above.
bool looksLikeKernelText(std::uint64_t value) {
  return value >= 0xffffffff80000000 && value < 0xffffffffc0000000;
}

}  // namespace

TEST_CASE("In its loop the collector has no capability, can gain none, and its system calls are few") {
  const Collector real({"sweep"});
  checkConfined(statusOf(real));
  const Collector synthetic({"sweep", "--synthetic", "--interval", "1s"});
  checkConfined(statusOf(synthetic));
}

TEST_CASE("Root's collector runs as nobody") {
  if (!isRoot()) SKIP("not root");
  const Collector collector({"sweep"});
  const Status status = statusOf(collector);
  CHECK(status.at("Uid") == "65534");
  CHECK(status.at("Gid") == "65534");
  CHECK(status.at("Groups").empty());
  CHECK(status.at("CapBnd") == "0000000000000000");
}

TEST_CASE("An ordinary user's collector also drops file capabilities") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  const CapableCopy copy;
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  const CollectorStart start{.program = copy.program(), .user = kUnprivileged};
  const Collector collector({"sweep"}, Collector::Input::Inherit, start);
  const Status status = statusOf(collector);
  struct stat file{};
  REQUIRE(stat(("/proc/" + std::to_string(collector.pid()) + "/status").c_str(), &file) == 0);
  CHECK(file.st_uid == 0);  // the kernel protects it from its user, because it started with capabilities
  CHECK(status.at("Uid") == std::to_string(kUnprivileged));
  checkConfined(status);
  CHECK(test::inChild([&] {
          if (setgid(kUnprivileged) != 0 || setuid(kUnprivileged) != 0) return 1;
          if (ptrace(PTRACE_ATTACH, collector.pid(), nullptr, nullptr) == 0 || errno != EPERM) return 2;
          const auto held = static_cast<int>(syscall(SYS_pidfd_open, collector.pid(), 0));
          if (held < 0 || syscall(SYS_pidfd_getfd, held, STDOUT_FILENO, 0) >= 0 || errno != EPERM) return 3;
          const std::string own = "/proc/" + std::to_string(collector.pid());
          return access((own + "/fd").c_str(), R_OK) != 0 && open((own + "/mem").c_str(), O_RDWR) < 0 ? 0 : 4;
        }) == 0);
}

TEST_CASE("Where proc hides other users' processes the granted collector does not show them, nor does root's") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  const CapableCopy copy;
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  const auto shows = [](const CollectorStart& start) {  // this process, which is root's
    const Collector collector({"sweep", "--interval", "10ms", "--count", "2"}, Collector::Input::Inherit, start);
    bool shown = false;
    follow(collector, [&](const StreamEvent& event) {
      if (const auto* const snapshot = std::get_if<const Snapshot*>(&event))
        for (const ProcessSample& process : (*snapshot)->processes)
          shown |= process.key.pid == static_cast<std::uint32_t>(getppid());
    });
    return shown;
  };
  const CollectorStart member{.program = copy.program(), .user = kUnprivileged};
  const int seen = test::inChild([&] {
    if (!shows(member)) return 1;
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("proc", "/proc", "proc", 0, "hidepid=2") != 0)
      return 77;
    return shows(member) ? 2 : shows({}) ? 3 : 0;
  });
  if (seen == 77) SKIP("this system does not let root mount");
  CHECK(seen == 0);
}

TEST_CASE("An ordinary user can measure the same as root with the granted capabilities, and only with them") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  if (zeroingGrade({}) == Grade::Unavailable) SKIP("root cannot measure zeroing with this build on this kernel");
  const CapableCopy copy;
  CHECK(zeroingGrade({.program = copy.program(), .user = kUnprivileged}) == Grade::Unavailable);
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  CHECK(zeroingGrade({.program = copy.program(), .user = kUnprivileged}) != Grade::Unavailable);
}

TEST_CASE("The collector has nothing open for writing but its standard streams") {
  const Collector collector({"sweep"});
  REQUIRE_FALSE(collector.readOutput().empty());
  const std::string process = "/proc/" + std::to_string(collector.pid());
  if (access((process + "/fd").c_str(), R_OK) != 0)
    SKIP("only root may see the descriptors of a program that started with capabilities");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(process + "/fd")) {
    std::error_code gone;  // a sweep's file, already closed
    const std::string target = std::filesystem::read_symlink(entry.path(), gone);
    if (gone) continue;
    const int number = std::stoi(entry.path().filename());
    if (number <= STDERR_FILENO || target.starts_with("anon_inode:")) continue;  // signals, BPF and perf
    INFO(target);
    CHECK((target.starts_with("/proc") || target == FAULTLINE_BIN "/faultline-collector"));  // locked for a slot
    std::ifstream info(process + "/fdinfo/" + entry.path().filename().string());
    std::string word;
    while (info >> word && word != "flags:") {
    }
    info >> word;
    CHECK((std::stol(word, nullptr, 8) & O_ACCMODE) == O_RDONLY);
    ++files;
  }
  CHECK(files >= 3);  // /proc, vmstat, meminfo
}

TEST_CASE("Streams that the caller has closed stay closed") {
  const auto shell = [](const std::string& streams) {
    return std::vector<std::string>{
        "-c", "exec " FAULTLINE_BIN "/faultline-collector sweep --interval 10ms --count 3 --attended " + streams};
  };
  const CollectorStart start{.program = "/bin/sh"};
  Collector deaf(shell("<&-"), Collector::Input::Inherit, start);
  std::size_t snapshots = 0;
  follow(deaf, [&](const StreamEvent& event) { snapshots += std::holds_alternative<const Snapshot*>(event) ? 1 : 0; });
  CHECK(snapshots == 3);
  CHECK(deaf.exitCode() == 0);
  Collector dumb(shell("<&- >&-"), Collector::Input::Inherit, start);
  CHECK(dumb.readErrors().find("Bad file descriptor") != std::string::npos);
  CHECK(dumb.exitCode() == 3);
}

TEST_CASE("A process whose first thread has ended is measured by a confined collector without privileges") {
  const test::Headless process;
  const CapableCopy copy;  // with no capability
  const CollectorStart start{.program = copy.program(), .user = isRoot() ? kUnprivileged : getuid()};
  Collector collector({"sweep", "--interval", "10ms", "--count", "3"}, Collector::Input::Inherit, start);
  int measured = 0;
  follow(collector, [&](const StreamEvent& event) {
    const auto* const snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    for (const ProcessSample& sample : (*snapshot)->processes)
      if (sample.key.pid == static_cast<std::uint32_t>(process.pid()))
        measured += sample.values.get(ProcessMetric::ResidentBytes).value_or(0) > std::size_t{16} << 20U ? 1 : 0;
  });
  CHECK(measured == 3);
  CHECK(collector.exitCode() == 0);
}

TEST_CASE("The collector goes on after it was stopped") {
  Collector collector({"sweep", "--interval", "20ms"});
  int snapshots = 0;
  follow(collector, [&](const StreamEvent& event) {
    if (!std::holds_alternative<const Snapshot*>(event)) return;
    if (++snapshots == 3) {
      collector.signal(SIGSTOP);
      usleep(50'000);
      collector.signal(SIGCONT);
    }
    if (snapshots == 6) collector.signal(SIGTERM);
  });
  CHECK(snapshots >= 6);
  CHECK(collector.exitCode() == 0);
}

TEST_CASE("No kernel address leaves the collector") {
  Collector collector({"sweep", "--interval", "20ms", "--count", "20"});
  Decoder decoder;
  std::vector<std::byte> stream;
  std::uint64_t values = 0;
  for (auto bytes = collector.readOutput(); !bytes.empty(); bytes = collector.readOutput()) {
    stream.insert(stream.end(), bytes.begin(), bytes.end());
    decoder.feed(bytes);
    for (;;) {
      const auto event = decoder.next();
      REQUIRE(event);
      if (std::holds_alternative<NeedMoreBytes>(*event)) break;
      const auto* snapshot = std::get_if<const Snapshot*>(&*event);
      if (snapshot == nullptr) continue;
      for (const auto* samples : {&(*snapshot)->processes, &(*snapshot)->exited})
        for (const ProcessSample& sample : *samples)
          for (std::size_t i = 0; i < kProcessMetricCount; ++i) {
            const auto value = sample.values.get(static_cast<ProcessMetric>(i)).value_or(0);
            if (value >= 0xffff800000000000) FAIL_CHECK(sample.name << " " << i << ": " << value);
            ++values;
          }
    }
  }
  CHECK(collector.exitCode() == 0);
  CHECK(values > 100);
  // In any format: no eight bytes in a row are a kernel address, in either byte order.
  for (std::size_t i = 0; i + 8 <= stream.size(); ++i) {
    std::uint64_t forward = 0;
    std::uint64_t backward = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      forward = forward << 8U | std::to_integer<std::uint64_t>(stream[i + k]);
      backward |= std::to_integer<std::uint64_t>(stream[i + k]) << (8 * k);
    }
    if (looksLikeKernelText(forward) || looksLikeKernelText(backward)) FAIL_CHECK("at byte " << i);
  }
}

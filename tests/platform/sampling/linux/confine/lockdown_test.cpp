// Dropping privileges, in a child that has some.
#include "platform/sampling/lockdown.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>

#include "platform/sampling/linux/confine/landlock.h"
#include "platform/sampling/linux/facts/privilege.h"
#include "tests/support/in_child.h"
#include "tests/support/plain.h"

using namespace faultline;
using test::inChild;

namespace {

constexpr std::uint64_t kBpf = std::uint64_t{1} << CAP_BPF;

class NeedySampler final : public Sampler {
 public:
  explicit NeedySampler(SamplerNeeds needs) : m_needs(needs) {}
  [[nodiscard]] Hello hello() const override { return {}; }
  [[nodiscard]] SamplerNeeds needs() override { return m_needs; }
  [[nodiscard]] Result<void> sample(Snapshot&) override { return {}; }

 private:
  SamplerNeeds m_needs;
};

// The capabilities left after both steps, read from a file opened before; -1 if a step failed.
std::int64_t permittedAfter(SamplerNeeds needs) {
  const int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  NeedySampler sampler(needs);
  if (!keepMeasuringPrivileges() || !lockDown(sampler)) return -1;
  std::array<char, 8192> text{};
  if (pread(status, text.data(), text.size() - 1, 0) <= 0) return -1;
  const char* const line = std::strstr(text.data(), "CapPrm:");
  return line == nullptr ? -1 : static_cast<std::int64_t>(std::strtoull(line + std::strlen("CapPrm:"), nullptr, 16));
}

void needsRoot() {
  if (!isRoot()) SKIP("only root has privileges to give up");
  if ((permittedCapabilities().value_or(0) & kBpf) == 0) SKIP("root has no CAP_BPF in this container");
}

}  // namespace

TEST_CASE("Root becomes nobody with only the capabilities for measuring") {
  needsRoot();
  CHECK(inChild([] {
          if (!keepMeasuringPrivileges()) return 1;
          if (getuid() != 65534 || getgid() != 65534 || getgroups(0, nullptr) != 0) return 2;
          const auto permitted = permittedCapabilities();
          if (!permitted || (*permitted & kBpf) == 0 || (*permitted & ~measuringCapabilities()) != 0) return 3;
          if (prctl(PR_CAPBSET_READ, CAP_CHOWN, 0, 0, 0) != 0) return 4;
          return setuid(0) == 0 ? 5 : 0;
        }) == 0);
}

TEST_CASE("No capability is left in the loop") {
  CHECK(inChild([] { return permittedAfter({}) == 0 ? 0 : 1; }) == 0);
  CHECK(inChild([] { return permittedAfter({.opensIn = STDIN_FILENO, .privileges = false}) == 0 ? 0 : 1; }) == 0);
}

TEST_CASE("A sampler that needs privileges keeps only the capability for BPF iterators") {
  needsRoot();
  CHECK(inChild([] {
          return permittedAfter({.opensIn = -1, .privileges = true}) == static_cast<std::int64_t>(kBpf) ? 0 : 1;
        }) == 0);
}

TEST_CASE("Without privileges none is kept, and that is no error") {
  if (test::kThreadSanitizer)
    SKIP("ThreadSanitizer's thread keeps its capabilities, and the C library requires equal ones");
  CHECK(inChild([] {
          if (!setCapabilities(0, 0)) return 1;
          return permittedAfter({.opensIn = -1, .privileges = true}) == 0 ? 0 : 2;
        }) == 0);
}

TEST_CASE("Only files of /proc can be read") {
  const auto restrict = [] { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && restrictFilesToProc(); };
  if (inChild([&] { return restrict() ? 0 : 1; }) != 0)
    SKIP("this kernel has no Landlock, or /proc is mounted with hidepid");
  CHECK(inChild([&] {
          if (!restrict()) return 1;
          if (open("/proc/self/stat", O_RDONLY) < 0 || open("/proc/1/stat", O_RDONLY) < 0) return 2;
          return open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES ? 0 : 3;
        }) == 0);
}

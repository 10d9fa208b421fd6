// Reasons for the kernel's refusals, and remedies, with synthetic kernels and privileges.
#include "platform/sampling/linux/facts/refusal.h"

#include <catch2/catch_test_macros.hpp>
#include <cerrno>

namespace faultline::test {
namespace {

const KernelGrounds kGranted{
    .bpf = true, .perfmon = true, .admin = false, .paranoid = 3, .lockdown = "none", .version = 6012};

KernelGrounds granted(int paranoid, const std::string& lockdown = "none", int version = 6012) {
  KernelGrounds grounds = kGranted;
  grounds.paranoid = paranoid;
  grounds.lockdown = lockdown;
  grounds.version = version;
  return grounds;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("With cap_perfmon the reason names the level that makes it useless, and the line to type") {
  for (const int level : {3, 4}) {
    const Unavailable reason = refusedEvent("sample processors", EACCES, EventOf::All, granted(level));
    CHECK(has(reason.why, ("kernel.perf_event_paranoid is " + std::to_string(level)).c_str()));
    CHECK(!has(reason.why, "missing"));
    CHECK(reason.enable.starts_with("sudo sysctl kernel.perf_event_paranoid=2 "));
    CHECK(has(reason.enable, "every user"));
    CHECK(!has(reason.enable, "cap_perfmon"));
  }
}

TEST_CASE("Without cap_perfmon the reason names the capability, and the level if that is too high, too") {
  KernelGrounds nobody = granted(2);
  nobody.bpf = nobody.perfmon = false;
  CHECK(has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).why, "cap_perfmon is missing"));
  CHECK(!has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).enable, "sysctl"));
  nobody.paranoid = 3;
  CHECK(has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).enable, "sysctl"));
  CHECK(has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).enable, "cap_perfmon"));
  CHECK(!has(refusedEvent("tell", EACCES, EventOf::OwnProgram, nobody).enable, "cap_perfmon"));
}

TEST_CASE("The reason of an old kernel names its version and the needed version") {
  const Unavailable old = refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2, "none", 5010));
  CHECK(has(old.why, "Linux 5.10"));
  CHECK(old.enable == "Linux 5.12 or later.");
  CHECK(refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2)).enable.empty());
}

TEST_CASE("The reason names the lockdown of a kernel, but only if the lockdown is the cause") {
  const Unavailable closed = refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2, "confidentiality"));
  CHECK(has(closed.why, "lockdown=confidentiality"));
  CHECK(has(closed.enable, "lockdown=integrity"));
  CHECK(!has(refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2, "integrity")).why, "lockdown"));
  CHECK(has(refusedEvent("sample processors", EPERM, EventOf::All, granted(2, "confidentiality")).why,
            "lockdown=confidentiality"));
}

TEST_CASE("The reason names missing capabilities, and no others") {
  KernelGrounds half = granted(2);
  half.bpf = false;
  CHECK(has(refusedByKernel("load BPF programs", EPERM, kTaskStorage, half).why, "(cap_bpf is missing)"));
  half.perfmon = false;
  CHECK(has(refusedByKernel("load BPF programs", EPERM, kTaskStorage, half).why,
            "(cap_bpf and cap_perfmon are missing)"));
}

TEST_CASE("A refusal in spite of all capabilities blames a user namespace only inside of one") {
  KernelGrounds grounds = granted(2);
  const Unavailable outside = refusedByKernel("load BPF programs", EPERM, kTaskStorage, grounds);
  CHECK(!has(outside.why, "user namespace"));
  CHECK(outside.enable.empty());
  grounds.inUserNamespace = true;
  CHECK(has(refusedByKernel("load BPF programs", EPERM, kTaskStorage, grounds).why, "in a user namespace"));
}

}  // namespace faultline::test

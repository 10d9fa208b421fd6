// Why the kernel refuses something, and what helps, found from facts of kernels and privileges that are not at hand.
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

TEST_CASE("A collector that holds cap_perfmon is told the level at which that does not count, and the line to type") {
  for (const int level : {3, 4}) {
    const Unavailable reason = refusedEvent("sample processors", EACCES, EventOf::All, granted(level));
    CHECK(has(reason.why, ("kernel.perf_event_paranoid is " + std::to_string(level)).c_str()));
    CHECK(!has(reason.why, "missing"));
    CHECK(reason.enable.starts_with("sudo sysctl kernel.perf_event_paranoid=2 "));
    CHECK(has(reason.enable, "every user"));
    CHECK(!has(reason.enable, "cap_perfmon"));
  }
}

TEST_CASE("Without cap_perfmon the capability is named, and the level as well where both are in the way") {
  KernelGrounds nobody = granted(2);
  nobody.bpf = nobody.perfmon = false;
  CHECK(has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).why, "cap_perfmon is missing"));
  CHECK(!has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).enable, "sysctl"));
  nobody.paranoid = 3;
  CHECK(has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).enable, "sysctl"));
  CHECK(has(refusedEvent("sample processors", EACCES, EventOf::All, nobody).enable, "cap_perfmon"));
  CHECK(!has(refusedEvent("tell", EACCES, EventOf::OwnProgram, nobody).enable, "cap_perfmon"));
}

TEST_CASE("A kernel that is too old for a BPF program is told its version and the one that is needed") {
  const Unavailable old = refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2, "none", 5010));
  CHECK(has(old.why, "Linux 5.10"));
  CHECK(old.enable == "Linux 5.12 or later.");
  CHECK(refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2)).enable.empty());
}

TEST_CASE("Of a kernel that is locked down it is said which way, and only where that closes it") {
  const Unavailable closed = refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2, "confidentiality"));
  CHECK(has(closed.why, "lockdown=confidentiality"));
  CHECK(has(closed.enable, "lockdown=integrity"));
  CHECK(!has(refusedByKernel("load BPF programs", EINVAL, kTaskStorage, granted(2, "integrity")).why, "lockdown"));
  CHECK(has(refusedEvent("sample processors", EPERM, EventOf::All, granted(2, "confidentiality")).why,
            "lockdown=confidentiality"));
}

TEST_CASE("Missing capabilities are named by name, and none that are held") {
  KernelGrounds half = granted(2);
  half.bpf = false;
  CHECK(has(refusedByKernel("load BPF programs", EPERM, kTaskStorage, half).why, "(cap_bpf is missing)"));
  half.perfmon = false;
  CHECK(has(refusedByKernel("load BPF programs", EPERM, kTaskStorage, half).why,
            "(cap_bpf and cap_perfmon are missing)"));
  CHECK(has(refusedByKernel("load BPF programs", EPERM, kTaskStorage, granted(2)).why, "in a user namespace"));
}

}  // namespace faultline::test

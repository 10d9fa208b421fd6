// Why a feature that needs privileges or a newer kernel is unavailable, and its remedy.
#pragma once

#include <cstdint>
#include <string>

#include "core/model/quality.h"

namespace faultline {

// The facts that decide which calls the kernel refuses to this program.
struct KernelGrounds {
  bool bpf = false;  // capabilities held
  bool perfmon = false;
  bool admin = false;
  int paranoid = 2;              // kernel.perf_event_paranoid
  std::string lockdown;          // "none", "integrity", "confidentiality"; empty: not known
  int version = 0;               // 6012: Linux 6.12
  bool inUserNamespace = false;  // where capabilities have no effect on the kernel's own objects

  [[nodiscard]] static KernelGrounds read();
};

// Oldest versions of Linux with a feature, as in KernelGrounds::version.
inline constexpr int kTaskStorage = 5012;  // of tracing programs
inline constexpr int kUprobeMulti = 6006;
// A probe at a function's return ends no program: before, a seccomp filter could kill a program at it, and before 6.11
// a shadow stack. Source: "seccomp: passthrough uretprobe systemcall without filtering", cf6cb56ef244.
inline constexpr int kReturnProbes = 6014;
inline constexpr int kPreemptedTracepoints = 7000;  // programs at tracepoints can be preempted

// The line to type if kernel.perf_event_paranoid is above 2, and its consequence.
inline constexpr const char* kOpenEvents =
    "sudo sysctl kernel.perf_event_paranoid=2 (until the next start; every user may then measure their own programs by "
    "perf_event_open(2), in which flaws have been found before).";

// The kernel refused to `what` with `error` (an errno). Names missing capabilities or the needed version of Linux, if
// that can be the reason.
[[nodiscard]] Unavailable refusedByKernel(const std::string& what, int error, int needs = kTaskStorage);
[[nodiscard]] Unavailable refusedByKernel(const std::string& what, int error, int needs, const KernelGrounds& grounds);
// The same for perf_event_open(2), which kernel.perf_event_paranoid governs, too. At level 2 or less, events of the
// user's own programs need no capability.
enum class EventOf : std::uint8_t { OwnProgram, All };
[[nodiscard]] Unavailable refusedEvent(const std::string& what, int error, EventOf of = EventOf::All);
[[nodiscard]] Unavailable refusedEvent(const std::string& what, int error, EventOf of, const KernelGrounds& grounds);
[[nodiscard]] Unavailable noTracepoint(const char* name);
[[nodiscard]] Unavailable needsLinux(int version, const std::string& why);

}  // namespace faultline

// Why something that takes privileges or a newer kernel is unavailable, and what would enable it.
#pragma once

#include <cstdint>
#include <string>

#include "core/model/quality.h"

namespace faultline {

// What decides over what the kernel lets this program do.
struct KernelGrounds {
  bool bpf = false;  // the capabilities that it holds
  bool perfmon = false;
  bool admin = false;
  int paranoid = 2;      // kernel.perf_event_paranoid
  std::string lockdown;  // "none", "integrity", "confidentiality"; empty: not known
  int version = 0;       // 6012: Linux 6.12

  [[nodiscard]] static KernelGrounds read();
};

// Versions of Linux, as KernelGrounds has them, without which something does not work.
inline constexpr int kTaskStorage = 5012;  // of tracing programs
inline constexpr int kUprobeMulti = 6006;

// The line to type where kernel.perf_event_paranoid is above 2, and what it opens to others.
inline constexpr const char* kOpenEvents =
    "sudo sysctl kernel.perf_event_paranoid=2 (until the next start; every user may then measure programs of their own "
    "by perf_event_open(2), in which flaws have been found before).";

// The kernel has refused to `what` with `error` (an errno): says which capabilities are missing or which version of
// Linux it takes, if that may be why.
[[nodiscard]] Unavailable refusedByKernel(const std::string& what, int error, int needs = kTaskStorage);
[[nodiscard]] Unavailable refusedByKernel(const std::string& what, int error, int needs, const KernelGrounds& grounds);
// The same for perf_event_open(2), which kernel.perf_event_paranoid governs as well. A program of one's own takes no
// capability where that is 2 or less.
enum class EventOf : std::uint8_t { OwnProgram, All };
[[nodiscard]] Unavailable refusedEvent(const std::string& what, int error, EventOf of = EventOf::All);
[[nodiscard]] Unavailable refusedEvent(const std::string& what, int error, EventOf of, const KernelGrounds& grounds);
[[nodiscard]] Unavailable noTracepoint(const char* name);
[[nodiscard]] Unavailable needsLinux(int version, const std::string& why);

}  // namespace faultline

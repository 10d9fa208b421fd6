// FaultWatch: every page fault of one process, with its code, address and thread, as Windows notes them once Windows is
// asked to. Windows then notes them until that process ends: nothing can undo it. The calls are a table, so that this
// runs on any system; windows/watch/fault_functions.h has Windows' own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/fault_sample.h"
#include "core/model/quality.h"
#include "platform/sampling/nt/fault_records.h"

namespace faultline {

// Windows' error codes, [MS-ERREF] 2.2.
inline constexpr std::uint32_t kWinSuccess = 0;
inline constexpr std::uint32_t kWinBufferTooSmall = 122;  // ERROR_INSUFFICIENT_BUFFER
inline constexpr std::uint32_t kWinNoMoreItems = 259;     // ERROR_NO_MORE_ITEMS

inline constexpr Nanoseconds kSingleFaultInterval = std::chrono::milliseconds(5);  // between two calls of collect()

// All must be set.
struct FaultFunctions {
  std::function<std::uint32_t()> begin;                         // InitializeProcessForWsWatch: an error code
  std::function<std::uint32_t(std::span<std::byte> out)> read;  // GetWsChangesEx: an error code
  std::function<std::optional<std::uint32_t>()> count;          // page faults of the process, modulo 2^32
  std::function<std::string(std::uint32_t)> reason;             // of an error code, without a full stop
};

class FaultWatch {
 public:
  // Error: Windows refuses, as a sentence.
  [[nodiscard]] static Result<FaultWatch> begin(FaultFunctions functions, MonotonicTime now);

  // Appends the faults since the last call. Each has the middle of the time between the two calls.
  void collect(MonotonicTime now, FaultSampleBatch& batch);
  [[nodiscard]] static Quality quality();

 private:
  FaultWatch(FaultFunctions functions, MonotonicTime now);

  FaultFunctions m_functions;
  MonotonicTime m_last;
  std::optional<std::uint32_t> m_lastCount;
  std::uint64_t m_counted = 0;  // by the process's count, since begin()
  std::uint64_t m_told = 0;     // by records
  std::uint64_t m_lost = 0;
  std::vector<std::byte> m_buffer;
  std::vector<NtFault> m_faults;
};

}  // namespace faultline

#include "platform/host/wait.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace faultline {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kMost = 32;

// Rounded up, so that waitAny() does not return before the deadline.
DWORD millisecondsUntil(Steady::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now()).count();
  return static_cast<DWORD>(std::clamp<std::int64_t>(left, 0, INFINITE - 1));
}

bool isReady(HANDLE handle) {
  return ::WaitForSingleObject(handle, 0) == WAIT_OBJECT_0;
}

}  // namespace

std::uint32_t waitAny(std::span<const WaitHandle> handles, std::optional<Nanoseconds> timeout) {
  std::array<HANDLE, kMost> waited{};
  std::array<std::size_t, kMost> places{};
  DWORD count = 0;
  for (std::size_t i = 0; i < std::min(handles.size(), kMost); ++i) {
    if (handles[i] == kNoHandle) continue;
    waited.at(count) = reinterpret_cast<HANDLE>(handles[i]);
    places.at(count++) = i;
  }

  const auto deadline = Steady::now() + timeout.value_or(Nanoseconds{0});
  DWORD patience = timeout ? millisecondsUntil(deadline) : INFINITE;
  if (count == 0) ::Sleep(patience);
  else
    while (::WaitForMultipleObjects(count, waited.data(), FALSE, patience) == WAIT_TIMEOUT && Steady::now() < deadline)
      patience = millisecondsUntil(deadline);

  std::uint32_t answer = 0;
  for (DWORD i = 0; i < count; ++i)
    if (isReady(waited.at(i))) answer |= 1U << places.at(i);
  return answer;
}

}  // namespace faultline

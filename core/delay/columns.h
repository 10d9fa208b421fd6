// The columns of a frame's delay in exports.
#pragma once

#include <cstdint>
#include <optional>

#include "core/model/frame_delay.h"

namespace faultline {

// Visits name, and number or std::nullopt.
template <class Visit>
void forEachDelayColumn(const std::optional<FrameDelay>& delay, Visit visit) {
  const auto some = [&](auto of) { return delay ? of(*delay) : std::nullopt; };
  const auto count = [](std::optional<Nanoseconds> time) {
    return time ? std::optional<std::int64_t>(time->count()) : std::nullopt;
  };
  visit("delay_ns", some([&](const FrameDelay& of) { return count(of.added); }));
  visit("thread_delay_ns", some([&](const FrameDelay& of) { return count(of.ownAdded); }));
  visit("thread_futex_ns", some([&](const FrameDelay& of) { return count(of.ownAwaited); }));
  visit("delay_pair", some([](const FrameDelay& of) { return std::optional(of.pair); }));
  visit("delayed", some([](const FrameDelay& of) { return std::optional(std::uint64_t{of.delayed}); }));
}

}  // namespace faultline

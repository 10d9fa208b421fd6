// Hello and snapshots for the stream tests: small, and with every oddity the format has to carry.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline::test {

using Bytes = std::vector<std::byte>;

[[nodiscard]] Hello someHello();
// `count` processes, of which `changing` get new values with every step.
[[nodiscard]] Snapshot someSnapshot(std::uint32_t count, std::uint64_t step, std::uint32_t changing);
// A stream in which processes come, go, change their names and lose values.
[[nodiscard]] std::vector<Snapshot> eventfulSnapshots(std::size_t count);
// The same, some of them in services that change, and most with durations of faults.
[[nodiscard]] std::vector<Snapshot> snapshotsWithServices(std::size_t count);

void append(Bytes& out, std::span<const std::byte> bytes);

}  // namespace faultline::test

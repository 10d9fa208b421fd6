// CollectorCommand: the collector's command line.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "app/collector/sweep_loop.h"
#include "core/base/result.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/streams.h"
#include "platform/sampling/system_sampler.h"

namespace faultline {

struct SyntheticMachine {
  std::uint32_t processes = 64;
  std::uint32_t seed = 1;
  bool windows = false;

  bool operator==(const SyntheticMachine&) const = default;
};

struct CollectorCommand {
  SweepOptions sweep;
  SamplerOptions sampler;
  bool attended = false;  // standard input says whether a user is looking
  std::optional<SyntheticMachine> synthetic;
  std::optional<WatchOptions> watch;   // one game's frames instead of a sweep
  std::optional<PipeStreams> streams;  // in place of the standard streams
  std::optional<Nanoseconds> threads;  // a check of the threads that zero, for so long, instead of a sweep
};

// A command, or the exit code after help or an error was printed.
[[nodiscard]] std::variant<CollectorCommand, int> parseCommandLine(int argc, const char* const* argv);

// "PROCESSES" or "PROCESSES,SEED", and before these "windows" or "windows,"; empty for the default machine.
[[nodiscard]] Result<SyntheticMachine> parseSynthetic(const std::string& text);

}  // namespace faultline

// The sampler or frame source of a command, real or synthetic, and its Hello.
#pragma once

#include <memory>

#include "app/collector/command_line.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/sampler.h"

namespace faultline {

[[nodiscard]] Result<std::unique_ptr<Sampler>> chooseSampler(const CollectorCommand& command, const Clock& clock);
// Requires `command.watch`.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> chooseFrameSource(const CollectorCommand& command,
                                                                     const Clock& clock);
[[nodiscard]] Hello helloFor(const Sampler& sampler, const SweepOptions& options);
// Says why there is no delay of faults where `options` ask for one and the source has none.
[[nodiscard]] Hello helloFor(const FrameSource& source, const WatchOptions& options);

}  // namespace faultline

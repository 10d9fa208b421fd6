#include "app/collector/sampler_choice.h"

#include "app/collector/pace.h"
#include "platform/sampling/lockdown.h"
#include "platform/sampling/standstill.h"
#include "platform/sampling/synthetic/frames.h"
#include "platform/sampling/synthetic/sampler.h"
#include "platform/sampling/system_sampler.h"

namespace faultline {

Result<std::unique_ptr<Sampler>> chooseSampler(const CollectorCommand& command, const Clock& clock) {
  if (!command.synthetic) return makeSystemSampler(clock, command.sampler);
  SyntheticOptions options{.processes = command.synthetic->processes,
                           .seed = command.synthetic->seed,
                           .windows = command.synthetic->windows,
                           .interval = command.sweep.interval,
                           .start = clock.now(),
                           .wallStart = clock.wall()};
  if (command.sweep.fast) {  // runs ahead of the clock, so begins early enough to end now
    const auto ticks = static_cast<std::int64_t>(command.sweep.count.value_or(0));
    options.start = SyntheticOptions().start;
    options.wallStart.sinceEpoch -= ticks * command.sweep.interval;
  }
  return std::make_unique<SyntheticSampler>(options);
}

Result<std::unique_ptr<FrameSource>> chooseFrameSource(const CollectorCommand& command, const Clock& clock) {
  if (command.watch->synthetic) return std::make_unique<SyntheticFrames>(*command.watch, clock);
  WatchOptions options = *command.watch;
  options.limitStandstill = limitStandstill;
  return openFrameSource(options, clock, keepMeasuringPrivileges);
}

Hello helloFor(const Sampler& sampler, const SweepOptions& options) {
  Hello hello = sampler.hello();
  if (options.faster) hello.quality(SystemMetric::SweepInterval).how += "; it sweeps " + fasterWords();
  hello.version = FAULTLINE_VERSION;
  hello.interval = options.interval;
  hello.collectorPid = ownPid();
  return hello;
}

Hello helloFor(const FrameSource& source, const WatchOptions& options) {
  Hello hello = source.hello();
  if (options.delay > Nanoseconds(0) && hello.watched && !hello.watched->delay)
    hello.watched->delay =
        unavailable("Only BPF programs at the game's own marks, or at calls of a function, delay faults",
                    "A collector with cap_perfmon and cap_bpf.");
  hello.version = FAULTLINE_VERSION;
  hello.collectorPid = ownPid();
  return hello;
}

}  // namespace faultline

// faultline-collector: opens the files and events that measuring needs, drops every privilege, then samples, encodes,
// writes.
#include <cstdio>
#include <thread>

#include "app/collector/command_line.h"
#include "app/collector/sampler_choice.h"
#include "app/collector/sweep_loop.h"
#include "app/collector/watch_loop.h"
#include "platform/sampling/attention.h"
#include "platform/sampling/lockdown.h"
#include "platform/sampling/thread_check.h"
#include "platform/sampling/timing_slot.h"

namespace faultline {
namespace {

constexpr int kCannotMeasure = 1;
constexpr int kCannotWrite = 3;

int complain(const std::string& sentence, int code) {
  std::fprintf(stderr, "faultline-collector: %s\n", sentence.c_str());
  return code;
}

// Opens a game and its files as its user or root, without any capability. Places probes as that user or as nobody, with
// the capabilities for measuring.
int watch(const CollectorCommand& command) {
  if (const auto withheld = withholdPrivileges(); !withheld) return complain(withheld.error().message, kCannotMeasure);
  const Clock& clock = systemClock();
  const auto outlet = makeStandardOutlet(clock, false);
  if (!outlet) return complain(outlet.error().message, kCannotWrite);
  auto source = chooseFrameSource(command, clock);
  if (!source) return complain(source.error().message, kCannotMeasure);
  const Hello hello = helloFor(**source, *command.watch);
  if (const auto locked = lockDown(SamplerNeeds{}); !locked) return complain(locked.error().message, kCannotMeasure);

  const std::string trouble = runWatch(hello, std::move(*source), **outlet, clock);
  return trouble.empty() ? 0 : complain(trouble, kCannotWrite);
}

// Prints for a person, in place of a stream.
int checkThreads(Nanoseconds length) {
  if (const auto kept = keepMeasuringPrivileges(); !kept) return complain(kept.error().message, kCannotMeasure);
  const auto report = checkZeroingThreads([length] {
    std::puts("ready");
    std::fflush(stdout);
    std::this_thread::sleep_for(length);
  });
  if (!report) return complain(report.error().message, kCannotMeasure);
  return std::fputs(report->c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : kCannotWrite;
}

struct Slots {
  Slot timing;
  Slot delay;
};

// Taken first and as the user who starts the collector, so that a collector that is stopped later holds its slots.
Slots takeSlots(CollectorCommand& command) {
  if (command.synthetic || (command.watch && command.watch->synthetic)) return {};
  Slots slots{.timing = takeTimingSlot(), .delay = {}};
  command.sampler.noSlot = slots.timing.refusal;
  if (!command.watch) return slots;
  command.watch->noSlot = slots.timing.refusal;
  if (command.watch->delay > Nanoseconds(0)) slots.delay = takeDelaySlot();
  command.watch->noDelay = slots.delay.refusal;
  return slots;
}

int run(CollectorCommand command) {
  occupyStandardStreams();
  if (command.streams)
    if (const auto connected = connectStreams(*command.streams); !connected)
      return complain(connected.error().message, kCannotWrite);
  if (const auto room = makeRoomForFiles(); !room) return complain(room.error().message, kCannotMeasure);
  if (command.threads) return checkThreads(*command.threads);
  const Slots slots = takeSlots(command);
  if (command.watch) return watch(command);
  if (const auto kept = keepMeasuringPrivileges(); !kept) return complain(kept.error().message, kCannotMeasure);
  const Clock& clock = systemClock();
  const auto outlet = makeStandardOutlet(clock, command.sweep.fast);
  if (!outlet) return complain(outlet.error().message, kCannotWrite);
  const auto sampler = chooseSampler(command, clock);
  if (!sampler) return complain(sampler.error().message, kCannotMeasure);

  const Hello hello = helloFor(**sampler, command.sweep);
  if (command.attended) command.sweep.attention = listenForAttention();
  if (const auto locked = lockDown(**sampler); !locked) return complain(locked.error().message, kCannotMeasure);

  const SweepReport report = runSweep(hello, **sampler, **outlet, clock, command.sweep);
  if (report.end == SweepEnd::CannotMeasure) return complain(report.trouble, kCannotMeasure);
  if (report.end == SweepEnd::CannotWrite) return complain(report.trouble, kCannotWrite);
  return 0;
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  const auto command = faultline::parseCommandLine(argc, argv);
  if (const int* const code = std::get_if<int>(&command)) return *code;
  return faultline::run(std::get<faultline::CollectorCommand>(command));
}

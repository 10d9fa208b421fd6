// faultline-collector: sample, encode, write. It reads the system and writes its standard output, nothing else.
#include <cstdio>
#include <memory>

#include "app/collector/command_line.h"
#include "app/collector/sampler_choice.h"
#include "app/collector/sweep_loop.h"

namespace faultline {
namespace {

constexpr int kCannotMeasure = 1;
constexpr int kCannotWrite = 3;

int complain(const std::string& sentence, int code) {
  std::fprintf(stderr, "faultline-collector: %s\n", sentence.c_str());
  return code;
}

int run(const CollectorCommand& command) {
  const Clock& clock = systemClock();
  const auto outlet = makeStandardOutlet(clock, command.sweep.fast);
  if (!outlet) return complain(outlet.error().message, kCannotWrite);
  const auto sampler = chooseSampler(command, clock);
  if (!sampler) return complain(sampler.error().message, kCannotMeasure);

  const SweepReport report =
      runSweep(helloFor(**sampler, command.sweep.interval), **sampler, **outlet, clock, command.sweep);
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

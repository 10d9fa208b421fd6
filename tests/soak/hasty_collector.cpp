// hasty_collector: the shipped collector of the synthetic machine and the synthetic game, whose time passes faster than
// the real one: FAULTLINE_HASTE times, by default 100; a game's, whose frames are many, a tenth of that. Asked for the
// real machine, shows the synthetic one.
#include <algorithm>
#include <cstdlib>

#include "app/collector/command_line.h"
#include "app/collector/sampler_choice.h"
#include "app/collector/watch_loop.h"
#include "platform/sampling/attention.h"

namespace faultline {
namespace {

class HastyClock final : public Clock {
 public:
  explicit HastyClock(int haste) : m_haste(haste) {}

  [[nodiscard]] MonotonicTime now() const override { return m_start + (systemClock().now() - m_start) * m_haste; }
  [[nodiscard]] WallTime wall() const override {
    return {m_wall.sinceEpoch + (systemClock().wall().sinceEpoch - m_wall.sinceEpoch) * m_haste};
  }
  [[nodiscard]] Nanoseconds suspended() const override { return Nanoseconds(0); }
  // The real time at which a deadline of this clock has come.
  [[nodiscard]] MonotonicTime real(MonotonicTime deadline) const {
    return systemClock().now() + (deadline - now()) / m_haste;
  }

 private:
  int m_haste;
  MonotonicTime m_start = systemClock().now();
  WallTime m_wall = systemClock().wall();
};

class HastyOutlet final : public Outlet {
 public:
  HastyOutlet(const HastyClock& clock, Outlet& out) : m_clock(clock), m_out(out) {}

  Result<Sent> send(std::span<const std::byte> packet) override { return m_out.send(packet); }
  Result<Wake> waitUntil(MonotonicTime deadline) override { return m_out.waitUntil(m_clock.real(deadline)); }
  Result<Wake> waitForRoom(MonotonicTime deadline) override { return m_out.waitForRoom(m_clock.real(deadline)); }
  void serve(Errand errand) override { m_out.serve(std::move(errand)); }
  Result<Sent> finish(std::span<const std::byte> packet) override { return m_out.finish(packet); }

 private:
  const HastyClock& m_clock;
  Outlet& m_out;
};

int run(CollectorCommand command) {
  const char* const wanted = std::getenv("FAULTLINE_HASTE");
  const int haste = wanted == nullptr ? 100 : std::max(1, std::atoi(wanted));
  const HastyClock clock(command.watch ? std::max(1, haste / 10) : haste);
  const auto real = makeStandardOutlet(systemClock(), false);
  if (!real) return 3;
  HastyOutlet outlet(clock, **real);
  if (command.watch) {
    command.watch->synthetic = true;
    auto source = chooseFrameSource(command, clock);
    if (!source) return 1;
    const Hello hello = helloFor(**source, *command.watch);
    return runWatch(hello, std::move(*source), outlet, clock).empty() ? 0 : 3;
  }
  if (!command.synthetic) command.synthetic.emplace();
  command.sweep.faster = false;  // a hundred times as fast, every 50 ms would be every half
  const auto sampler = chooseSampler(command, clock);
  if (!sampler) return 1;
  if (command.attended) command.sweep.attention = listenForAttention();
  return runSweep(helloFor(**sampler, command.sweep), **sampler, outlet, clock, command.sweep).trouble.empty() ? 0 : 3;
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  const auto command = faultline::parseCommandLine(argc, argv);
  if (const int* const code = std::get_if<int>(&command)) return *code;
  return faultline::run(std::get<faultline::CollectorCommand>(command));
}

// Monitor: rates, history, spikes.
#include "core/monitor/monitor.h"
#include "tests/bench/instructions/cases.h"
#include "tests/bench/instructions/machine.h"

using namespace faultline;

namespace {

std::uint64_t ingest() {
  std::uint64_t found = 0;
  Monitor monitor;
  monitor.ingest(hello());
  Snapshot snapshot = machine();
  std::minstd_rand random;
  for (int i = 0; i < 60; ++i) {
    advance(snapshot, random);
    monitor.ingest(snapshot);
    found += monitor.spikesNow().size() + monitor.now().rows.size();
  }
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  return runCase(count, arguments, {{"ingest", ingest}});
}

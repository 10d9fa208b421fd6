// A reader in Python, written from stream/format.md alone, reads the encoder's output.
#include <catch2/catch_test_macros.hpp>

#include "core/stream/encoder.h"
#include "tests/core/python.h"
#include "tests/core/stream/print_stream.h"
#include "tests/core/stream/samples.h"

namespace faultline::test {
namespace {

template <class Metric, class Values>
void print(const Values& values, bool named, std::string& out) {
  for (std::size_t i = 0; i < Values::kCount; ++i) {
    const auto metric = static_cast<Metric>(i);
    if (!values.has(metric)) continue;
    out += " ";
    if (named) out.append(field(metric).name).append("=");
    out += std::to_string(*values.get(metric));
  }
}

std::string printed(const std::vector<Snapshot>& snapshots) {
  std::string out;
  for (const Snapshot& snapshot : snapshots) {
    out += "snapshot " + std::to_string(snapshot.time.sinceEpoch.count()) + " " +
           std::to_string(snapshot.wallTime.sinceEpoch.count());
    print<SystemMetric>(snapshot.system, false, out);
    if (const auto& durations = snapshot.faultDurations) {
      out += " durations " + std::to_string(durations->ns);
      for (const std::uint64_t faults : durations->faults) out += " " + std::to_string(faults);
    }
    out += "\n";
    std::vector<ProcessSample> all = snapshot.processes;
    all.insert(all.end(), snapshot.exited.begin(), snapshot.exited.end());
    for (const ProcessSample& process : all) {
      out += std::to_string(process.key.pid) + " " + std::to_string(process.key.startTime) + " " + hex(process.name);
      print<ProcessMetric>(process.values, true, out);
      out += (process.service.empty() ? "" : " service=" + hex(process.service)) + "\n";
    }
  }
  return out + "end\n";
}

}  // namespace

TEST_CASE("A Python reader written from format.md reads the same snapshots") {
  const auto snapshots = snapshotsWithServices(200);
  Encoder encoder;
  Bytes bytes;
  append(bytes, encoder.hello(someHello()));
  for (const Snapshot& snapshot : snapshots) append(bytes, encoder.snapshot(snapshot));
  append(bytes, encoder.end());
  const auto read = runPython("stream/read_stream.py", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!read) SKIP("python3 is not installed");
  CHECK(*read == printed(snapshots));
}

}  // namespace faultline::test

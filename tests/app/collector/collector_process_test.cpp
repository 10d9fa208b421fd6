// The real program at the other end of a real pipe.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <string>
#include <vector>

#include "core/monitor/monitor.h"
#include "core/stream/decoder.h"
#include "platform/clock.h"
#include "platform/synthetic/synthetic_truth.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

class Collector {
 public:
  explicit Collector(std::vector<std::string> arguments) {
    std::array<int, 2> output{};
    std::array<int, 2> errors{};
    REQUIRE((pipe2(output.data(), O_CLOEXEC) == 0 && pipe2(errors.data(), O_CLOEXEC) == 0));
    const std::string program = FAULTLINE_BIN "/faultline-collector";
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    m_pid = fork();
    if (m_pid == 0) {
      dup2(output[1], STDOUT_FILENO);
      dup2(errors[1], STDERR_FILENO);
      execv(program.c_str(), argv.data());
      _exit(127);
    }
    close(output[1]);
    close(errors[1]);
    m_output = output[0];
    m_errors = errors[0];
  }
  ~Collector() {
    stopReading();
    close(m_errors);
    if (m_pid > 0) {
      kill(m_pid, SIGKILL);
      waitpid(m_pid, nullptr, 0);
    }
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  std::vector<std::byte> readOutput() const {
    std::vector<std::byte> bytes(1 << 16);
    const ssize_t count = read(m_output, bytes.data(), bytes.size());
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  std::string readErrors() const {
    std::string text;
    std::array<char, 1000> buffer{};
    for (ssize_t count = 0; (count = read(m_errors, buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    return text;
  }
  void stopReading() {
    if (m_output >= 0) close(m_output);
    m_output = -1;
  }
  void signal(int number) const { kill(m_pid, number); }
  int exitCode() {
    int status = 0;
    waitpid(m_pid, &status, 0);
    m_pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  [[nodiscard]] pid_t pid() const { return m_pid; }

 private:
  pid_t m_pid = -1;
  int m_output = -1;
  int m_errors = -1;
};

// Hands over every event until the program closes its end.
template <class Visitor>
void follow(const Collector& collector, Visitor visit) {
  Decoder decoder;
  for (auto bytes = collector.readOutput(); !bytes.empty(); bytes = collector.readOutput()) {
    decoder.feed(bytes);
    for (;;) {
      const auto event = decoder.next();
      REQUIRE(event);
      if (std::holds_alternative<NeedMoreBytes>(*event)) break;
      visit(*event);
    }
  }
  CHECK(decoder.bytesPending() == 0);
}

}  // namespace

TEST_CASE("the synthetic truth arrives exactly: collector, pipe, Monitor") {
  Collector collector({"sweep", "--synthetic", "90,3", "--fast", "--count", "300", "--interval", "250ms"});
  SyntheticOptions options{.processes = 90, .seed = 3, .interval = 250ms};
  Monitor monitor;
  Snapshot expected;
  Snapshot before;
  std::uint64_t ticks = 0;
  std::uint64_t compared = 0;
  bool ended = false;
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) monitor.ingest(*hello);
    if (std::holds_alternative<StreamEnd>(event)) ended = true;
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    if (ticks == 0) options.wallStart = (*snapshot)->wallTime;
    std::swap(before, expected);
    syntheticSnapshot(options, ticks++, expected);
    REQUIRE(**snapshot == expected);
    monitor.ingest(**snapshot);
    for (const ProcessRow& row : monitor.now().rows) {
      const auto old = std::find_if(before.processes.begin(), before.processes.end(),
                                    [&](const ProcessSample& process) { return process.key == row.key; });
      if (ticks < 2 || old == before.processes.end()) continue;
      const auto delta = [&](ProcessMetric metric) { return *row.values.get(metric) - *old->values.get(metric); };
      REQUIRE(row.deltas.get(ProcessMetric::MinorFaults) == delta(ProcessMetric::MinorFaults));
      REQUIRE(row.deltas.get(ProcessMetric::MajorFaults) == delta(ProcessMetric::MajorFaults));
      ++compared;
    }
  });
  CHECK(ticks == 300);
  CHECK(compared > 20'000);
  CHECK(ended);
  CHECK(monitor.hello().source == "synthetic");
  CHECK(collector.exitCode() == 0);
  CHECK(collector.readErrors().empty());
}

TEST_CASE("a live sweep sees this process and says who it is") {
  Collector collector({"sweep", "--interval", "20ms", "--count", "3"});
  Hello hello;
  std::vector<Snapshot> snapshots;
  const auto pid = static_cast<std::uint32_t>(collector.pid());
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* first = std::get_if<Hello>(&event)) hello = *first;
    if (const auto* snapshot = std::get_if<const Snapshot*>(&event)) snapshots.push_back(**snapshot);
  });
  CHECK(hello.version == FAULTLINE_VERSION);
  CHECK(hello.interval == 20ms);
  CHECK(hello.collectorPid == pid);
  REQUIRE(snapshots.size() == 3);
  const auto& processes = snapshots.back().processes;
  CHECK(std::any_of(processes.begin(), processes.end(),
                    [](const ProcessSample& p) { return p.key.pid == static_cast<std::uint32_t>(getpid()); }));
  CHECK(snapshots[2].time - snapshots[0].time >= 30ms);
}

TEST_CASE("SIGTERM and SIGINT end the stream on purpose") {
  for (const int number : {SIGTERM, SIGINT}) {
    Collector collector({"sweep", "--interval", "30s"});
    bool ended = false;
    follow(collector, [&](const StreamEvent& event) {
      if (std::holds_alternative<const Snapshot*>(event)) collector.signal(number);
      if (std::holds_alternative<StreamEnd>(event)) ended = true;
    });
    CHECK(ended);
    CHECK(collector.exitCode() == 0);
  }
}

TEST_CASE("it ends at once and silently when its reader is gone, even in a long sleep") {
  Collector collector({"sweep", "--interval", "60s"});
  CHECK_FALSE(collector.readOutput().empty());
  const MonotonicTime before = systemClock().now();
  collector.stopReading();
  CHECK(collector.exitCode() == 0);
  CHECK(systemClock().now() - before < 5s);
  CHECK(collector.readErrors().empty());
}

TEST_CASE("a wrong argument is exit code 2 and a word on stderr, nothing on stdout") {
  Collector collector({"sweep", "--interval", "5ms"});
  CHECK(collector.readOutput().empty());
  CHECK(collector.exitCode() == 2);
  CHECK(collector.readErrors().find("between 10ms and 60s") != std::string::npos);
}

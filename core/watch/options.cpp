#include "core/watch/options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "core/text/duration.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMostPid = 1U << 22U;  // PID_MAX_LIMIT of Linux
constexpr std::uint64_t kMostRate = 1000;

// The arguments from left to right. After the first error nothing more is taken.
class Line {
 public:
  explicit Line(std::span<const std::string> arguments) : m_rest(arguments) {}

  [[nodiscard]] bool more() const { return !m_rest.empty() && !m_error; }
  std::string next(std::string_view wanted) {
    if (m_rest.empty()) {
      refuse(fmt::format("{} is missing.", wanted));
      return {};
    }
    std::string argument = m_rest.front();
    m_rest = m_rest.subspan(1);
    return argument;
  }
  std::uint64_t number(std::string_view wanted, std::uint64_t least, std::uint64_t most) {
    const std::string text = next(wanted);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
      refuse(fmt::format("{} '{}' is not a number from {} to {}.", wanted, text, least, most));
    return value;
  }
  Nanoseconds duration(std::string_view wanted) {
    const auto duration = parseDuration(next(wanted));
    if (!duration) refuse(fmt::format("{}: {}", wanted, duration.error().message));
    return duration.value_or(0s);
  }
  void refuse(std::string why) {
    if (!m_error) m_error = Error{std::move(why)};
  }
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

 private:
  std::span<const std::string> m_rest;
  std::optional<Error> m_error;
};

ProbePoint parseProbe(Line& line, ProbeCalls calls) {
  ProbePoint point;
  point.calls = calls;
  point.file = line.next("FILE");
  point.offset = line.number("OFFSET", 0, UINT64_MAX);
  point.name = line.next("NAME");
  return point;
}

std::string optionOf(ProbeCalls calls) {
  constexpr std::array kOptions{"--probe", "--commits", "--parts", "--lookups"};  // in the order of ProbeCalls
  return kOptions.at(static_cast<std::size_t>(calls));
}

void parseOption(Line& line, const std::string& name, WatchOptions& options) {
  if (name == "--mark") {
    options.mark = line.next("The name after --mark");
  } else if (name == "--assume") {
    options.assumedRate = static_cast<std::uint32_t>(line.number("The rate after --assume", 1, kMostRate));
  } else if (name == "--wait") {
    options.patience = line.duration("--wait");
  } else if (name == "--probe") {
    options.probes.push_back(parseProbe(line, ProbeCalls::All));
  } else if (name == "--commits") {
    options.probes.push_back(parseProbe(line, ProbeCalls::SurfaceCommits));
  } else if (name == "--parts") {
    options.probes.push_back(parseProbe(line, ProbeCalls::Parts));
  } else if (name == "--lookups") {
    options.probes.push_back(parseProbe(line, ProbeCalls::Lookups));
  } else if (name == "--samples") {
    const std::string mode = line.next("The mode after --samples");
    const auto known = sampleModeOf(mode);
    if (!known) line.refuse(fmt::format("--samples knows none, spikes, some and all, not '{}'.", mode));
    options.samples = known.value_or(SampleMode::None);
  } else if (name == "--no-stacks") {
    options.stacks = false;
  } else if (name == "--sample-after") {
    options.sampleAfter = line.duration("--sample-after");
  } else if (name == "--delay") {
    options.delay = line.duration("--delay");
    if (options.delay < kShortestDelay || options.delay > kLongestDelay)
      line.refuse("--delay takes 100ns to 100us for each fault.");
  } else if (name == "--presentmon") {
    options.presentMon = line.next("The program after --presentmon");
  } else if (name == "--synthetic") {
    options.synthetic = true;
  } else {
    line.refuse(fmt::format("'watch' does not know '{}'.", name));
  }
}

}  // namespace

const char* const kWatchHelp =
    "PID [OPTION...]: the process, which must be yours\n"
    "  --mark NAME                which of the game's own frame marks (default: \"render\", \"frame\" and\n"
    "                             the like, else the first that it sets)\n"
    "  --wait DURATION            how long to wait for the first mark (default: not at all)\n"
    "  --assume HZ                frames of this rate, 1 to 1000, read from /proc\n"
    "  --probe FILE OFFSET NAME   a function whose calls end frames; of several, the first that is called\n"
    "  --commits FILE OFFSET NAME a function that sends a Wayland client's requests: its commits end frames\n"
    "  --parts FILE OFFSET NAME   a function that shows a picture in parts: quick calls end one frame\n"
    "  --lookups FILE OFFSET NAME a function that hands out functions by name, as vkGetDeviceProcAddr does: the\n"
    "                             one that presents frames is told, and no call ends a frame\n"
    "  --presentmon FILE          the frames that this program tells on its standard output (Windows)\n"
    "  --samples WHICH            faults to tell whole: none, spikes, some (every 16th), all\n"
    "  --no-stacks                without their call stacks, where BPF programs tell every fault\n"
    "  --sample-after DURATION    spikes begin when a frame's faults have taken this long (500us)\n"
    "  --delay DURATION           delay each page fault by 100ns to 100us, in 16 frames of each 32, to find\n"
    "                             out what faults cost the frames (default: not at all)\n"
    "  --synthetic                a synthetic game in place of the process";

std::vector<std::string> sweepArguments(const SweepRequest& request) {
  std::vector<std::string> arguments{"sweep", "--interval", durationText(request.interval)};
  if (request.faster) arguments.emplace_back("--faster");
  if (request.attended) arguments.emplace_back("--attended");
  if (!request.faultTime) arguments.emplace_back("--no-fault-time");
  if (!request.sampling) arguments.emplace_back("--no-sampling");
  if (request.synthetic) arguments.emplace_back("--synthetic");
  if (request.synthetic && request.seed != SweepRequest().seed)
    arguments.push_back((request.windows ? "windows,64," : "64,") + std::to_string(request.seed));
  else if (request.synthetic && request.windows) arguments.emplace_back("windows");
  return arguments;
}

std::vector<std::string> watchArguments(const WatchOptions& options) {
  std::vector<std::string> arguments{"watch", std::to_string(options.pid)};
  const auto add = [&](std::initializer_list<std::string> more) { arguments.insert(arguments.end(), more); };
  if (options.assumedRate > 0) add({"--assume", std::to_string(options.assumedRate)});
  if (options.patience > 0ns) add({"--wait", durationText(options.patience)});
  if (!options.mark.empty()) add({"--mark", options.mark});
  if (!options.presentMon.empty()) add({"--presentmon", options.presentMon});
  for (const ProbePoint& point : options.probes)
    add({optionOf(point.calls), point.file, std::to_string(point.offset), point.name});
  add({"--samples", std::string(nameOf(options.samples))});
  if (options.samples == SampleMode::Spikes) add({"--sample-after", durationText(options.sampleAfter)});
  if (options.delay > 0ns) add({"--delay", durationText(options.delay)});
  if (!options.stacks) add({"--no-stacks"});
  if (options.synthetic) add({"--synthetic"});
  return arguments;
}

Result<WatchOptions> parseWatchArguments(std::span<const std::string> arguments) {
  Line line(arguments);
  WatchOptions options;
  bool pid = false;
  while (line.more()) {
    const std::string argument = line.next("An argument");
    if (argument.starts_with("--")) {
      parseOption(line, argument, options);
    } else if (!pid) {
      Line number(std::span(&argument, 1));
      options.pid = static_cast<std::uint32_t>(number.number("The process", 1, kMostPid));
      if (number.error()) line.refuse(number.error()->message);
      pid = true;
    } else {
      line.refuse(fmt::format("'watch' takes one process; '{}' is a second.", argument));
    }
  }
  if (!pid) line.refuse("The process is missing: faultline-collector watch PID.");
  if (line.error()) return tl::unexpected(*line.error());
  return options;
}

}  // namespace faultline

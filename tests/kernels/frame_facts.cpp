#include "tests/kernels/frame_facts.h"

#include <algorithm>
#include <vector>

#include "tests/kernels/collector_stream.h"
#include "tests/support/function_place.h"

namespace faultline::test {
namespace {

// A game whose frames have `pages` faults each, and `burst` every so often.
struct Play {
  std::string name;
  bool probe = false;  // its frames end at the calls of a function; else at its own marks
  std::uint64_t pages = 24;
  std::uint64_t burst = 5000;
};

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHugePages = 512;  // small ones in a large one
constexpr std::uint64_t kEvery = 20;
constexpr std::size_t kMostFrames = 3000;
constexpr std::ptrdiff_t kWholeFrames = 60;

struct Played {
  bool counts = false;       // each frame has the faults that it should
  bool zeroed = false;       // exactly
  bool zeroedAbout = false;  // by less than a quarter and 64 pages off, as an estimate may be
  bool times = false;
  std::string odd;  // frames of other counts, or of impossible times
};

// Bursts come every so often, so that the first one seen tells which of the others they are.
Played compare(const std::vector<GameFrame>& frames, const Play& play, bool mayHoldProbe) {
  Played played{.counts = true, .zeroed = true, .zeroedAbout = true, .times = true, .odd = {}};
  std::uint64_t measured = 0;
  std::uint64_t phase = 0;
  for (const GameFrame& frame : frames)
    if (phase == 0 && frame.values.minorFaults() > play.pages * 10) phase = frame.number % kEvery + kEvery;
  for (const GameFrame& frame : frames) {
    const std::uint64_t truth = frame.number % kEvery + kEvery == phase ? play.burst : play.pages;
    const std::uint64_t most = (truth + truth / kHugePages + 3) * kPage;
    if (frame.values.minorFaults() != truth || frame.values.majorFaults() != 0) {
      // Where a probe comes into the game's code, each of its two threads may fault once more.
      const bool atProbe =
          mayHoldProbe && frame.values.minorFaults() > truth && frame.values.minorFaults() <= truth + 2;
      if (!atProbe) played.counts = false;
      mayHoldProbe = false;
      played.odd +=
          " frame " + number(frame.number) + ": " + number(frame.values.minorFaults()) + " of " + number(truth) + ";";
    }
    measured += frame.values.get(FrameMetric::ZeroedBytes) || frame.values.time(FrameMetric::FaultTime) ? 1 : 0;
    if (measured == 0) continue;  // the marks are the game's own word, the rest may come some frames later
    const std::uint64_t zeroed = frame.values.get(FrameMetric::ZeroedBytes).value_or(0);
    const Nanoseconds time = frame.values.time(FrameMetric::FaultTime).value_or(Nanoseconds(0));
    const bool rightTime = time.count() > 0 && time <= 2 * frame.duration;  // of two threads
    if (!rightTime)
      played.odd += " frame " + number(frame.number) + ": " + number(static_cast<std::uint64_t>(time.count())) +
                    " of " + number(static_cast<std::uint64_t>(frame.duration.count())) + " ns;";
    played.zeroed = played.zeroed && zeroed >= truth * kPage && zeroed <= most;
    const bool about = zeroed >= truth * kPage * 3 / 4 && zeroed <= most * 5 / 4 + 64 * kPage;
    if (!about) played.odd += " frame " + number(frame.number) + ": " + number(zeroed / kPage) + " pages zeroed;";
    played.zeroedAbout = played.zeroedAbout && about;
    played.times = played.times && rightTime;
  }
  const auto enough = [](std::uint64_t count) { return count > 2 * kEvery; };
  played.counts = played.counts && phase != 0 && enough(frames.size());
  played.zeroed = played.zeroed && enough(measured);
  played.zeroedAbout = played.zeroedAbout && enough(measured);
  played.times = played.times && enough(measured);
  return played;
}

struct Seen {
  std::vector<GameFrame> frames;
  std::uint64_t samples = 0;
  std::uint64_t mapped = 0;    // of those: with the mapping
  std::uint64_t ofMemory = 0;  // of those: writable memory without a file, which all pages of the game are
};

// As many as there are to compare, or `enough`; on an emulated processor the first ones may long be over when all of it
// is measured.
Seen watch(CollectorStream& stream, std::ptrdiff_t enough = kWholeFrames) {
  Seen seen;
  const auto measured = [&] {
    return std::ranges::count_if(seen.frames, [](const GameFrame& frame) {
      return frame.values.time(FrameMetric::FaultTime) || frame.values.get(FrameMetric::ZeroedBytes);
    });
  };
  while (seen.frames.size() < kMostFrames && measured() < enough) {
    const auto event = stream.nextOf<const GameFrameBatch*, const FaultSampleBatch*>();
    if (!event) break;
    if (const auto* const batch = std::get_if<const GameFrameBatch*>(&*event)) {
      seen.frames.insert(seen.frames.end(), (*batch)->frames.begin(), (*batch)->frames.end());
      continue;
    }
    for (const FaultSample& sample : std::get<const FaultSampleBatch*>(*event)->samples) {
      const auto& mapping = sample.mapping;
      ++seen.samples;
      seen.mapped += mapping ? 1 : 0;
      seen.ofMemory += mapping && mapping->writable && !mapping->file && sample.address >= mapping->begin &&
                       sample.address < mapping->end;
    }
  }
  return seen;
}

void facts(const Setting& setting, const Play& play) {
  const std::string game = FAULTLINE_BIN "/fake_game";
  const std::string pages = "pages=" + number(play.pages);
  const std::string burst = "burst=" + number(play.burst);
  const pid_t child = fork();
  if (child == 0) {
    execl(game.c_str(), "fake_game", "rate=60", "frames=3600", pages.c_str(), burst.c_str(), "every=20",
          play.probe ? "mark=" : "mark=render", nullptr);
    _exit(127);
  }
  usleep(500'000);
  std::vector<std::string> line{setting.collector, "watch", "--wait", "5s", std::to_string(child)};
  if (setting.whole) line.insert(line.end(), {"--samples", "some"});
  if (play.probe) line.insert(line.end(), {"--probe", game, std::to_string(fakeGamePresent()), "fakeGamePresent"});
  CollectorStream stream(line);
  const auto hello = stream.next<Hello>();
  const Seen seen = watch(stream);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const int needs = play.probe ? 6006 : 5012;
  if (!hello || !hello->watched) {
    const std::string words = stream.complaint();
    return tell(play.name, play.probe && fits(setting, words, {.truth = {}, .needs = needs}) ? "missing" : "WRONG",
                words);
  }
  const WatchedGame& watched = *hello->watched;
  const Played played = compare(seen.frames, play, says(watched.faults.how, "at the probe"));
  if (!played.odd.empty()) std::printf("%s:%s\n", play.name.c_str(), played.odd.c_str());
  const auto one = [&](const char* of, const Quality& quality, bool right) {
    if (quality.grade == Grade::Unavailable)
      return judge(setting, play.name + of, quality, std::nullopt, {.truth = {}, .needs = needs});
    tell(play.name + of, !right ? "WRONG" : quality.grade == Grade::Exact ? "exact" : "estimated", quality.how);
  };
  one("", watched.faults, played.counts);
  one(", zeroed", watched.zeroed, watched.zeroed.grade == Grade::Exact ? played.zeroed : played.zeroedAbout);
  one(", times", watched.faultTime, played.times);
  if (!setting.whole) return;
  // BPF tells the mapping since bpf_find_vma() of Linux 5.17. A few of the faults are not for the game's pages.
  const bool told = watched.zeroed.grade == Grade::Unavailable || setting.version < 5017 || seen.mapped == seen.samples;
  const bool right = seen.samples > 100 && told && 10 * seen.ofMemory >= 9 * seen.mapped;
  one(", kind of memory", watched.samples, right);
}

// A game whose every tenth frame gives memory back, or has pages populated in advance; the others do nothing of it.
struct Planted {
  std::vector<std::uint64_t> planted;
  std::uint64_t otherwise = 0;  // the most of the other frames
  std::string odd;
};

template <class Amount>
Planted plantedIn(const std::vector<GameFrame>& frames, Amount amount) {
  Planted result;
  for (const GameFrame& frame : frames) {
    const std::optional<std::uint64_t> of = amount(frame);
    if (!of) continue;
    if (frame.number % 10 == 0) result.planted.push_back(*of);
    else result.otherwise = std::max(result.otherwise, *of);
    if (*of > static_cast<std::uint64_t>(frame.duration.count())) result.odd += " frame " + number(frame.number);
  }
  return result;
}

void plantedFacts(const Setting& setting, const std::string& cause) {
  constexpr std::ptrdiff_t kPlantedFrames = 45;
  constexpr std::uint64_t kFar = 10;
  constexpr std::uint64_t kPages = 2048;
  const std::string game = FAULTLINE_BIN "/planted_game";
  const std::string pages = "pages=" + number(kPages);
  const pid_t child = fork();
  if (child == 0) {
    execl(game.c_str(), "planted_game", cause.c_str(), "frames=600", "display=20", "plant=0", pages.c_str(), nullptr);
    _exit(127);
  }
  usleep(500'000);
  CollectorStream stream({setting.collector, "watch", "--wait", "5s", std::to_string(child)});
  const auto hello = stream.next<Hello>();
  const Seen seen = watch(stream, kPlantedFrames);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const std::string name = "frames by mark, " + cause;
  if (!hello || !hello->watched) return tell(name, "WRONG", stream.complaint());
  const bool teardown = cause == "teardown";
  const Quality& quality = teardown ? hello->watched->teardown : hello->watched->faultTime;
  if (quality.grade == Grade::Unavailable)
    return judge(setting, name, quality, std::nullopt, {.truth = {}, .needs = 5012});
  const auto ns = [](std::optional<Nanoseconds> time) {
    return time ? std::optional(static_cast<std::uint64_t>(time->count())) : std::nullopt;
  };
  const Planted times = plantedIn(seen.frames, [&](const GameFrame& frame) {
    return ns(teardown ? frame.values.time(FrameMetric::ThreadTeardownTime)
                       : frame.values.time(FrameMetric::ThreadFaultTime));
  });
  bool right = times.planted.size() >= 3 && times.odd.empty() &&
               std::ranges::min(times.planted) > kFar * times.otherwise && std::ranges::min(times.planted) > 0;
  for (const GameFrame& frame : seen.frames)
    if (!teardown && frame.number % 10 == 0 && frame.values.time(FrameMetric::ThreadFaultTime))
      right = right && frame.values.get(FrameMetric::ThreadMinorFaults).value_or(0) >= kPages &&
              !frame.values.get(FrameMetric::TimedFaults);
  const std::string least = times.planted.empty() ? "none" : number(std::ranges::min(times.planted)) + " ns or more";
  const char* const grade = quality.grade == Grade::Exact ? "exact" : "estimated";
  tell(name, right ? grade : "WRONG",
       least + ", else at most " + number(times.otherwise) + times.odd + ": " + quality.how);
}

}  // namespace

void frameFacts(const Setting& setting) {
  facts(setting, {.name = "frames by mark"});
  if (setting.whole) facts(setting, {.name = "frames of 16 and 8192 faults", .pages = 16, .burst = 8192});
  facts(setting, {.name = "frames by function", .probe = true});
  for (const char* const cause : {"teardown", "populate"}) plantedFacts(setting, cause);
}

}  // namespace faultline::test

#include "core/advice/advice.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/advice/text.h"
#include "core/trial/remedy.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kPresenting = 7;

FaultCause cause(FaultKind kind, MemoryKind memory, std::uint64_t faults, const std::string& line = "Level::load") {
  return {.kind = kind,
          .memory = memory,
          .name = "anonymous memory",
          .line = line,
          .thread = kPresenting,
          .faults = faults,
          .time = faults * 1us,
          .ranges = faults / 512 + 1};
}

// Late frames, 9 ms beyond the deadline, 12 ms of them in faults of the presenting thread.
struct Worst {
  JudgedFrame judged;
  Culprits culprits;
  std::size_t frames = 10;
  std::uint64_t faultsOfAll = 0;

  explicit Worst(std::vector<FaultCause> causes) {
    culprits.causes = std::move(causes);
    culprits.timed = true;
    culprits.samples = 1;
    GameFrame& frame = judged.frame;
    frame.thread = kPresenting;
    frame.duration = 26ms;
    frame.values.set(FrameMetric::MinorFaults, 12'000);
    frame.values.set(FrameMetric::ThreadMinorFaults, 12'000);
    frame.values.set(FrameMetric::ThreadMajorFaults, 0);
    frame.values.set(FrameMetric::FaultTime, 12ms);
    frame.values.set(FrameMetric::ThreadFaultTime, 12ms);
    judged.verdict = {
        .faultTime = 12ms, .costly = true, .late = true, .excess = 9ms, .explained = 1, .lateByFaults = true};
  }
  std::optional<PaidShare> paid{};
  [[nodiscard]] std::optional<Advice> advice() const {
    return adviceFor(std::vector<FrameEvidence>(frames, {judged, culprits}), faultsOfAll, paid);
  }
};

std::optional<AdviceKind> kindFor(const FaultCause& cause) {
  const auto advice = Worst({cause}).advice();
  return advice ? std::optional(advice->kind) : std::nullopt;
}

}  // namespace

TEST_CASE("Advice follows from the kind of the faults and the memory that they touch") {
  const auto kind = [](FaultKind fault, MemoryKind memory) { return kindFor(cause(fault, memory, 4096)); };
  CHECK(kind(FaultKind::TouchedAgain, MemoryKind::Heap) == AdviceKind::Keep);
  CHECK(kind(FaultKind::TouchedAgain, MemoryKind::Anonymous) == AdviceKind::Keep);
  CHECK(kind(FaultKind::FirstTouch, MemoryKind::Heap) == AdviceKind::Prefault);
  CHECK(kind(FaultKind::FirstTouch, MemoryKind::Stack) == AdviceKind::Prefault);
  CHECK(kind(FaultKind::CopyOnWrite, MemoryKind::Anonymous) == AdviceKind::NoCopies);
  CHECK(kind(FaultKind::File, MemoryKind::File) == AdviceKind::PopulateFile);
  CHECK(kind(FaultKind::File, MemoryKind::Device) == AdviceKind::KeepDevice);
  CHECK_FALSE(kind(FaultKind::SwappedIn, MemoryKind::Heap));
  CHECK_FALSE(kind(FaultKind::Unknown, MemoryKind::Heap));
  CHECK_FALSE(kind(FaultKind::Unknown, MemoryKind::Unknown));
}

TEST_CASE("First touches beside pages of earlier frames are touched again, where only some faults are sampled") {
  FaultCause again = cause(FaultKind::FirstTouch, MemoryKind::Anonymous, 10'240);
  again.inKnownBlocks = 10'000;
  CHECK(kindFor(again) == AdviceKind::Keep);
  again.inKnownBlocks = 100;
  CHECK(kindFor(again) == AdviceKind::Prefault);
}

TEST_CASE("Small mappings cannot have huge pages, and parts that are given back split them") {
  FaultCause pieces = cause(FaultKind::FirstTouch, MemoryKind::Anonymous, 4096);
  pieces.inSmallMappings = 4096;
  pieces.ranges = 16;
  CHECK(kindFor(pieces) == AdviceKind::OnePiece);
  pieces.ranges = 2;
  CHECK(kindFor(pieces) == AdviceKind::Prefault);
  FaultCause parts = cause(FaultKind::TouchedAgain, MemoryKind::Anonymous, 2048);
  parts.ranges = 32;
  CHECK(kindFor(parts) == AdviceKind::WholeHuge);
  parts.ranges = 4;
  CHECK(kindFor(parts) == AdviceKind::Keep);
  parts.ranges = 32;
  parts.memory = MemoryKind::Heap;
  CHECK(kindFor(parts) == AdviceKind::Keep);
}

TEST_CASE("The largest kind decides, by time; its line and its share are named") {
  const Worst worst({cause(FaultKind::TouchedAgain, MemoryKind::Heap, 6000),
                     cause(FaultKind::TouchedAgain, MemoryKind::Heap, 3000, "Sound::mix"),
                     cause(FaultKind::File, MemoryKind::File, 3000, "Text::find")});
  const auto advice = worst.advice();
  REQUIRE(advice);
  CHECK(advice->kind == AdviceKind::Keep);
  CHECK(advice->line == "Level::load");
  CHECK(advice->share == Catch::Approx(0.75));
  CHECK(advice->frames == 10);
  CHECK(advice->bytes == std::uint64_t{9000} * 4096);
  CHECK(*advice->cost == Catch::Approx(12e6));
  CHECK(*advice->gain == Catch::Approx(9e6));  // three quarters of 12 ms, of 9 ms of lateness
}

TEST_CASE("Faults that are not on the path of the frame give no advice") {
  const FaultCause own = cause(FaultKind::TouchedAgain, MemoryKind::Heap, 4096);
  Worst worst({own});
  worst.judged.verdict.lateByFaults = false;  // late for other reasons
  CHECK_FALSE(worst.advice());
  worst.judged.verdict.late = false;  // costly, and the presenting thread paid
  CHECK(worst.advice());
  worst.judged.frame.values.set(FrameMetric::ThreadFaultTime, 1ms);  // others paid
  CHECK_FALSE(worst.advice());
  FaultCause other = own;
  other.thread = 8;
  worst.culprits.causes = {other};
  worst.judged.verdict.lateByFaults = worst.judged.verdict.late = true;
  CHECK_FALSE(worst.advice());  // a bystander's: the little that its own thread spent made the frame late
  worst.judged.frame.values.set(FrameMetric::ThreadAwaitedFaultTime, 11ms);
  CHECK(worst.advice());  // the frame waited for the others
  worst.judged.frame.values.set(FrameMetric::ThreadAwaitedFaultTime, 4ms);
  CHECK_FALSE(worst.advice());           // or for some of them, and nothing tells for which
  CHECK_FALSE(Worst({other}).advice());  // the presenting thread's own faults made the frame late
}

TEST_CASE("Advice on a late frame counts what is on its path, not the faults of a bystander that has more of them") {
  Worst worst({cause(FaultKind::TouchedAgain, MemoryKind::Heap, 4096)});
  worst.judged.frame.values.set(FrameMetric::MinorFaults, 48'000);
  worst.judged.frame.values.set(FrameMetric::FaultTime, 40ms);
  worst.judged.verdict.faultTime = 40ms;
  worst.judged.verdict.excess = 30ms;
  FaultCause bystander = cause(FaultKind::FirstTouch, MemoryKind::Anonymous, 36'000, "Sound::stream");
  bystander.thread = 8;
  worst.culprits.causes.push_back(bystander);
  const auto advice = worst.advice();
  REQUIRE(advice);
  CHECK(advice->kind == AdviceKind::Keep);
  CHECK(advice->line == "Level::load");
  CHECK(advice->faults == 12'000);
  CHECK(*advice->gain == Catch::Approx(12e6));
}

TEST_CASE("Few frames, many kinds and no sample give no advice") {
  Worst few({cause(FaultKind::TouchedAgain, MemoryKind::Heap, 4096)});
  few.frames = kFewestFrames - 1;
  CHECK_FALSE(few.advice());
  few.frames = kFewestFrames;
  CHECK(few.advice());
  CHECK_FALSE(Worst({}).advice());
  CHECK_FALSE(adviceFor({}, 0));
  CHECK_FALSE(
      Worst({cause(FaultKind::TouchedAgain, MemoryKind::Heap, 1000), cause(FaultKind::Unknown, MemoryKind::Heap, 4000)})
          .advice());
}

TEST_CASE("A frame that waits while memory is given back is told so; memory that is taken again is kept instead") {
  Worst worst({cause(FaultKind::FirstTouch, MemoryKind::Heap, 10)});
  worst.judged.verdict.lateByFaults = false;
  worst.judged.verdict.lateByTeardown = true;
  worst.judged.frame.values.set(FrameMetric::ThreadTeardownTime, 8ms);
  worst.judged.frame.values.set(FrameMetric::TeardownTime, 8ms);
  const auto later = worst.advice();
  REQUIRE(later);
  CHECK(later->kind == AdviceKind::GiveBackLater);
  CHECK(*later->gain == Catch::Approx(8e6));

  worst.culprits.causes = {cause(FaultKind::TouchedAgain, MemoryKind::Heap, 4096)};
  const auto kept = worst.advice();
  REQUIRE(kept);
  CHECK(kept->kind == AdviceKind::Keep);
  CHECK(*kept->cost == Catch::Approx(20e6));
  CHECK(*kept->gain == Catch::Approx(9e6));  // not more than the lateness
}

TEST_CASE("Where no time is known, the expected gain is a number of faults") {
  Worst worst(
      {cause(FaultKind::TouchedAgain, MemoryKind::Heap, 9000), cause(FaultKind::Unknown, MemoryKind::Unknown, 3000)});
  worst.culprits.timed = false;
  worst.judged.verdict.faultTime.reset();
  worst.judged.frame.values.clear(FrameMetric::FaultTime);
  worst.judged.frame.values.clear(FrameMetric::ThreadFaultTime);
  const auto advice = worst.advice();
  REQUIRE(advice);
  CHECK_FALSE(advice->gain);
  CHECK(adviceText(*advice).find("Expected: about 9\u202f000 of 12\u202f000 faults of such a frame; their time is "
                                 "unavailable.") != std::string::npos);
}

TEST_CASE(
    "Where delays have shown what faults cost, the expected gain is of that share, and of no share there is no "
    "advice") {
  Worst worst({cause(FaultKind::TouchedAgain, MemoryKind::Heap, 4096)});
  worst.judged.verdict.excess = 20ms;
  CHECK(*worst.advice()->gain == Catch::Approx(12e6));
  worst.paid = PaidShare{.slope = {.slope = 0.5, .low = 0.4, .high = 0.6, .pairs = 20}};
  const auto half = worst.advice();
  REQUIRE(half);
  CHECK(half->paid == 0.5);
  CHECK(*half->gain == Catch::Approx(6e6));
  CHECK(adviceText(*half).find("Expected: about 6.00 ms of the 20.0 ms by which such a frame is late. Delayed faults "
                               "show that it pays 50 % of their time. Price:") != std::string::npos);
  CHECK(nlohmann::json::parse(adviceJson(*half))["paid_share"] == 0.5);
  worst.paid->slope = {.slope = 1.04, .low = 0.98, .high = 1.1, .pairs = 20};
  CHECK(*worst.advice()->gain == Catch::Approx(12e6));  // not more than the time in faults
  worst.paid->slope = {.slope = 0.01, .low = -0.02, .high = 0.04, .pairs = 20};
  CHECK_FALSE(worst.advice());
  worst.paid->atLeast = true;  // waits for these threads were not seen
  CHECK(worst.advice());
  worst.paid->atLeast = false;
  worst.paid->slope.high = 0.5;  // perhaps it pays
  CHECK(worst.advice());
}

TEST_CASE("The advice is a sentence with line, remedy, gain, price and command") {
  FaultCause freed = cause(FaultKind::TouchedAgain, MemoryKind::Heap, 4096, "Level::load (level.cpp:212)");
  freed.ofMalloc = 4096;
  const auto advice = Worst({freed}).advice();
  REQUIRE(advice);
  const std::vector<std::string> program{"./my game", "--level", "it's"};
  CHECK(adviceText(*advice, program) ==
        "100 % of the time in faults of the 10 worst frames is for memory that is touched again after it was given "
        "back, in Level::load (level.cpp:212): keep it, or take it from a pool. Expected: about 9.00 ms of the 9.00 ms "
        "by "
        "which such a frame is late. Price: the memory stays taken; its peak does not grow. Try: faultline-cli try "
        "--frames --with keep --with huge-keep -- './my game' --level 'it'\\''s'");
  const auto json = nlohmann::json::parse(adviceJson(*advice, program));
  CHECK(json["kind"] == "keep");
  CHECK(json["share"] == 1.0);
  CHECK(json["expected_gain_ns"] == 9'000'000);
  CHECK(json["remedies"] == nlohmann::json{"keep", "huge-keep"});
  CHECK(json["text"] == adviceText(*advice, program));
}

TEST_CASE("Remedies of malloc are named only where they can reach the memory") {
  FaultCause mapped = cause(FaultKind::TouchedAgain, MemoryKind::Anonymous, 4096);
  const std::vector<std::string> program{"./game"};
  const auto perhaps = Worst({mapped}).advice();
  REQUIRE(perhaps);
  CHECK(adviceText(*perhaps, program)
            .ends_with("If malloc serves this memory, try: faultline-cli try --frames --with "
                       "keep --with huge-keep -- ./game"));
  CHECK(nlohmann::json::parse(adviceJson(*perhaps))["served_by_malloc"].is_null());
  mapped.notOfMalloc = 4000;
  const auto own = Worst({mapped}).advice();
  REQUIRE(own);
  CHECK(own->kind == AdviceKind::Keep);
  CHECK(remediesOf(*own).empty());
  CHECK(tryCommand(*own, program).empty());
  CHECK(adviceText(*own, program)
            .ends_with("Malloc does not serve this memory: no remedy of 'faultline-cli try' reaches it."));
  const auto json = nlohmann::json::parse(adviceJson(*own, program));
  CHECK(json["served_by_malloc"] == false);
  CHECK(json["remedies"].empty());
  CHECK(json["try"].is_null());
  mapped.notOfMalloc = 0;
  mapped.ofMalloc = 4000;
  CHECK(nlohmann::json::parse(adviceJson(*Worst({mapped}).advice()))["served_by_malloc"] == true);
}

TEST_CASE("The amount to populate is that of all frames, and is in the command that tries it") {
  Worst worst({cause(FaultKind::FirstTouch, MemoryKind::Heap, 4096)});
  worst.faultsOfAll = 81'920;
  CHECK(worst.advice()->bytes == std::uint64_t{320} << 20U);
  worst.faultsOfAll = 0;
  const auto advice = worst.advice();
  REQUIRE(advice);
  const auto words = tryCommand(*advice, {});
  CHECK(asTyped(words) == "faultline-cli try --frames --with prefault --with huge --prefault 160 -- PROGRAM");
  CHECK(adviceText(*advice).find("populate at least 160 MiB of it at load") != std::string::npos);
}

TEST_CASE("Each remedy that an advice names can be tried") {
  for (std::size_t kind = 0; kind <= static_cast<std::size_t>(AdviceKind::GiveBackLater); ++kind) {
    const Advice advice{.kind = static_cast<AdviceKind>(kind), .frames = 3};
    CHECK_FALSE(adviceText(advice).empty());
    for (const std::string& name : remediesOf(advice)) {
      const auto remedies = remediesFor({});
      CHECK(std::ranges::find(remedies, name, &Remedy::name) != remedies.end());
    }
  }
}

TEST_CASE("The worst frames of a watch are the evidence, and those without culprits have no cause") {
  const Worst worst({cause(FaultKind::TouchedAgain, MemoryKind::Heap, 12'000)});
  FrameTally tally;
  tally.worst.assign(5, worst.judged);
  for (std::size_t i = 0; i < tally.worst.size(); ++i) tally.worst[i].frame.number = i;
  const auto found = [&](std::uint64_t first) {
    return adviceOn(
        tally,
        [&, first](const JudgedFrame& judged) { return judged.frame.number < first ? nullptr : &worst.culprits; }, {});
  };
  REQUIRE(found(0));
  CHECK(found(0)->kind == AdviceKind::Keep);
  CHECK(found(0)->frames == 5);
  CHECK_FALSE(found(5));
}

}  // namespace faultline::test

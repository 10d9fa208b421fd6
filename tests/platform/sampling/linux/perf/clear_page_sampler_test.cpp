#include "platform/sampling/linux/perf/clear_page_sampler.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

struct Seen {
  bool attended = true;
  bool broken = false;
};

class FakeSampler final : public Sampler {
 public:
  explicit FakeSampler(Seen& seen) : m_seen(seen) {}

  [[nodiscard]] Hello hello() const override {
    Hello hello;
    hello.source = "fake";
    hello.quality(ProcessMetric::MinorFaults).how = "invented";
    return hello;
  }
  void attend(bool active) override { m_seen.attended = active; }
  [[nodiscard]] SamplerNeeds needs() override { return {.opensIn = 7, .privileges = true}; }
  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    if (m_seen.broken) return fail("It is broken.");
    out.processes.assign(1, ProcessSample{{7, 10}, "process", {}});
    return {};
  }

 private:
  Seen& m_seen;
};

}  // namespace

TEST_CASE("a sampler to which sampled zeroing is added stays what it was in everything else") {
  for (const bool wanted : {false, true}) {
    CAPTURE(wanted);
    Seen seen;
    const auto sampler = withClearPageSampling(std::make_unique<FakeSampler>(seen), wanted);
    CHECK(sampler->hello().source == "fake");
    CHECK(sampler->hello().quality(ProcessMetric::MinorFaults).how == "invented");
    CHECK(sampler->needs().opensIn == 7);
    CHECK(sampler->needs().privileges);
    sampler->attend(false);
    CHECK_FALSE(seen.attended);
    sampler->attend(true);
    CHECK(seen.attended);

    Snapshot snapshot;
    REQUIRE(sampler->sample(snapshot));
    REQUIRE(snapshot.processes.size() == 1);
    const bool measured = sampler->hello().quality(ProcessMetric::SampledZeroingTime).grade == Grade::Estimated;
    CHECK(snapshot.processes[0].values.has(ProcessMetric::SampledZeroingTime) == measured);
    CHECK_FALSE((measured && !wanted));
    seen.broken = true;
    const auto sampled = sampler->sample(snapshot);
    REQUIRE_FALSE(sampled);
    CHECK(sampled.error().message == "It is broken.");
  }
}

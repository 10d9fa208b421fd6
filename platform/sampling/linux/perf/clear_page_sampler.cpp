#include "platform/sampling/linux/perf/clear_page_sampler.h"

#include <utility>

#include "platform/sampling/linux/facts/quality.h"
#include "platform/sampling/linux/perf/clear_page_sampling.h"

namespace faultline {
namespace {

using MaybeSampling = Result<ClearPageSampling, Unavailable>;

class ClearPageSampler final : public Sampler {
 public:
  ClearPageSampler(std::unique_ptr<Sampler> sampler, MaybeSampling sampling)
      : m_sampler(std::move(sampler)), m_sampling(std::move(sampling)) {}

  [[nodiscard]] Hello hello() const override {
    Hello hello = m_sampler->hello();
    hello.quality(ProcessMetric::SampledZeroingTime) =
        m_sampling ? m_sampling->quality() : unavailable(m_sampling.error());
    return hello;
  }

  void attend(bool active) override {
    m_sampler->attend(active);
    if (m_sampling) m_sampling->attend(active);
  }

  [[nodiscard]] SamplerNeeds needs() override { return m_sampler->needs(); }

  [[nodiscard]] Errand errand() override { return m_sampler->errand(); }

  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    if (m_sampling) m_sampling->drain();
    auto sampled = m_sampler->sample(out);
    if (sampled && m_sampling) m_sampling->addTo(out);
    return sampled;
  }

 private:
  std::unique_ptr<Sampler> m_sampler;
  MaybeSampling m_sampling;
};

MaybeSampling switchedOff() {
  return tl::unexpected(
      Unavailable{"Sampling was switched off when the collector was started", "Start it without --no-sampling."});
}

}  // namespace

std::unique_ptr<Sampler> withClearPageSampling(std::unique_ptr<Sampler> sampler, bool wanted,
                                               const Unavailable& noSlot) {
  MaybeSampling sampling = !wanted              ? switchedOff()
                           : noSlot.why.empty() ? ClearPageSampling::open()
                                                : tl::unexpected(noSlot);
  return std::make_unique<ClearPageSampler>(std::move(sampler), std::move(sampling));
}

}  // namespace faultline

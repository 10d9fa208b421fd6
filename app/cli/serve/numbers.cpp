#include "app/cli/serve/numbers.h"

#include <utility>

#include "core/query/now.h"

namespace faultline {
namespace {

// The detector of spikes asks the past for the name of a parent, and nobody for more.
MonitorOptions withShortPast(std::size_t historyBytes) {
  MonitorOptions options;
  options.history = {.budgetBytes = historyBytes, .fullResolution = std::chrono::seconds(10)};
  options.keptSpikes = 100;
  return options;
}

}  // namespace

Numbers::Numbers(std::size_t programs, bool services, std::size_t historyBytes)
    : m_monitor(withShortPast(historyBytes)),
      m_hasServices(services),
      m_totals(programs),
      m_byService(programs, serviceName) {}

void Numbers::begin(const std::function<void(Monitor&)>& ingest) {
  const std::lock_guard lock(m_mutex);
  ingest(m_monitor);
}

void Numbers::take(const Snapshot& snapshot) {
  const std::lock_guard lock(m_mutex);
  m_monitor.ingest(snapshot);
  m_totals.add(m_monitor.now());
  if (m_hasServices) m_byService.add(m_monitor.now());
  for (const Spike& spike : m_monitor.spikesNow())
    if (!spike.open && !spike.again) m_totals.addSpike(spike.name);
}

Result<std::string> Numbers::now(std::string_view question) const {
  const std::lock_guard lock(m_mutex);
  return answerNow(m_monitor, question);
}

std::string Numbers::text(PrometheusFormat format) const {
  const std::lock_guard lock(m_mutex);
  return prometheusText(m_monitor.hello(), m_monitor.now(), m_totals, format, m_hasServices ? &m_byService : nullptr);
}

}  // namespace faultline

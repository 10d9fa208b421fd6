#include "app/cli/serve/numbers.h"

#include <set>
#include <string_view>
#include <utility>

#include "core/query/now.h"
#include "core/recording/recent.h"
#include "platform/host/processes.h"

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
  if (recentAsked(question))
    return fail("'faultline-cli serve' keeps no past. Start the tray app, or 'faultline-cli record --ring 1h'.");
  return answerNow(m_monitor, question);
}

// By the first process of each service that has a series of its own.
std::map<std::string, GroupFaults> Numbers::kernelSums() const {
  std::map<std::string, GroupFaults> sums;
  std::set<std::string_view> asked;
  for (const ProcessRow& row : m_monitor.now().rows) {
    if (row.exited || !m_byService.programs().contains(row.service) || !asked.insert(row.service).second) continue;
    if (const auto faults = faultsOfService(row.key.pid, row.service)) sums.emplace(row.service, *faults);
  }
  return sums;
}

std::string Numbers::text(PrometheusFormat format) const {
  const std::lock_guard lock(m_mutex);
  if (!m_hasServices) return prometheusText(m_monitor.hello(), m_monitor.now(), m_totals, format);
  const ServiceSums services{m_byService, kernelSums()};
  return prometheusText(m_monitor.hello(), m_monitor.now(), m_totals, format, &services);
}

}  // namespace faultline

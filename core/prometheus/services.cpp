#include "core/prometheus/services.h"

namespace faultline {
namespace {

constexpr int kReads = 2;

}  // namespace

const std::string& ServiceNames::of(const ProcessKey& key) const {
  const auto known = m_known.find(key);
  return known == m_known.end() ? m_none : known->second.name;
}

// The nearest ancestor that is known.
const std::string& ServiceNames::inherited(const ProcessKey& key, const ParentOf& parentOf) const {
  ProcessKey child = key;
  for (auto parent = parentOf(child); parent && *parent != child; parent = parentOf(child)) {
    if (const auto known = m_known.find(*parent); known != m_known.end() && known->second.reads > 0)
      return known->second.name;
    child = *parent;
  }
  return m_none;
}

void ServiceNames::take(const Moment& now, const ParentOf& parentOf) {
  for (auto& [key, known] : m_known) known.here = false;
  for (const ProcessRow& row : now.rows) {
    Known& known = m_known[row.key];
    known.here = true;
    if (known.reads >= kReads) continue;
    if (const auto read = row.exited ? std::nullopt : m_reader(row.key)) {
      known.name = read->empty() ? kNoService : *read;
      ++known.reads;
    } else if (known.reads == 0) {
      known.name = inherited(row.key, parentOf);
    }
  }
  std::erase_if(m_known, [](const auto& each) { return !each.second.here; });
}

}  // namespace faultline

#include "core/monitor/family_costs.h"

#include <algorithm>
#include <span>

#include "core/history/parent.h"
#include "core/model/metric.h"

namespace faultline {
namespace {

constexpr Nanoseconds kKept = std::chrono::minutes(10);
constexpr std::size_t kMostDead = 8192;  // History with its default budget forgets them then, too
constexpr std::size_t kLooks = 1024;     // at dead processes in one sweep: many may have to stay
constexpr int kMostAncestors = 100;      // more than any real family has; limits damaged recordings

template <class Node, class Visit>
void forAncestors(Node& node, Visit visit) {
  int left = kMostAncestors;
  for (auto* ancestor = node.parent; ancestor != nullptr && left > 0; ancestor = ancestor->parent, --left)
    visit(*ancestor);
}

}  // namespace

void FamilyCosts::add(const Moment& moment, const Snapshot* previous) {
  if (alignRows(moment, previous)) {
    for (std::size_t i = 0; i < m_alive.size(); ++i) {
      if (m_alive[i].node->unlinked) link(*m_alive[i].node, moment.rows[i]);
    }
  }
  for (std::size_t i = 0; i < m_alive.size(); ++i) {
    const ProcessDeltas& deltas = moment.rows[i].deltas;
    Node& node = *m_alive[i].node;
    if (moment.rows[i].unseenMinor != 0 || moment.rows[i].unseenMajor != 0) addUnseen(node, moment.rows[i]);
    const bool idle = moment.rows[i].idle || deltas.zero();
    if (idle && (deltas.present() & ~node.own.present()) == 0) continue;  // the common case
    const double rate = moment.perSecond(deltas.get(ProcessMetric::MinorFaults)).value_or(0);
    node.minorPerSecond = std::max(node.minorPerSecond, rate);
    node.own.add(deltas);
    forAncestors(node, [&](Node& ancestor) {
      if (!ancestor.others) ancestor.others = std::make_unique<ProcessDeltas>();
      ancestor.others->add(deltas);
    });
  }
  if (std::ranges::any_of(moment.rows, &ProcessRow::exited)) {
    m_scratch.clear();
    for (std::size_t i = 0; i < m_alive.size(); ++i) {
      if (moment.rows[i].exited) end(*m_alive[i].node, moment.time, moment.rows[i].values);
      else m_scratch.push_back(m_alive[i]);
    }
    m_alive.swap(m_scratch);
  }
  forget(moment.time);
}

// Unsigned sums wrap, so a negative correction reduces them.
void FamilyCosts::addUnseen(Node& node, const ProcessRow& row) {
  const auto grow = [](std::int64_t& sum, std::int64_t more) {
    const std::int64_t before = std::max<std::int64_t>(sum, 0);
    sum += more;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0) - before);
  };
  ProcessDeltas faults;
  faults.set(ProcessMetric::MinorFaults, grow(node.unseenMinor, row.unseenMinor));
  faults.set(ProcessMetric::MajorFaults, grow(node.unseenMajor, row.unseenMajor));
  const std::uint64_t all = *faults.get(ProcessMetric::MinorFaults) + *faults.get(ProcessMetric::MajorFaults);
  const auto charge = [&](Node& to) {
    if (!to.others) to.others = std::make_unique<ProcessDeltas>();
    to.others->add(faults);
    to.unseen += all;
  };
  charge(node);
  forAncestors(node, charge);
}

// Aligns m_alive with the rows. True if a row is new.
bool FamilyCosts::alignRows(const Moment& moment, const Snapshot* previous) {
  const auto vanish = [&](const Living& living) {
    const std::span<const ProcessSample> all = previous ? std::span(previous->processes) : std::span<ProcessSample>();
    const auto last = std::ranges::lower_bound(all, living.key, {}, &ProcessSample::key);
    end(*living.node, moment.time, last != all.end() && last->key == living.key ? last->values : living.node->own);
  };
  bool anyNew = false;
  m_scratch.clear();
  auto old = m_alive.begin();
  for (const ProcessRow& row : moment.rows) {
    for (; old != m_alive.end() && old->key < row.key; ++old) vanish(*old);
    if (old != m_alive.end() && old->key == row.key) {
      if (old->node->service->first != row.service) enter(*old->node, row.service);
      m_scratch.push_back(*old++);
      continue;
    }
    const auto [it, isNew] = m_nodes.try_emplace(row.key);
    Node& node = it->second;
    if (!isNew) revive(node);
    node.key = row.key;
    enter(node, row.service);
    anyNew = anyNew || isNew;
    m_scratch.push_back({row.key, &node});
  }
  for (; old != m_alive.end(); ++old) vanish(*old);
  m_alive.swap(m_scratch);
  return anyNew;
}

// The parent is the process that had the parent pid when the child began: the last known one that began before it.
void FamilyCosts::link(Node& node, const ProcessRow& row) {
  node.unlinked = false;
  const auto pid = row.values.get(ProcessMetric::ParentPid);
  if (!pid || *pid > UINT32_MAX || *pid == row.key.pid) return;
  const auto found = parentIn(m_alive, *pid, row.key.startTime, &Living::key);
  if (found == m_alive.end()) return;
  Node& parent = *found->node;
  bool circle = false;
  forAncestors(parent, [&](const Node& ancestor) { circle = circle || &ancestor == &node; });
  if (circle) return;
  node.parent = &parent;
  ++parent.children;
  const std::uint32_t all = 1 + node.started;  // some of its children may have been linked already
  forAncestors(node, [all](Node& ancestor) { ancestor.started += all; });
}

void FamilyCosts::enter(Node& node, const std::string& service) {
  if (node.service != nullptr) leave(node, {});
  node.service = &*m_services.try_emplace(service).first;
  ++node.service->second.running;
}

void FamilyCosts::leave(Node& node, const ProcessValues& last) {
  Service& service = node.service->second;
  ProcessDeltas counters = last;
  counters.clearAll(~kProcessCounters);
  service.ended.add(counters);
  if (--service.running == 0) m_services.erase(node.service->first);
  node.service = nullptr;
}

void FamilyCosts::end(Node& node, MonotonicTime time, const ProcessValues& last) {
  leave(node, last);
  node.ended = time;
  m_dead.push_back(&node);
  forAncestors(node, [](Node& ancestor) { ++ancestor.endedOthers; });
}

// The process reappears, for instance after it was unreadable for a while.
void FamilyCosts::revive(Node& node) {
  std::erase(m_dead, &node);
  forAncestors(node, [](Node& ancestor) { --ancestor.endedOthers; });
}

// Skips nodes with known children: these reach their ancestors through them.
void FamilyCosts::forget(MonotonicTime now) {
  std::size_t looks = std::min(m_dead.size(), kLooks);
  while (looks-- > 0 && (now - m_dead.front()->ended > kKept || m_dead.size() > kMostDead)) {
    Node* const node = m_dead.front();
    m_dead.pop_front();
    if (node->children > 0) {
      m_dead.push_back(node);
      continue;
    }
    if (node->parent != nullptr) --node->parent->children;
    m_nodes.erase(node->key);
  }
  if (m_dead.size() > kMostDead / 8 * 9) forgetAncestors();
}

// A daemon that goes on as its own child each second has a family without end: the dead that ended first give way, and
// their children become those of the nearest ancestor that stays.
void FamilyCosts::forgetAncestors() {
  std::ranges::sort(m_dead, {}, &Node::ended);
  const auto stay = m_dead.begin() + static_cast<std::ptrdiff_t>(m_dead.size() - kMostDead);
  std::for_each(m_dead.begin(), stay, [](Node* node) { node->leaves = true; });
  for (auto& [key, node] : m_nodes) {
    Node* const parent = node.parent;
    while (node.parent != nullptr && node.parent->leaves) node.parent = node.parent->parent;
    if (node.leaves && node.parent != nullptr && node.parent == parent) --parent->children;
    if (!node.leaves && node.parent != nullptr && node.parent != parent) ++node.parent->children;
  }
  std::for_each(m_dead.begin(), stay, [this](Node* node) { m_nodes.erase(node->key); });
  m_dead.erase(m_dead.begin(), stay);
}

void FamilyCosts::clear() {
  m_nodes.clear();
  m_alive.clear();
  m_dead.clear();
  m_services.clear();
}

ProcessDeltas FamilyCosts::endedOf(const std::string& service) const {
  const auto known = m_services.find(service);
  return known == m_services.end() ? ProcessDeltas() : known->second.ended;
}

const FamilyCosts::Node* FamilyCosts::find(const ProcessKey& key) const {
  const auto alive = std::ranges::lower_bound(m_alive, key, {}, &Living::key);
  if (alive != m_alive.end() && alive->key == key) return alive->node;
  const auto dead = m_nodes.find(key);
  return dead == m_nodes.end() ? nullptr : &dead->second;
}

std::optional<FamilyCost> FamilyCosts::of(const ProcessKey& key) const {
  const Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  ProcessDeltas family = node->own;
  if (node->others) family.add(*node->others);
  return FamilyCost{node->own, family, node->unseen, node->minorPerSecond, node->started, node->endedOthers};
}

std::optional<ProcessKey> FamilyCosts::parent(const ProcessKey& key) const {
  const Node* const node = find(key);
  return node == nullptr || node->parent == nullptr ? std::nullopt : std::optional(node->parent->key);
}

double FamilyCosts::peak(const ProcessKey& key) const {
  const Node* const node = find(key);
  return node == nullptr ? 0 : node->minorPerSecond;
}

}  // namespace faultline

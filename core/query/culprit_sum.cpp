#include "core/query/culprit_sum.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

// Without call stacks no line is known.
std::vector<CulpritShare> sharesBy(std::string_view by, const Culprits& culprits) {
  if (by == "mapping") return culprits.ofAll.memory;
  if (by == "thread") return culprits.ofAll.threads;
  if (by == "kind") return culprits.ofAll.kinds;
  if (!culprits.ofAll.lines.empty()) return culprits.ofAll.lines;
  return {{.name = "unknown", .faults = culprits.faults, .time = culprits.time}};
}

Json costJson(const Culprits& all, const CulpritShare& share) {
  return {{"faults", share.faults},
          {"fault_ns", all.timed ? Json(share.time.count()) : Json()},
          {"share", all.shareOfAll(share)}};
}

struct Stack {
  std::vector<const CallTree*> calls;  // the thread first
  CulpritShare own;                    // of its innermost function
};

void collect(const CallTree& node, std::vector<const CallTree*>& calls, std::vector<Stack>& out) {
  calls.push_back(&node);
  for (const CallTree& child : node.children) collect(child, calls, out);
  if (const auto [faults, time, majors] = ownCost(node); faults > 0)
    out.push_back({calls, {.name = {}, .faults = faults, .time = time}});
  calls.pop_back();
}

}  // namespace

void CulpritSum::count(const CulpritShare& share) {
  const std::pair key{share.name, share.thread};
  const bool own = m_shares.size() < m_most || m_shares.contains(key);
  Kept& kept = own ? m_shares[key] : m_others;
  kept.share.name = share.name;
  kept.share.thread = share.thread;
  kept.share.faults += share.faults;
  kept.share.time += share.time;
  ++kept.frames;
}

void CulpritSum::add(const Culprits& culprits) {
  if (culprits.samples == 0) return;
  ++m_frames;
  m_all.samples += culprits.samples;
  m_all.faults += culprits.faults;
  m_all.time += culprits.time;
  m_timed = m_timed && culprits.timed;
  for (const CulpritShare& share : sharesBy(m_by, culprits)) count(share);
}

Json CulpritSum::json(std::size_t top) const {
  Culprits all = m_all;
  all.timed = m_timed && all.samples > 0;
  std::vector<const Kept*> kept;
  kept.reserve(m_shares.size());
  for (const auto& [key, one] : m_shares) kept.push_back(&one);
  const auto amount = [&](const Kept* one) { return std::pair(all.shareOfAll(one->share), one->share.faults); };
  std::ranges::stable_sort(kept, std::ranges::greater(), amount);
  Json rows = Json::array();
  Kept others = m_others;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const CulpritShare& share = kept[i]->share;
    if (i >= top) {
      others.share.faults += share.faults;
      others.share.time += share.time;
      continue;
    }
    Json row{{"name", validUtf8(share.name)}};
    if (m_by == "thread") row["thread"] = share.thread;
    row.update(costJson(all, share));
    row["frames"] = kept[i]->frames;
    rows.push_back(std::move(row));
  }
  return {{"by", m_by},
          {"samples", all.samples},
          {"sampled_faults", all.faults},
          {"sampled_fault_ns", all.timed ? Json(all.time.count()) : Json()},
          {"share_of", all.timed ? "fault_ns" : "faults"},
          {"frames", m_frames},
          {"culprits", rows},
          {"others", costJson(all, others.share)}};
}

Json stacksJson(const Culprits& culprits, std::size_t top) {
  std::vector<Stack> stacks;
  std::vector<const CallTree*> calls;
  const CallTree tree = withoutLines(culprits.tree);
  if (culprits.stacks)
    for (const CallTree& thread : tree.children) collect(thread, calls, stacks);
  std::ranges::stable_sort(stacks, std::ranges::greater(),
                           [&](const Stack& stack) { return culprits.shareOfAll(stack.own); });
  stacks.resize(std::min(stacks.size(), top));
  Json rows = Json::array();
  for (const Stack& stack : stacks) {
    Json names = Json::array();
    for (const CallTree* call : std::span(stack.calls).subspan(1)) names.push_back(validUtf8(call->name));
    Json& row = rows.emplace_back(Json{{"thread", validUtf8(stack.calls.front()->name)}, {"calls", names}});
    row.update(costJson(culprits, stack.own));
  }
  return rows;
}

}  // namespace faultline

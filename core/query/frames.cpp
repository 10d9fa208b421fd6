#include "core/query/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/export/quality_json.h"
#include "core/frames/files/export_json.h"
#include "core/frames/ledger.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

// Of a row in a list; a frame that is asked for by its number has all.
constexpr auto kBrief =
    std::to_array<std::string_view>({"frame",        "start_ns",           "duration_ns",
                                     "deadline_ns",  "deadline_by",        "late",
                                     "excess_ns",    "late_by_faults",     "late_by_teardown",
                                     "likely",       "explained_share",    "explained_with_waits_share",
                                     "minor_faults", "major_faults",       "zeroed_bytes",
                                     "fault_ns",     "estimated_fault_ns", "teardown_ns",
                                     "path_ns",      "waiting_behind",     "culprit"});

Json nsOr(bool known, double ns) {
  return known ? Json(std::llround(ns)) : Json();
}

// The thread's time: running, waiting, sleeping, faults and giving back, less what other threads did of both, add up.
Json ledgerJson(const FrameLedger& spent, bool behindKnown) {
  return {{"lasted_ns", nsOr(true, spent.lasted)},
          {"faults_ns", nsOr(!spent.ownUnknown, spent.faults)},
          {"teardown_ns", nsOr(spent.teardownKnown, spent.teardown)},
          {"of_both_in_awaited_threads_ns", nsOr(spent.measured, spent.awaited)},
          {"running_ns", nsOr(spent.measured, spent.running)},
          {"waiting_for_a_processor_ns", nsOr(spent.measured, spent.waiting)},
          {"of_that_behind_one_program_ns", nsOr(behindKnown, spent.behind)},
          {"sleeping_ns", nsOr(spent.measured, spent.sleeping)},
          {"sleeping_for_nobody_ns", nsOr(spent.measured, spent.nobody)},
          {"estimated_of_faults_ns", nsOr(true, spent.estimated)},
          {"measured", spent.measured},
          {"faults_timed", spent.timed}};
}

Json detailsJson(const Culprits& culprits, std::size_t top) {
  Json out = Json::object();
  for (const char* const by : {"culprit", "mapping", "thread", "kind"}) {
    CulpritSum sum(by);
    sum.add(culprits);
    Json all = sum.json(top);
    if (out.empty())
      for (const char* const name : {"samples", "sampled_faults", "sampled_fault_ns", "share_of"})
        out[name] = all[name];
    out[std::string("by_") + by] = {{"culprits", all["culprits"]}, {"others", all["others"]}};
  }
  out["stacks"] = stacksJson(culprits, top);
  return out;
}

}  // namespace

void FrameAnswer::begin(const ExportedGame& game, std::string& /*out*/) {
  m_watched = game.watched;
}

bool FrameAnswer::asked(const GameFrame& frame) const {
  if (m_question.frame && m_question.frame != frame.number) return false;
  const Nanoseconds since = frame.start - *m_first;
  return since >= m_question.from && since <= m_question.to;
}

void FrameAnswer::add(const ExportedFrame& exported, std::string& /*out*/) {
  const GameFrame& frame = exported.frame;
  if (!m_first) m_first = frame.start;
  m_least = std::min(m_least.value_or(frame.number), frame.number);
  m_most = std::max(m_most, frame.number);
  m_totals = exported.totals;
  if (!asked(frame)) return;
  m_sum.add(frame, exported.verdict);
  m_flagged += JudgedFrame{frame, exported.verdict}.flagged() ? 1 : 0;
  if (m_question.ask == Ask::Culprits && exported.culprits != nullptr) m_culprits.add(*exported.culprits);
  if (m_question.ask == Ask::Frames || m_question.ask == Ask::Frame) addRow(exported);
}

// Numbers repeat where a game executes another program: each such frame is a row.
void FrameAnswer::addRow(const ExportedFrame& exported) {
  const JudgedFrame judged{exported.frame, exported.verdict};
  if (m_rows.size() == m_question.top && !worseThan(judged, m_rows.back().judged)) return;
  const Json all = frameJson(exported);
  const bool details = m_question.ask == Ask::Frame;
  Json json = Json::object();
  if (details) json = all;
  else
    for (const std::string_view name : kBrief) json[std::string(name)] = all.at(std::string(name));
  json["since_start_ns"] = (exported.frame.start - *m_first).count();
  json["verdict"] = frameTitle(exported.verdict);
  json["text"] = printableName(frameText(judged));
  json["ledger"] = ledgerJson(ledgerOf(exported.frame, m_watched->nsPerFault),
                              exported.frame.get(FrameMetric::ThreadWaitingBehind).has_value());
  if (details && exported.culprits != nullptr) json["sampled"] = detailsJson(*exported.culprits, m_question.top);
  const auto place = std::ranges::upper_bound(m_rows, judged, worseThan, &Row::judged);
  m_rows.insert(place, {judged, std::move(json)});
  if (m_rows.size() > m_question.top) m_rows.pop_back();
}

void FrameAnswer::conclude(std::string_view advice, std::string_view delay) {
  m_advice = advice;
  m_delay = delay;
}

Result<void> FrameAnswer::someFrame() const {
  if (m_sum.tally().frames > 0) return {};
  if (!m_least)
    return fail(m_question.file.empty() ? "No frame of the process has ended in the time that was measured."
                                        : "The recording has no frame.");
  if (m_question.frame)
    return fail(
        fmt::format("There is no frame {} in the time that is asked for: the recording has frames from {} to {}.",
                    *m_question.frame, *m_least, m_most));
  return fail("There is no frame in the time that is asked for.");
}

Json FrameAnswer::summary() const {
  const bool assumed = m_watched->by == FrameEnd::AssumedRate;
  const auto parsed = [](const std::string& text) { return text.empty() ? Json() : Json::parse(text); };
  return {{"holds", "frames"},
          {"summary", summaryJson(m_sum, m_totals)},
          {"text", printableName(assumed ? assumedSummaryText(m_sum.tally()) : summaryText(m_sum.tally()))},
          {"advice", parsed(m_advice)},
          {"delay", parsed(m_delay)}};
}

Json FrameAnswer::rowsJson() const {
  Json rows = Json::array();
  for (const Row& row : m_rows) rows.push_back(row.json);
  return {{"frames", rows}, {"others", {{"count", m_sum.tally().frames - m_rows.size()}}}};
}

Result<Json> FrameAnswer::json(const std::string& remark) const {
  if (const auto some = someFrame(); !some) return tl::unexpected(some.error());
  Json out = answerHead(m_question, remark);
  Json& quality = out["quality"] = Json::object();
  for (const FrameQuality& row : kFrameQualities)
    quality[std::string(row.name)] = qualityJson((*m_watched).*row.quality);
  out["watched"] = watchedJson(*m_watched);
  switch (m_question.ask) {
    case Ask::Frames:
    case Ask::Frame:
      out.update(rowsJson());
      break;
    case Ask::Culprits:
      out["frames_hurt"] = m_flagged;
      out.update(m_culprits.json(m_question.top));
      break;
    default:
      out.update(summary());
      break;
  }
  return out;
}

}  // namespace faultline

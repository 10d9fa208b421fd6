#include "app/tray/ledger/frame_parts.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/tray/widgets/utf8.h"
#include "core/frames/ledger.h"
#include "core/frames/tally.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kLeastNs = 500;  // less is the error of rounding

QString partWords(const char* words) {
  return QCoreApplication::translate("FrameParts", words);
}

}  // namespace

std::vector<Part> frameParts(const GameFrame& frame, std::optional<double> nsPerFault) {
  const FrameLedger spent = ledgerOf(frame, nsPerFault);
  std::vector<Part> parts;
  const auto add = [&](double ns, const char* name, PartInk ink, const QString& program = {}) {
    if (ns < kLeastNs) return;
    const QString time = text(formatDuration(ns));
    parts.push_back({program.isEmpty() ? partWords(name) : partWords(name).arg(program), ns, time, ink});
  };
  if (!spent.measured) {
    const bool estimated = nsPerFault && !frame.time(FrameMetric::FaultTime);
    add(spent.lasted - spent.memory(), "other", PartInk::Computing);
    add(spent.faults, estimated ? "in page faults, estimated" : "in page faults", PartInk::OnProcessor);
    add(spent.teardown, "giving memory back", PartInk::GivingBack);
    return parts;
  }
  const auto of = [&frame](FrameMetric metric) { return inNs(frame.time(metric).value_or(Nanoseconds(0))); };
  const double awaitedFaults = std::min(of(FrameMetric::ThreadAwaitedFaultTime), spent.sleeping);
  const double faults = spent.faults - awaitedFaults;
  const double onProcessor = std::min(inNs(frame.threadTime()->inFaults.onProcessor) + spent.estimated, faults);
  const double others = spent.sleeping - spent.nobody;
  add(spent.running, spent.timed ? "computing" : "computing and in faults", PartInk::Computing);
  add(onProcessor, spent.estimated > 0 ? "in faults, in part estimated" : "in faults on a processor",
      PartInk::OnProcessor);
  add(faults - onProcessor, "in faults, blocked", PartInk::Blocked);
  add(spent.teardown - (spent.awaited - awaitedFaults), "giving memory back", PartInk::GivingBack);
  const auto behind = frame.values.waitedBehind();
  add(spent.behind, "waiting while %1 ran", PartInk::Waiting,
      behind ? text(printableName(behind->program)) : partWords("another"));
  add(spent.waiting - spent.behind, "waiting for a processor", PartInk::Waiting);
  add(std::min(spent.awaited, others), "waiting for other threads' memory", PartInk::Blocked);
  add(spent.awaitedWaiting, "waiting while other threads wait for a processor", PartInk::Waiting);
  add(others - spent.awaited - spent.awaitedWaiting, "waiting for other threads", PartInk::Others);
  add(spent.nobody, "asleep", PartInk::Nobody);
  return parts;
}

QString frameHead(const JudgedFrame& judged) {
  const FrameVerdict& verdict = judged.verdict;
  QString line = partWords("Frame %1: %2, %3 faults")
                     .arg(text(formatCount(judged.frame.number)), text(formatDuration(judged.frame.duration)),
                          text(formatCount(judged.frame.faults())));
  if (verdict.late) line += partWords(", late by %1").arg(text(formatDuration(verdict.excess)));
  if (verdict.explained)
    line += (verdict.likely ? partWords(", probably %1") : partWords(", %1")).arg(text(shareText(verdict)));
  if (verdict.perhapsByWatching) line += partWords(", or because Faultline watches its faults");
  if (verdict.lateBySampling) line += partWords(", because Faultline sampled its faults");
  if (verdict.perhapsByTeardown) line += partWords(", perhaps by giving memory back, whose time is unavailable");
  if (verdict.perhapsByFaults) line += partWords(", perhaps by faults, whose part in it is unknown");
  return line;
}

}  // namespace faultline

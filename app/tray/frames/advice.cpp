#include "app/tray/frames/advice.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/tray/trial/try_dialog.h"
#include "platform/host/processes.h"

namespace faultline {

std::optional<Advice> adviceOn(const GameWatch& watch, CulpritFinder& finder) {
  const auto& rows = watch.worst().rows();
  const std::size_t count = std::min(rows.size(), kWorstFrames);
  static const Culprits kNone;
  std::vector<std::shared_ptr<const Culprits>> found;
  std::vector<FrameEvidence> evidence;
  for (std::size_t i = 0; i < count; ++i) {
    found.push_back(finder.found(rows[i].place));
    evidence.push_back({rows[i].judged, found.back() ? *found.back() : kNone});
  }
  return adviceFor(evidence, watch.tally().minorFaults + watch.tally().majorFaults, watch.session().paid());
}

void openTryDialog(const GameWatch& watch, const std::optional<Advice>& advice, QWidget* parent) {
  if (!advice) return;
  const bool runs = !watch.process().synthetic && !watch.recorded() && watch.game();
  auto* dialog = new TryDialog(*advice, runs ? commandOf(watch.game()->pid) : std::vector<std::string>(), parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

}  // namespace faultline

#include "app/tray/frames/advice.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/tray/trial/try_dialog.h"
#include "platform/host/processes.h"

namespace faultline {

std::optional<Advice> adviceOn(const GameWatch& watch, CulpritFinder& finder) {
  const auto& rows = watch.worst().rows();
  std::vector<std::shared_ptr<const Culprits>> found;
  const auto culpritsOf = [&](const JudgedFrame& judged) -> const Culprits* {
    const auto row =
        std::ranges::find(rows, judged.frame, [](const auto& of) -> const GameFrame& { return of.judged.frame; });
    return row == rows.end() ? nullptr : found.emplace_back(finder.found(row->place)).get();
  };
  return adviceOn(watch.tally(), culpritsOf, watch.session().paid());
}

void openTryDialog(const GameWatch& watch, const std::optional<Advice>& advice, QWidget* parent) {
  if (!advice) return;
  const bool runs = !watch.process().synthetic && !watch.recorded() && watch.game();
  auto* dialog = new TryDialog(*advice, runs ? commandOf(watch.game()->pid) : std::vector<std::string>(), parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

}  // namespace faultline

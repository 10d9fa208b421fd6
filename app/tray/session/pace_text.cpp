#include "app/tray/session/pace_text.h"

#include <algorithm>

#include "app/tray/session/session.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 33ms;  // a busy machine delays snapshots, and then many come at once
constexpr auto kLongestPause = 500ms;

Nanoseconds planned(const Monitor& live, Nanoseconds usual) {
  return live.snapshots() > 0 ? std::min(usual, plannedInterval(live.hello(), live.now().system)) : usual;
}

}  // namespace

std::chrono::milliseconds redrawPause(const Monitor& live, std::chrono::milliseconds usual) {
  return planned(live, usual) < usual ? std::min(usual, kLongestPause) : kPause;
}

QString paceText(const Monitor& live, Nanoseconds usual, bool watching) {
  const Nanoseconds now = planned(live, usual);
  const QString every = Session::tr("every %1").arg(QString::fromStdString(formatDuration(now)));
  if (now == usual) return every;
  const auto share = live.collectorCpuShare();
  return (watching ? Session::tr("%1 while a game is watched (%2 of a core)")
                   : Session::tr("%1 while a spike runs (%2 of a core)"))
      .arg(every, QString::fromStdString(share ? formatPercent(*share) : std::string(kUnavailable)));
}

}  // namespace faultline

#include "app/tray/session/pace_text.h"

#include "app/tray/session/session.h"
#include "core/text/quantity.h"

namespace faultline {

QString paceText(const Monitor& live, Nanoseconds usual, bool watching) {
  const Nanoseconds now = plannedInterval(live.hello(), live.now().system);
  const bool faster = live.snapshots() > 0 && now < usual;
  const QString every = Session::tr("every %1").arg(QString::fromStdString(formatDuration(faster ? now : usual)));
  if (!faster) return every;
  const auto share = live.collectorCpuShare();
  return (watching ? Session::tr("%1 while a game is watched (%2 of a core)")
                   : Session::tr("%1 while a spike runs (%2 of a core)"))
      .arg(every, QString::fromStdString(share ? formatPercent(*share) : std::string(kUnavailable)));
}

}  // namespace faultline

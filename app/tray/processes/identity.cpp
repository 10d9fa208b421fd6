#include "app/tray/processes/identity.h"

#include <algorithm>
#include <utility>

#include "core/text/quantity.h"
#include "platform/host/processes.h"

namespace faultline {

bool ProcessIdentities::setHere(bool here) {
  return std::exchange(m_here, here) != here;
}

void ProcessIdentities::ask(ProcessEntry& entry) const {
  if (!m_here) {
    entry.command.clear();
    entry.user.clear();
    return;
  }
  const auto who = identifyProcess(entry.key.pid, entry.key.startTime);
  if (!who) return;  // it has ended: what was told of it stays
  entry.command = QString::fromStdString(who->command);
  auto user = m_users.find(who->user);
  if (user == m_users.end()) user = m_users.emplace(who->user, QString::fromStdString(userName(who->user))).first;
  entry.user = user->second;
}

// By pid alone, as the system tells it: of several the one that started last, as the others have ended.
void nameParent(ProcessEntry& entry, const ProcessRow& row, const Moment& now) {
  const auto pid = row.values.get(ProcessMetric::ParentPid);
  if (pid == entry.parentPid) return;
  entry.parentPid = pid;
  entry.parent.clear();
  if (!pid || *pid == 0 || *pid > UINT32_MAX) return;
  const ProcessKey latest{static_cast<std::uint32_t>(*pid), UINT64_MAX};
  const auto after = std::ranges::upper_bound(now.rows, latest, {}, &ProcessRow::key);
  const bool known = after != now.rows.begin() && std::prev(after)->key.pid == *pid;
  entry.parent = QString::number(*pid);
  if (known)
    entry.parent = QString::fromStdString(printableName(std::prev(after)->name)) + QLatin1String(" (") + entry.parent +
                   QLatin1Char(')');
}

}  // namespace faultline

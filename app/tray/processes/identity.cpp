#include "app/tray/processes/identity.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/history/parent.h"
#include "core/monitor/service_names.h"
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
  if (!who) return;  // the process has ended: keeps the values
  entry.command = QString::fromStdString(who->command);
  entry.name = wholeName(entry.name, entry.command);
  auto user = m_users.find(who->user);
  if (user == m_users.end()) user = m_users.emplace(who->user, QString::fromStdString(userName(who->user))).first;
  entry.user = user->second;
}

namespace {

// Of several that had the pid the one that lived when the child was born: the last that had begun by then.
std::optional<std::string> nameOfParent(const ProcessKey& child, std::uint32_t pid, const Monitor& monitor) {
  if (const auto known = monitor.parent(child); known && known->pid == pid) return monitor.history().name(*known);
  const auto& rows = monitor.shown().rows;
  const auto row = parentIn(rows, pid, child.startTime, &ProcessRow::key);
  return row == rows.end() ? std::nullopt : std::optional(row->name);
}

}  // namespace

QString wholeName(const QString& name, const QString& command) {
  constexpr qsizetype kCutAfter = 15;
  constexpr qsizetype kProgramAndScript = 2;
  if (name.toUtf8().size() != kCutAfter) return name;
  for (const QString& word :
       command.split(QLatin1Char(' ')).first(std::min(kProgramAndScript, command.count(QLatin1Char(' ')) + 1)))
    if (const QString file = word.section(QLatin1Char('/'), -1); file.startsWith(name)) return file;
  return name;
}

void setService(ProcessEntry& entry, const std::string& service) {
  entry.rawService = service;
  entry.service = service == kNoService ? QString() : QString::fromStdString(printableName(service));
}

void nameParent(ProcessEntry& entry, const ProcessRow& row, const Monitor& monitor) {
  const auto pid = row.values.get(ProcessMetric::ParentPid);
  if (pid == entry.parentPid) return;
  entry.parentPid = pid;
  entry.parent.clear();
  if (!pid || *pid == 0 || *pid > UINT32_MAX) return;
  entry.parent = QString::number(*pid);
  if (const auto name = nameOfParent(entry.key, static_cast<std::uint32_t>(*pid), monitor))
    entry.parent = QString::fromStdString(printableName(*name)) + QLatin1String(" (") + entry.parent + QLatin1Char(')');
}

}  // namespace faultline

// ProcessIdentities: command line, user, service and parent, to distinguish processes of the same name. Asks the system
// for the first two, once for each row; neither samples nor recordings contain them.
#pragma once

#include <cstdint>
#include <map>

#include "app/tray/processes/entry.h"
#include "core/monitor/monitor.h"

namespace faultline {

class ProcessIdentities {
 public:
  // `here`: the processes shown run on this machine. Returns true if that has changed.
  bool setHere(bool here);
  void ask(ProcessEntry& entry) const;

 private:
  bool m_here = false;
  mutable std::map<std::uint32_t, QString> m_users;  // names by user id
};

// Linux cuts a name after 15 bytes: gives the rest from the program, or script, of the command line, if that begins so.
[[nodiscard]] QString wholeName(const QString& name, const QString& command);

void setService(ProcessEntry& entry, const std::string& service);
void nameParent(ProcessEntry& entry, const ProcessRow& row, const Monitor& monitor);

}  // namespace faultline

// Which of twenty of the same name a process is: its command line, user and parent. The first two are asked of the
// system, once for each process that has a row; neither samples nor recordings have them.
#pragma once

#include <cstdint>
#include <map>

#include "app/tray/processes/entry.h"
#include "core/monitor/monitor.h"

namespace faultline {

class ProcessIdentities {
 public:
  // Whether the processes on show run on this machine. True if that has changed.
  bool setHere(bool here);
  void ask(ProcessEntry& entry) const;

 private:
  bool m_here = false;
  mutable std::map<std::uint32_t, QString> m_users;  // known names
};

void nameParent(ProcessEntry& entry, const ProcessRow& row, const Monitor& monitor);

}  // namespace faultline

// SystemValuesReader: the machine's counters from /proc/vmstat and /proc/meminfo, and the CPU time of this process. A
// value that cannot be read in a sweep is absent from that sweep.
#pragma once

#include <vector>

#include "core/base/units.h"
#include "core/model/values.h"
#include "core/parse/meminfo.h"
#include "core/parse/vmstat.h"
#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {

class SystemValuesReader {
 public:
  explicit SystemValuesReader(ProcFiles& files);
  ~SystemValuesReader();
  SystemValuesReader(const SystemValuesReader&) = delete;
  SystemValuesReader& operator=(const SystemValuesReader&) = delete;

  [[nodiscard]] VmStat vmStat();
  [[nodiscard]] MemInfo memInfo();
  [[nodiscard]] SystemValues read();

 private:
  std::string_view text(int file);

  ProcFiles& m_files;
  int m_vmstat;
  int m_meminfo;
  std::vector<char> m_buffer;
};

}  // namespace faultline

#include "platform/sampling/linux/proc/system_values.h"

#include <ctime>

namespace faultline {

SystemValuesReader::SystemValuesReader(ProcFiles& files)
    : m_files(files), m_vmstat(files.open("vmstat")), m_meminfo(files.open("meminfo")) {}

SystemValuesReader::~SystemValuesReader() {
  for (const int file : {m_vmstat, m_meminfo}) {
    if (file >= 0) m_files.close(file);
  }
}

VmStat SystemValuesReader::vmStat() {
  return parseVmStat(text(m_vmstat));
}
MemInfo SystemValuesReader::memInfo() {
  return parseMemInfo(text(m_meminfo));
}

SystemValues SystemValuesReader::read() {
  SystemValues values;
  const VmStat vmstat = vmStat();
  values.set(SystemMetric::Faults, vmstat.faults);
  values.set(SystemMetric::MajorFaults, vmstat.majorFaults);
  values.set(SystemMetric::PagesAllocated, vmstat.pagesAllocated);
  values.set(SystemMetric::PagesFreed, vmstat.pagesFreed);
  values.set(SystemMetric::ThpFaultsAllocated, vmstat.thpFaultsAllocated);
  values.set(SystemMetric::ThpFaultsFallback, vmstat.thpFaultsFallback);

  const MemInfo memory = memInfo();
  values.set(SystemMetric::CommittedBytes, memory.committed);
  values.set(SystemMetric::CommitLimitBytes, memory.commitLimit);
  values.set(SystemMetric::FreeBytes, memory.free);
  values.set(SystemMetric::AvailableBytes, memory.available);
  values.set(SystemMetric::TotalBytes, memory.total);

  timespec cpu{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) == 0) {
    const Nanoseconds used = std::chrono::seconds(cpu.tv_sec) + Nanoseconds(cpu.tv_nsec);
    values.set(SystemMetric::CollectorCpu, static_cast<std::uint64_t>(used.count()));
  }
  return values;
}

std::string_view SystemValuesReader::text(int file) {
  return file < 0 ? std::string_view{} : readWhole(m_files, file, m_buffer);
}

}  // namespace faultline

// The parsers of a sweep without privileges.
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/parse/meminfo.h"
#include "core/parse/proc_schedstat.h"
#include "core/parse/proc_stat.h"
#include "core/parse/proc_statm.h"
#include "core/parse/vmstat.h"
#include "tests/bench/instructions/cases.h"

using namespace faultline;

namespace {

// One process of a sweep without privileges, and now and then the machine.
std::uint64_t parse() {
  std::uint64_t found = 0;
  constexpr std::string_view kStat =
      "27798 (Web Content) S 27760 27760 4655 0 -1 4194304 8012345 31 127 2 91234 17834 5 7 20 0 29 0 161212 "
      "2400256000 "
      "72034 18446744073709551615 94083862925312 94083862926009 140730028274784 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0\n";
  constexpr std::string_view kStatm = "586000 72034 31947 12 0 199230 0\n";
  constexpr std::string_view kSchedstat = "912341234567 91234567 6543210\n";
  std::string vmstat;
  for (int i = 0; i < 60; ++i) vmstat += "nr_of_something_else_" + std::to_string(i) + " 1234567\n";
  vmstat += "pgalloc_dma32 4711\npgalloc_normal 123456789\npgfree 123456780\npgfault 987654321\npgmajfault 54321\n";
  std::string meminfo = "MemTotal:       16384000 kB\nMemFree:         1234567 kB\nMemAvailable:    8765432 kB\n";
  for (int i = 0; i < 40; ++i) meminfo += "Something" + std::to_string(i) + ":      12345 kB\n";
  meminfo += "SwapTotal:       8192000 kB\nCommitLimit:    12345678 kB\nCommitted_AS:    9876543 kB\n";
  for (int i = 0; i < 40'000; ++i) {
    const auto stat = parseProcStat(kStat);
    const auto statm = parseProcStatm(kStatm);
    const auto schedstat = parseProcSchedstat(kSchedstat);
    if (!stat || !statm || !schedstat) std::abort();
    found += stat->minorFaults + statm->resident + schedstat->runs;
    if (i % 1000 != 0) continue;
    found += parseVmStat(vmstat).faults.value_or(0) + parseMemInfo(meminfo).committed.value_or(0);
  }
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  return runCase(count, arguments, {{"parse", parse}});
}

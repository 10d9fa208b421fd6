// The text of /proc/PID/stat and its neighbours is the kernel's, but the names in it are anybody's.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/parse/machine_text.h"
#include "core/parse/meminfo.h"
#include "core/parse/proc_schedstat.h"
#include "core/parse/proc_stat.h"
#include "core/parse/proc_statm.h"
#include "core/parse/vmstat.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace faultline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto stat = parseProcStat(text)) {
    // A name lies within the text, between its first and its last bracket.
    const std::size_t open = text.find('(');
    if (stat->name.data() != text.data() + open + 1 || open + 1 + stat->name.size() != text.rfind(')')) std::abort();
  }
  (void)parseProcStatm(text);
  (void)parseProcSchedstat(text);
  (void)parseVmStat(text);
  (void)parseMemInfo(text);
  (void)prettyName(text);
  (void)processorName(text);
  return 0;
}

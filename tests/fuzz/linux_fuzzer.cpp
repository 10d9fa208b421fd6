// The text of /proc/PID/stat and its neighbours is the kernel's, but the names in it are anybody's. The rings of perf
// events are the kernel's too; nothing in them is taken on trust all the same.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include "core/parse/kallsyms.h"
#include "core/parse/machine_text.h"
#include "core/parse/meminfo.h"
#include "core/parse/proc_maps.h"
#include "core/parse/proc_schedstat.h"
#include "core/parse/proc_stat.h"
#include "core/parse/proc_statm.h"
#include "core/parse/vmstat.h"
#include "platform/sampling/records/perf_fault_records.h"
#include "platform/sampling/records/perf_ring_records.h"
#include "platform/sampling/records/perf_thread_names.h"

namespace {

using namespace faultline;

void demand(bool condition) {
  if (!condition) std::abort();
}

// In one piece or in two, it is the same text.
void searchKallsyms(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames{"clear_page_erms", "clear_page", "folio_zero_user"};
  KallsymsSearch whole(kNames);
  whole.feed(text);
  KallsymsSearch pieces(kNames);
  pieces.feed(text.substr(0, text.size() / 3));
  pieces.feed(text.substr(text.size() / 3));
  const auto found = whole.found();
  demand(found == pieces.found() && whole.hidden() == pieces.hidden());
  for (const KernelFunction& function : found) demand(function.name < kNames.size() && function.begin < function.end);
}

// The first 16 bytes say where to begin and to end in the ring that the rest makes.
void readRing(std::span<const std::byte> bytes) {
  if (bytes.size() < 16 + 32) return;
  std::uint64_t tail = 0;
  std::uint64_t head = 0;
  std::memcpy(&tail, bytes.data(), sizeof tail);
  std::memcpy(&head, bytes.data() + sizeof tail, sizeof head);
  const auto ring = bytes.subspan(16, std::bit_floor(bytes.size() - 16));
  for (const std::uint64_t end : {head, tail + head % (ring.size() + 1)}) {  // anything, and what may be
    PerfRecords records;
    readPerfRecords(ring, tail, end, records);
    demand(records.samples.size() * 24 <= ring.size());
    PerfThreadNames names;
    forEachPerfRecord({ring, tail, end}, [&](const PerfRecord& record) {
      names.learn(record);
      static_cast<void>(parsePerfNote(record));
      for (const PerfRegisters& registers : {perfRegistersX86(), perfRegistersArm64()}) {
        const auto fault = parsePerfFault(record, registers);
        demand(!fault || fault->stack.size() + 8 * fault->registers.size() <= record.body.size());
      }
    });
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto stat = parseProcStat(text)) {
    // A name lies within the text, between its first and its last bracket.
    const std::size_t open = text.find('(');
    if (stat->name.data() != text.data() + open + 1 || open + 1 + stat->name.size() != text.rfind(')')) std::abort();
  }
  if (const auto mapping = parseProcMapping(text)) demand(mappedPath(mapping->name).size() <= mapping->name.size());
  (void)parseProcStatm(text);
  (void)parseProcSchedstat(text);
  (void)parseVmStat(text);
  (void)parseMemInfo(text);
  (void)prettyName(text);
  (void)processorName(text);
  searchKallsyms(text);
  readRing(std::as_bytes(std::span(data, size)));
  return 0;
}

#include "platform/sampling/linux/proc/page_counts.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "core/parse/proc_statm.h"

namespace faultline {
namespace {

constexpr std::size_t kTouchedPages = 5;

std::optional<std::uint64_t> privatePages(ProcFiles& files, int file) {
  std::array<char, 256> text{};
  const std::ptrdiff_t size = files.read(file, text, 0);
  if (size <= 0) return std::nullopt;
  const auto statm = parseProcStatm({text.data(), static_cast<std::size_t>(size)});
  if (!statm) return std::nullopt;
  return statm->resident - statm->shared;
}

bool eachPageShows(ProcFiles& files, int file, volatile char* memory, std::size_t pageBytes) {
  auto before = privatePages(files, file);
  for (std::size_t page = 0; page < kTouchedPages; ++page) {
    memory[page * pageBytes] = 1;
    const auto after = privatePages(files, file);
    if (!before || !after || *after != *before + 1) return false;
    before = after;
  }
  return true;
}

}  // namespace

bool statmCountsSinglePages(ProcFiles& files) {
  const auto pageBytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory =
      mmap(nullptr, kTouchedPages * pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  madvise(memory, kTouchedPages * pageBytes, MADV_NOHUGEPAGE);  // fails only on kernels without huge pages
  const int file = files.open("self/statm");
  const bool exact = file >= 0 && eachPageShows(files, file, static_cast<volatile char*>(memory), pageBytes);
  if (file >= 0) files.close(file);
  munmap(memory, kTouchedPages * pageBytes);
  return exact;
}

}  // namespace faultline

#include "platform/host/lab/cold_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "platform/host/lab/linux/refused.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

constexpr const char* kFolder = "/var/tmp";  // /tmp often lies in memory

}  // namespace

struct ColdFile::State {
  UniqueFd file;
  std::byte* at = nullptr;
  std::size_t bytes = 0;

  ~State() {
    if (at != nullptr) munmap(at, bytes);
  }
};

Result<ColdFile> ColdFile::create(std::size_t bytes) {
  auto state = makeHidden<State>();
  state->bytes = bytes;
  state->file = UniqueFd(open(kFolder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!state->file) return refused(std::string("open ") + kFolder);
  const std::vector<char> block(std::size_t{1} << 16U, 'x');  // a hole would need no disk
  for (std::size_t done = 0; done < bytes; done += block.size())
    if (write(state->file.get(), block.data(), std::min(block.size(), bytes - done)) < 0) return refused("write");
  void* const at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, state->file.get(), 0);
  if (at == MAP_FAILED) return refused("mmap");
  state->at = static_cast<std::byte*>(at);
  if (madvise(at, bytes, MADV_RANDOM) != 0) return refused("madvise(MADV_RANDOM)");
  ColdFile made(std::move(state));
  if (const auto cold = made.chill(); !cold) return tl::unexpected(cold.error());
  return made;
}

std::span<const std::byte> ColdFile::memory() const {
  return {m_state->at, m_state->bytes};
}

// Only pages that are written out and that no process has mapped can go.
Result<void> ColdFile::chill() {
  if (madvise(m_state->at, m_state->bytes, MADV_DONTNEED) != 0) return refused("madvise(MADV_DONTNEED)");
  if (fsync(m_state->file.get()) != 0) return refused("fsync");
  if (const int error = posix_fadvise(m_state->file.get(), 0, 0, POSIX_FADV_DONTNEED); error != 0) {
    errno = error;
    return refused("posix_fadvise");
  }
  std::vector<unsigned char> resident(m_state->bytes / static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  if (mincore(m_state->at, m_state->bytes, resident.data()) != 0) return refused("mincore");
  const auto kept = std::ranges::count_if(resident, [](unsigned char page) { return (page & 1U) != 0; });
  if (static_cast<std::size_t>(kept) * 10 > resident.size())
    return fail(std::string("The system keeps the pages of a file in ") + kFolder + " in memory.");
  return {};
}

}  // namespace faultline

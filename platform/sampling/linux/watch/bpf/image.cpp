#include "platform/sampling/linux/watch/bpf/image.h"

#include <bpf/bpf.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

bool same(const ProgramImage& a, const ProgramImage& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

Unavailable gameHasLeft() {
  return {.why = "The game ended or became another program while watching began", .enable = "Watch it again."};
}

Result<ImageReader, Unavailable> ImageReader::load() {
  BpfObject object = loadBpfObject(openBpfObject(kIdentifyBpfBytes));
  if (!object) return tl::unexpected(refusedByKernel("load BPF programs", errno));
  std::vector<BpfLink> links;
  if (const int error = attachBpf(object, "identify", links); error != 0)
    return tl::unexpected(refusedByKernel("list its processes to a BPF program", error));
  return ImageReader(std::move(object), std::move(links.front()));
}

Result<ProgramImage, int> ImageReader::readOnce(const WatchTarget& target) const {
  const int process = target.process();
  const std::uint32_t mark = 1;
  const int held = bpf_object__find_map_fd_by_name(m_object.get(), "held");
  if (bpf_map_update_elem(held, &process, &mark, BPF_ANY) != 0) return tl::unexpected(errno);
  const UniqueFd list(bpf_iter_create(bpf_link__fd(m_link.get())));
  if (!list) return tl::unexpected(errno);
  ProgramImage image{};
  ssize_t count = 0;
  do {
    count = ::read(list.get(), &image, sizeof image);
  } while (count < 0 && (errno == EAGAIN || errno == EINTR));
  if (count < 0) return tl::unexpected(errno);
  if (count != sizeof image) return tl::unexpected(ESRCH);
  return image;
}

// exec() cannot be undone: an image that is the same before and after did not change in between.
Result<ProgramImage, Unavailable> ImageReader::read(const WatchTarget& target) const {
  const auto image = readOnce(target);
  if (!image && image.error() != ESRCH && image.error() != ENOENT)
    return tl::unexpected(refusedByKernel("identify the game's program", image.error()));
  if (!image || !isStill(target, *image)) return tl::unexpected(gameHasLeft());
  return *image;
}

bool ImageReader::isStill(const WatchTarget& target, const ProgramImage& image) const {
  if (!target.letsLook()) return false;
  const auto now = readOnce(target);
  return now && same(*now, image);
}

}  // namespace faultline

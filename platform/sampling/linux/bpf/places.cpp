#include "platform/sampling/linux/bpf/places.h"

#include <bpf/bpf.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <utility>

#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/records/place_record.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

constexpr int kRounds = 3;

// "timing_4711". Only programs with cap_bpf create maps of this type, so that the name need not be trusted.
std::string nameOf(std::string_view kind) {
  return std::string(kind) + "_" + std::to_string(getpid());
}

std::optional<HeldPlace> placeOf(const PlaceRecord& record, std::string_view kind) {
  std::string_view name(record.name, strnlen(record.name, sizeof record.name));
  if (!name.starts_with(kind)) return std::nullopt;
  name.remove_prefix(kind.size());
  HeldPlace place{.id = record.id};
  if (!name.starts_with('_')) return std::nullopt;
  const char* const end = name.data() + name.size();
  if (std::from_chars(name.data() + 1, end, place.pid).ptr != end) return std::nullopt;
  return place;
}

std::optional<std::uint32_t> idOf(int map) {
  bpf_map_info info{};
  std::uint32_t size = sizeof info;
  return bpf_obj_get_info_by_fd(map, &info, &size) == 0 ? std::optional(info.id) : std::nullopt;
}

// Between two rounds, so that two processes that gave way to each other do not collide again.
void pauseShortly() {
  const timespec pause{.tv_sec = 0, .tv_nsec = (1 + getpid() % 8) * 1'000'000L};
  nanosleep(&pause, nullptr);
}

}  // namespace

struct Places::Lister {
  BpfObject object;
  std::vector<BpfLink> links;
};

Result<Places, Unavailable> Places::open() {
  libbpf_set_print(nullptr);
  auto lister = std::make_shared<Lister>();
  lister->object = loadBpfObject(openBpfObject(kPlacesBpfBytes));
  if (!lister->object) return tl::unexpected(refusedByKernel("load BPF programs", errno));
  if (const int error = attachBpf(lister->object, "listPlaces", lister->links); error != 0)
    return tl::unexpected(refusedByKernel("list its maps to a BPF program", error));
  return Places(std::move(lister));
}

Result<std::vector<HeldPlace>, Unavailable> Places::held(std::string_view kind) const {
  const UniqueFd list(bpf_iter_create(bpf_link__fd(m_lister->links.front().get())));
  if (!list) return tl::unexpected(refusedByKernel("list its maps to a BPF program", errno));
  std::vector<HeldPlace> places;
  std::array<PlaceRecord, 64> records{};
  for (;;) {  // the kernel hands out whole records
    const ssize_t bytes = read(list.get(), records.data(), sizeof records);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (bytes < 0) return tl::unexpected(refusedByKernel("list its maps to a BPF program", errno));
    if (bytes == 0) return places;
    for (std::size_t i = 0; i < static_cast<std::size_t>(bytes) / sizeof(PlaceRecord); ++i)
      if (const auto place = placeOf(records.at(i), kind)) places.push_back(*place);
  }
}

// Takes a place first, and gives it back if too many others are held then. Two collectors at once may both give way,
// but never both keep the last place.
Result<std::shared_ptr<void>, Unavailable> Places::take(std::string_view kind, std::size_t most) const {
  for (int round = 0; round < kRounds; ++round) {
    auto map = std::make_shared<UniqueFd>(
        bpf_map_create(BPF_MAP_TYPE_QUEUE, nameOf(kind).c_str(), 0, sizeof(int), 1, nullptr));
    if (!*map) return tl::unexpected(refusedByKernel("create BPF maps", errno));
    const auto own = idOf(map->get());
    const auto all = held(kind);
    if (!all) return tl::unexpected(all.error());
    const auto others = std::ranges::count_if(*all, [&](const HeldPlace& place) { return place.id != own; });
    if (static_cast<std::size_t>(others) < most) return map;
    map.reset();
    pauseShortly();
  }
  return nullptr;
}

}  // namespace faultline

// Lists the maps that stand for places (bpf/places.h), of all programs of the machine.
// clang-format off: libbpf's headers need the kernel's types
#include "platform/sampling/linux/bpf/kernel/kernel_types.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "platform/sampling/records/place_record.h"
// clang-format on

char kLicense[] SEC("license") = "GPL";  // required by most helpers

SEC("iter/bpf_map")
int listPlaces(struct bpf_iter__bpf_map* context) {
  const struct bpf_map* const map = context->map;
  if (!map || map->map_type != BPF_MAP_TYPE_QUEUE) return 0;
  struct PlaceRecord record = {.id = map->id};
#pragma unroll
  for (int i = 0; i < kPlaceName; ++i) record.name[i] = map->name[i];
  bpf_seq_write(context->meta->seq, &record, sizeof record);
  return 0;
}

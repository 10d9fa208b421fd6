// In a build without libbpf no place can be held.
#include "platform/sampling/linux/bpf/places.h"

namespace faultline {

struct Places::Lister {};

Result<Places, Unavailable> Places::open() {
  return tl::unexpected(Unavailable{.why = "This collector was built without libbpf", .enable = {}});
}

Result<std::vector<HeldPlace>, Unavailable> Places::held(std::string_view /*kind*/) const {
  return std::vector<HeldPlace>();
}

Result<std::shared_ptr<void>, Unavailable> Places::take(std::string_view /*kind*/, std::size_t /*most*/) const {
  return nullptr;
}

}  // namespace faultline

// Places: the machine has a limited number of places of each kind, for collectors that slow other programs. A place is
// a BPF map that the collector holds open: to create one takes cap_bpf, so that no ordinary program can take a place,
// and the kernel removes the map when its last holder ends, however that ends. A stopped collector keeps its place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/quality.h"

namespace faultline {

struct HeldPlace {
  std::uint32_t id = 0;
  std::uint32_t pid = 0;  // of the collector, in its own pid namespace
};

class Places {
 public:
  // Needs cap_bpf and cap_perfmon in effect.
  [[nodiscard]] static Result<Places, Unavailable> open();

  // The places of this kind that are held, by all programs of the machine. `kind`: at most 7 letters.
  [[nodiscard]] Result<std::vector<HeldPlace>, Unavailable> held(std::string_view kind) const;
  // A place, held while the result lives; null if `most` are held by others.
  [[nodiscard]] Result<std::shared_ptr<void>, Unavailable> take(std::string_view kind, std::size_t most) const;

 private:
  struct Lister;
  explicit Places(std::shared_ptr<const Lister> lister) : m_lister(std::move(lister)) {}

  std::shared_ptr<const Lister> m_lister;
};

}  // namespace faultline

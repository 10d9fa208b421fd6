#include <fmt/format.h>

#include "core/lab/check_list.h"

namespace faultline {
namespace {

std::optional<double> sum(std::optional<double> one, std::optional<double> other) {
  if (!one || !other) return std::nullopt;
  return *one + *other;
}

}  // namespace

void checkEager(CheckList& list) {
  const auto hot = list.faults("lazy", "hot");
  const auto whole = [&](std::string_view way) { return sum(list.faults(way, "prepare"), list.faults(way, "hot")); };
  for (const std::string way : {"prefetch", "populate", "populate-write", "lock", "sentinel", "zero", "calloc"}) {
    const auto all = whole(way);
    if (!all || !hot) continue;
    list.between(fmt::format("faults of both phases, {} / lazy", way), *all / *whole("lazy"), 0.99, 1.01, true);
  }
  if (const auto twice = whole("populate-read"); twice && hot)
    list.between("faults of both phases, populate-read / lazy", *twice / *whole("lazy"), 1.98, 2.02, true);
  for (const std::string way : {"sentinel", "zero", "populate", "populate-write", "lock"})
    if (list.faults(way, "hot"))
      list.ratioAtMost(fmt::format("hot faults, {} / lazy", way), list.faults(way, "hot"), hot, 0.01, true);
  for (const std::string way : {"prefetch", "calloc", "populate-read"})
    if (list.faults(way, "hot"))
      list.ratioAtLeast(fmt::format("hot faults, {} / lazy", way), list.faults(way, "hot"), hot, 0.99, true);
  list.ratioAtLeast("hot time, lazy / sentinel", list.time("lazy", "hot"), list.time("sentinel", "hot"), 5);
  list.ratioAtLeast("time of both phases, sentinel / lazy",
                    sum(list.time("sentinel", "prepare"), list.time("sentinel", "hot")),
                    sum(list.time("lazy", "prepare"), list.time("lazy", "hot")), 0.5);
}

}  // namespace faultline

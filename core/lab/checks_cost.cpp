#include <fmt/format.h>

#include <algorithm>

#include "core/lab/check_list.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kSizes[]{8, 16, 32};

std::string whole(double size) {
  return fmt::format("{:g} MiB, whole", size);
}

// The widest ratio between the sizes of a phase's time for a MiB.
std::optional<double> widest(const CheckList& list, const std::string& phase) {
  double least = 0;
  double most = 0;
  for (const double size : kSizes) {
    const auto time = list.time(whole(size), phase);
    if (!time) return std::nullopt;
    const double each = *time / size;
    least = least > 0 ? std::min(least, each) : each;
    most = std::max(most, each);
  }
  return least > 0 ? std::optional(most / least) : std::nullopt;
}

std::optional<double> sum(std::initializer_list<std::optional<double>> values) {
  double all = 0;
  for (const auto& value : values) {
    if (!value) return std::nullopt;
    all += *value;
  }
  return all;
}

}  // namespace

void checkCost(CheckList& list) {
  const auto pair = [&](double size) {
    const std::string way = fmt::format("{:g} MiB, untouched", size);
    return sum({list.time(way, "alloc"), list.time(way, "free")});
  };
  const std::string pages = "16 MiB, a byte a page";
  list.ratioAtMost("alloc and free untouched, 32 MiB / 8 MiB", pair(32), pair(8), 4);
  list.ratioAtLeast("free touched / untouched, 8 MiB", list.time(whole(8), "free"),
                    list.time("8 MiB, untouched", "free"), 5);
  list.between("touch a MiB, dearest / cheapest of 8, 16, 32 MiB", widest(list, "touch"), 1, 2);
  list.between("free a touched MiB, dearest / cheapest of 8, 16, 32 MiB", widest(list, "free"), 1, 2);
  list.ratioAtLeast("first touch / again, a byte a page", list.time(pages, "touch"), list.time(pages, "again"), 10);
  list.ratioAtLeast("first touch / again, whole", list.time(whole(16), "touch"), list.time(whole(16), "again"), 1);
  list.ratioAtMost("alloc and free untouched / full price, 8 MiB", pair(8),
                   sum({list.time(whole(8), "alloc"), list.time(whole(8), "touch"), list.time(whole(8), "free")}),
                   0.05);
  const auto mapped = list.faults("8 MiB, a byte a page", "touch");
  for (const double size : {8.0, 31.0})
    if (const auto fixed = list.faults(fmt::format("{:g} MiB by malloc, fixed threshold", size), "touch");
        fixed && mapped)
      list.between(fmt::format("faults / pages, {:g} MiB by malloc with a fixed threshold", size),
                   *fixed / (*mapped * size / kSizes[0]), 0.98, 1.02, true);
  if (const auto fixed = list.time("8 MiB by malloc, fixed threshold", "free"))
    list.ratioAtLeast("free touched, 8 MiB, malloc with a fixed threshold / system", fixed,
                      list.time("8 MiB, a byte a page", "free"), 0.3);
  list.ratioAtMost("populated / touched one by one",
                   sum({list.time("16 MiB, populated", "alloc"), list.time("16 MiB, populated", "touch")}),
                   sum({list.time(pages, "alloc"), list.time(pages, "touch")}), 1.1);
}

std::vector<std::string> costDerived(const LabReport& report) {
  const CheckList list(report);
  const std::string way = "8 MiB, a byte a page";
  const auto price = sum({list.time(way, "alloc"), list.time(way, "touch"), list.time(way, "free")});
  if (!price) return {};
  return {fmt::format("A new buffer of 8 MiB in every frame costs {} a frame here (3.2 ms on the laptop of the post).",
                      formatDuration(*price))};
}

}  // namespace faultline

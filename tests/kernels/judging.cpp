#include "tests/kernels/judging.h"

#include <sys/utsname.h>

#include <cstdio>
#include <fstream>

namespace faultline::test {
namespace {

constexpr int kFirstWithBpf = 5012;     // with all that the programs need
constexpr int kInlinesClearing = 7000;  // clear_page() has become a part of its callers

}  // namespace

Setting Setting::read(int argc, char** argv) {
  Setting setting{.collector = argv[1]};
  for (int i = 2; i < argc; ++i) {
    setting.granted = setting.granted || argv[i] == std::string("granted");
    setting.whole = setting.whole || argv[i] == std::string("whole");
    setting.clearsAll = setting.clearsAll || argv[i] == std::string("clears-all");
  }
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> setting.paranoid;
  std::string lockdown;
  std::getline(std::ifstream("/sys/kernel/security/lockdown"), lockdown);
  setting.locked = says(lockdown, "[confidentiality]");
  utsname names{};
  uname(&names);
  int major = 0;
  int minor = 0;
  if (std::sscanf(names.release, "%d.%d", &major, &minor) == 2) setting.version = major * 1000 + minor;
  return setting;
}

bool says(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

void tell(const std::string& metric, const std::string& verdict, const std::string& words) {
  std::printf("@@\t%s\t%s\t%s\n", metric.c_str(), verdict.c_str(), words.c_str());
  std::fflush(stdout);
}

bool fits(const Setting& setting, const std::string& words, const Demand& demand) {
  const auto needs = static_cast<unsigned>(demand.needs);
  if (setting.version < kFirstWithBpf && says(words, "Linux 5.12 or later")) return true;
  if (demand.byPerf && setting.version >= kInlinesClearing &&
      says(words, "Samples do not show clearing on this kernel"))
    return true;
  if (!setting.granted) return says(words, "cap_perfmon");
  if (setting.version < demand.needs)
    return says(words, ("Linux " + number(needs / 1000U) + "." + number(needs % 1000U)).c_str());
  if (setting.locked && !demand.byPerf) return says(words, "lockdown=integrity") && !says(words, "missing");
  return demand.byPerf && !setting.perf() && says(words, "sudo sysctl kernel.perf_event_paranoid=") &&
         !says(words, "missing");
}

void judge(const Setting& setting, const std::string& metric, const Quality& quality,
           std::optional<std::uint64_t> value, const Demand& demand) {
  const auto [least, most] = demand.truth;
  const std::string words = quality.how + (quality.enable.empty() ? "" : " To enable: " + quality.enable);
  const std::string seen = value ? number(*value) + " of " + number(least) + " to " + number(most) : "no value";
  if (quality.grade == Grade::Unavailable)
    return tell(metric, fits(setting, words, demand) && !value ? "missing" : "WRONG", words);
  if (!value) return tell(metric, "WRONG", "no value, though " + words);
  if (quality.grade == Grade::Exact)
    return tell(metric, *value >= least && *value <= most ? "exact" : "WRONG", seen + ": " + words);
  const bool inside = *value <= most + most / 4 && (says(words, "lower bound") || *value >= least - least / 4);
  tell(metric, inside ? "estimated" : "WRONG", seen + ": " + words);
}

}  // namespace faultline::test

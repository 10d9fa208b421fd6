// Fixed work of core's pure code, for a tool that counts instructions. A program here has some cases, of which a run
// does one. It uses functions that seldom change, as it is compiled with core of earlier commits, too.
#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string_view>

namespace faultline {

struct Case {
  const char* name;
  std::uint64_t (*work)();  // what it found, so that no compiler leaves work out
};

// Runs the case that is named by the only argument; without one, lists all of them. "nothing" is the program itself.
inline int runCase(int count, char** arguments, std::initializer_list<Case> cases) {
  if (count < 2) std::puts("nothing");
  else if (arguments[1] == std::string_view("nothing")) return 0;
  for (const Case& one : cases) {
    if (count < 2) std::puts(one.name);
    else if (arguments[1] == std::string_view(one.name))
      return std::printf("%llu\n", static_cast<unsigned long long>(one.work())) > 0 ? 0 : 1;
  }
  return count < 2 ? 0 : 2;
}

}  // namespace faultline

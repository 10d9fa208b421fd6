// Call sites: the lines of a program's own code in which its page faults happened, of one run, and which of them grew
// between two builds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/units.h"
#include "core/culprits/fault_kind.h"
#include "core/model/fault_sample.h"

namespace faultline {

struct CallSite {
  std::string function{};  // "Level::load"; empty: unknown
  std::string module{};    // name of the file of code, without folders; empty: none
  std::string file{};      // path of the source; empty: unknown
  int line = 0;            // 0: unknown
  std::string source{};    // the text of that line, if it could be read, by which builds are compared as lines move
  std::string caller{};    // "main (main.cpp:12)", of most of its faults; empty: unknown
  std::string program{};   // name of the process, if it is not the first one
  std::uint64_t faults = 0;
  std::uint64_t pages = 0;            // of `faults`: gave the program a page of memory; a large page counts as one
  std::uint64_t majors = 0;           // of `faults`: needed the disk
  std::optional<Nanoseconds> time{};  // of `faults`; absent: not known of each

  bool operator==(const CallSite&) const = default;
};

struct CallSites {
  std::vector<CallSite> sites{};  // most faults first
  std::uint64_t faults = 0;       // of all sites, and without a known one
  bool each = false;              // each fault has been read; else some stand for all
  std::uint64_t others = 0;       // processes that the first one has started, without the faults of their first moments
  std::uint64_t passed = 0;       // further ones that were seen, but not read
  std::string whyNot{};           // a sentence; empty: there are call sites

  bool operator==(const CallSites&) const = default;
};

class SiteCount {
 public:
  // The text of a line of source; empty if it cannot be read.
  using ReadLine = std::string (*)(const std::string& file, int line);

  // Of `file`, paths below the folder `root` are named from there.
  SiteCount(std::string root, ReadLine read) : m_root(std::move(root)), m_read(read) {}

  // Of each process in order of time, with its call stack. `program`: see CallSite.
  void add(const FaultSample& sample, const std::string& program = {});
  [[nodiscard]] CallSites found() const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string, int>;  // program to line
  struct Counted {
    CallSite site;
    std::map<std::string, std::uint64_t> callers;
  };

  std::string m_root;
  ReadLine m_read;
  FaultKinds m_kinds;
  std::map<Key, Counted> m_sites;
  std::uint64_t m_faults = 0;
};

// "parse (parse.cpp:12)", or what is known of it; of another process than the first, "parse (parse.cpp:12) in cc1".
[[nodiscard]] std::string siteName(const CallSite& site);

struct SiteGrowth {
  CallSite site{};  // of the later build, unless it has none there
  std::int64_t faults = 0;
  std::int64_t pages = 0;
  bool each = false;  // exact: both builds have read each fault

  bool operator==(const SiteGrowth&) const = default;
};

// The sites of the first process whose faults differ by more than what is usual: those that grew, most first, then
// those that shrank. Sites are paired by their function and the text of their line; without that text, by its number.
[[nodiscard]] std::vector<SiteGrowth> siteGrowths(const CallSites& before, const CallSites& after);
// "4 096 more page faults, all in parse (parse.cpp:12), called by main (main.cpp:5): at least 16.0 MiB more touched"
// `faults`: by how many all page faults of the program grew.
[[nodiscard]] std::string growthText(const std::vector<SiteGrowth>& growths, std::uint64_t pageBytes, double faults);
// Of one site, without "all": for the annotation of its line.
[[nodiscard]] std::string growthText(const SiteGrowth& growth, std::uint64_t pageBytes);
// A table of the sites with the most faults. Its last two columns are words; major faults, time and memory touched have
// columns where there are any.
[[nodiscard]] std::vector<std::vector<std::string>> siteRows(const CallSites& sites, std::uint64_t pageBytes);

}  // namespace faultline

#include "core/culprits/speedscope.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

struct Weighed {
  explicit Weighed(const char* name, const char* unit)
      : profile{{"type", "sampled"}, {"name", name}, {"unit", unit}, {"startValue", 0}, {"endValue", 0}} {
    profile.update({{"samples", Json::array()}, {"weights", Json::array()}});
  }

  void add(const std::vector<std::size_t>& stack, std::uint64_t weight) {
    if (weight == 0) return;
    profile["samples"].push_back(stack);
    profile["weights"].push_back(weight);
    total += weight;
    profile["endValue"] = total;
  }

  Json profile;
  std::uint64_t total = 0;
};

class Document {
 public:
  explicit Document(std::uint64_t pageBytes) : m_pageBytes(pageBytes) {}

  void add(const CallTree& node) {
    for (const CallTree& child : node.children) {
      m_stack.push_back(m_frames.try_emplace(validUtf8(child.name), m_frames.size()).first->second);
      add(child);
      m_stack.pop_back();
    }
    if (m_stack.empty()) return;
    const auto [faults, time, majors] = ownCost(node);
    m_faults.add(m_stack, faults);
    m_minors.add(m_stack, faults - majors);
    m_majors.add(m_stack, majors);
    m_pages.add(m_stack, faults * m_pageBytes);
    m_times.add(m_stack, static_cast<std::uint64_t>(std::max(time, Nanoseconds(0)).count()));
  }

  [[nodiscard]] std::string text() const {
    std::vector<Json> frames(m_frames.size());
    for (const auto& [name, number] : m_frames) frames[number] = {{"name", name}};
    Json profiles = Json::array();  // not braces around one value, which compilers read in two ways
    profiles.push_back(m_faults.profile);
    if (m_majors.total > 0) profiles.push_back(m_minors.profile);
    if (m_majors.total > 0) profiles.push_back(m_majors.profile);
    if (m_pages.total > 0) profiles.push_back(m_pages.profile);
    if (m_times.total > 0) profiles.push_back(m_times.profile);
    const Json all{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                   {"shared", {{"frames", frames}}},
                   {"profiles", profiles},
                   {"name", "page faults"},
                   {"activeProfileIndex", 0},
                   {"exporter", "Faultline " FAULTLINE_VERSION}};
    return all.dump() + "\n";
  }

 private:
  std::uint64_t m_pageBytes;
  Weighed m_faults{"page faults", "none"};
  Weighed m_minors{"minor page faults", "none"};
  Weighed m_majors{"major page faults", "none"};
  Weighed m_pages{"a page for each page fault", "bytes"};
  Weighed m_times{"time in page faults, where it is known", "nanoseconds"};
  std::map<std::string, std::size_t> m_frames;  // by name
  std::vector<std::size_t> m_stack;             // outermost first
};

}  // namespace

std::string speedscopeOf(const CallTree& root, std::uint64_t pageBytes) {
  Document document(pageBytes);
  document.add(withoutLines(root));
  return document.text();
}

}  // namespace faultline

#include "core/culprits/pprof.h"

#include <map>
#include <utility>
#include <vector>

#include "core/base/gzip.h"
#include "core/base/protobuf.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

// The numbers of the fields of Profile and its parts.
enum Field : unsigned {
  kSampleType = 1,
  kSample = 2,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kComment = 13,
  kDefaultType = 14,
  kValueType = 1,  // of ValueType
  kValueUnit = 2,
  kSampleLocations = 1,  // of Sample
  kSampleValues = 2,
  kSampleLabel = 3,
  kLabelKey = 1,  // of Label
  kLabelText = 2,
  kId = 1,  // of Location and Function
  kFunctionName = 2,
  kFunctionFile = 4,
  kLocationLine = 4,
  kLineFunction = 1,
  kLineNumber = 2,
};

class Profile {
 public:
  Profile(std::uint64_t pageBytes, bool timed) : m_pageBytes(pageBytes), m_timed(timed) {
    for (const char* const type : {"page_faults", "minor_faults", "major_faults"}) addType(type, "count");
    if (pageBytes > 0) addType("page_bytes", "bytes");
    if (pageBytes > 0) m_profile.add(kComment, text("page_bytes is a page for each fault; a large page has more"));
    if (timed) addType("fault_time", "nanoseconds");
    if (timed) m_profile.add(kComment, text("fault_time is 0 where it is not known"));
    m_profile.add(kDefaultType, text("page_faults"));
  }

  void addThread(const CallTree& thread) {
    m_thread = text(thread.name);
    add(thread);
  }
  std::string bytes() {
    std::vector<std::string_view> all(m_texts.size());
    for (const auto& [words, number] : m_texts) all[number] = words;
    for (const std::string_view words : all) m_profile.add(kStringTable, words);
    return m_profile.bytes();
  }

 private:
  std::uint64_t text(std::string_view words) {
    return m_texts.try_emplace(validUtf8(words), m_texts.size()).first->second;
  }

  void addType(std::string_view type, std::string_view unit) {
    ProtobufMessage message;
    message.add(kValueType, text(type));
    message.add(kValueUnit, text(unit));
    m_profile.add(kSampleType, message);
  }

  std::uint64_t function(const CallTree& node) {
    const auto [found, fresh] = m_functions.try_emplace({text(node.name), text(node.file)}, m_functions.size() + 1);
    if (!fresh) return found->second;
    ProtobufMessage function;
    function.add(kId, found->second);
    function.add(kFunctionName, found->first.first);
    function.add(kFunctionFile, found->first.second);
    m_profile.add(kFunction, function);
    return found->second;
  }

  // A location for each line of a function, with its number.
  std::uint64_t location(const CallTree& node) {
    const std::pair key{function(node), node.line};
    const auto [found, fresh] = m_locations.try_emplace(key, m_locations.size() + 1);
    if (!fresh) return found->second;
    ProtobufMessage line;
    line.add(kLineFunction, key.first);
    line.add(kLineNumber, node.line);
    ProtobufMessage location;
    location.add(kId, found->second);
    location.add(kLocationLine, line);
    m_profile.add(kLocation, location);
    return found->second;
  }

  void add(const CallTree& node) {
    for (const CallTree& child : node.children) {
      m_stack.push_back(location(child));
      add(child);
      m_stack.pop_back();
    }
    if (const CallCost own = ownCost(node); own.faults > 0) addSample(own);
  }

  void addSample(const CallCost& own) {
    ProtobufMessage sample;
    for (auto call = m_stack.rbegin(); call != m_stack.rend(); ++call) sample.add(kSampleLocations, *call);
    for (const std::uint64_t value : {own.faults, own.faults - own.majors, own.majors})
      sample.add(kSampleValues, value);
    if (m_pageBytes > 0) sample.add(kSampleValues, own.faults * m_pageBytes);
    if (m_timed) sample.add(kSampleValues, own.time.count());
    ProtobufMessage label;
    label.add(kLabelKey, text("thread"));
    label.add(kLabelText, m_thread);
    sample.add(kSampleLabel, label);
    m_profile.add(kSample, sample);
  }

  std::uint64_t m_pageBytes;
  bool m_timed;
  ProtobufMessage m_profile;
  std::map<std::string, std::uint64_t> m_texts{{"", 0}};                         // the format wants the empty one first
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> m_functions;  // by the texts of name and file
  std::map<std::pair<std::uint64_t, int>, std::uint64_t> m_locations;            // by function and line
  std::vector<std::uint64_t> m_stack;                                            // outermost first
  std::uint64_t m_thread = 0;
};

}  // namespace

std::string pprofOf(const CallTree& root, std::uint64_t pageBytes) {
  Profile profile(pageBytes, root.time > Nanoseconds(0));
  for (const CallTree& thread : root.children) profile.addThread(thread);
  return gzipOf(profile.bytes());
}

}  // namespace faultline

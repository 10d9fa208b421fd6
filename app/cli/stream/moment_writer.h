// MomentWriter: moments as a document of CSV, JSON or JSON Lines, piece by piece. Pure: appends to a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/history/rates.h"
#include "core/model/hello.h"

namespace faultline {

enum class DataFormat : std::uint8_t {
  Csv,
  Json,       // {"hello": {...}, "moments": [...]}, a moment per line
  JsonLines,  // {"hello": {...}} once, then a moment per line
};

class MomentWriter {
 public:
  explicit MomentWriter(DataFormat format) : m_format(format) {}

  void begin(const Hello& hello, std::string& out);  // JSON keeps the first Hello of several
  void add(const Moment& moment, std::string& out);
  void finish(std::string& out);

 private:
  DataFormat m_format;
  bool m_begun = false;
  bool m_first = true;
};

// Which part of a recording to write. All that is set must hold.
struct MomentFilter {
  Nanoseconds from = Nanoseconds::min();  // since the first moment
  Nanoseconds to = Nanoseconds::max();
  std::optional<std::uint32_t> pid;
  std::string name;  // part of it, upper and lower case alike; empty: any

  [[nodiscard]] bool wants(Nanoseconds sinceStart) const;
  [[nodiscard]] bool wants(const ProcessRow& row) const;
  [[nodiscard]] bool anyProcess() const { return !pid && name.empty(); }
};

// "1234" is a pid, anything else part of a name.
void filterByProcess(const std::string& pidOrName, MomentFilter& filter);
[[nodiscard]] bool containsIgnoringCase(std::string_view text, std::string_view part);

}  // namespace faultline

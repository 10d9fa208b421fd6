// MomentWriter: writes moments as CSV, JSON or JSON Lines by appending to a string, for standard output. Where that is
// a terminal, CSV escapes the ends of lines in names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/history/rates.h"
#include "core/model/hello.h"

namespace faultline {

enum class DataFormat : std::uint8_t {
  Csv,
  Json,       // {"hello": {...}, "moments": [...]}, one moment per line
  JsonLines,  // {"hello": {...}} for each Hello, then one moment per line
};

class MomentWriter {
 public:
  explicit MomentWriter(DataFormat format);

  void begin(const Hello& hello, std::string& out);  // for each Hello; CSV and JSON ignore all but the first
  void add(const Moment& moment, std::string& out);
  void finish(std::string& out);

 private:
  DataFormat m_format;
  bool m_onTerminal;
  bool m_begun = false;
  bool m_first = true;
};

// Selects the part of a recording to write. All set conditions must hold.
struct MomentFilter {
  Nanoseconds from = Nanoseconds::min();  // since the first moment, inclusive
  Nanoseconds to = Nanoseconds::max();    // since the first moment, inclusive
  std::optional<std::uint32_t> pid;
  std::string name;  // part of the name, ASCII case ignored; empty: any name

  [[nodiscard]] bool wants(Nanoseconds sinceStart) const;
  [[nodiscard]] bool wants(const ProcessRow& row) const;
  [[nodiscard]] bool anyProcess() const { return !pid && name.empty(); }
};

// Sets filter.pid if the text is a number, else filter.name.
void filterByProcess(const std::string& pidOrName, MomentFilter& filter);
[[nodiscard]] bool containsIgnoringCase(std::string_view text, std::string_view part);

}  // namespace faultline

#include "app/cli/stream/moment_writer.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/export/csv.h"
#include "core/export/json.h"
#include "core/text/quantity.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

// The end of a line in a name begins a row on a terminal, where nobody sees the quotes.
Moment printable(Moment moment) {
  for (ProcessRow& row : moment.rows) row.name = printableName(row.name);
  return moment;
}

}  // namespace

MomentWriter::MomentWriter(DataFormat format) : m_format(format), m_onTerminal(isTerminal(StandardStream::Output)) {}

void MomentWriter::begin(const Hello& hello, std::string& out) {
  if (m_format == DataFormat::JsonLines) out += "{\"hello\":" + toJson(hello) + "}\n";
  if (m_begun) return;
  m_begun = true;
  if (m_format == DataFormat::Csv) out += csvHeader();
  if (m_format == DataFormat::Json) out += "{\"hello\":" + toJson(hello) + ",\n\"moments\":[";
}

void MomentWriter::add(const Moment& moment, std::string& out) {
  switch (m_format) {
    case DataFormat::Csv:
      appendCsv(m_onTerminal ? printable(moment) : moment, out);
      break;
    case DataFormat::Json:
      out += (m_first ? "\n" : ",\n") + toJson(moment);
      break;
    case DataFormat::JsonLines:
      out += toJson(moment) + "\n";
      break;
  }
  m_first = false;
}

void MomentWriter::finish(std::string& out) {
  if (m_format == DataFormat::Json && m_begun) out += "\n]}\n";
}

bool MomentFilter::wants(Nanoseconds sinceStart) const {
  return sinceStart >= from && sinceStart <= to;
}

bool MomentFilter::wants(const ProcessRow& row) const {
  return (!pid || row.key.pid == *pid) && (name.empty() || containsIgnoringCase(row.name, name));
}

void filterByProcess(const std::string& pidOrName, MomentFilter& filter) {
  const char* end = pidOrName.data() + pidOrName.size();
  std::uint32_t pid = 0;
  const auto [stop, error] = std::from_chars(pidOrName.data(), end, pid);
  if (error == std::errc{} && stop == end) filter.pid = pid;
  else filter.name = pidOrName;
}

bool containsIgnoringCase(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return !std::ranges::search(text, part, same).empty() || part.empty();
}

}  // namespace faultline

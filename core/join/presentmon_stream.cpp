#include "core/join/presentmon_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/join/presentmon_csv.h"
#include "core/text/printable_text.h"

namespace faultline {
namespace {

constexpr std::size_t kLongestLine = 64 * 1024;
constexpr std::size_t kShown = 120;       // bytes of a line that is not PresentMon's
constexpr std::size_t kOtherGoesOn = 10;  // frames of another swap chain since the last one of the chosen chain
constexpr std::size_t kMostChains = 64;
constexpr std::string_view kWhitespace = " \t\r\n";

std::string_view stripped(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kWhitespace), text.size()));
  return text.substr(0, text.find_last_not_of(kWhitespace) + 1);
}

tl::unexpected<Error> notPresentMon(std::string_view line) {
  return fail(fmt::format(
      "The program writes “{}” in place of PresentMon's columns. Name the console program of PresentMon 1.x or 2.x "
      "(PresentMon-...-x64.exe), not the window program.",
      printableText(stripped(line.substr(0, kShown)))));
}

}  // namespace

Result<void> PresentMonStream::takeHead() {
  m_rest.erase(0, m_rest.find_first_not_of(kWhitespace));
  const std::size_t newline = m_rest.find('\n');
  if (newline == std::string::npos) return {};
  const std::string line = m_rest.substr(0, newline);
  CsvRows rows(line);
  const auto* const head = rows.next();
  if (head == nullptr || !parsePresentMon(std::vector(*head), rows, m_ticksPerSecond)) return notPresentMon(line);
  m_head = line;
  m_rest.erase(0, newline + 1);
  return {};
}

Result<void> PresentMonStream::feed(std::string_view text, std::vector<FrameSpan>& frames) {
  m_rest += text;
  if (!begun())
    if (const auto taken = takeHead(); !taken) return taken;
  const std::size_t newline = m_rest.rfind('\n');
  if (m_rest.size() - (newline == std::string::npos ? 0 : newline) > kLongestLine) return notPresentMon(m_rest);
  if (!begun() || newline == std::string::npos) return {};
  const std::string csv = m_head + "\n" + m_rest.substr(0, newline);
  m_rest.erase(0, newline + 1);

  CsvRows rows(csv);
  const std::vector<std::string_view> head = *rows.next();
  auto all = parsePresentMon(head, rows, m_ticksPerSecond).value_or(std::vector<FrameTimes>());
  std::erase_if(all, [this](const FrameTimes& times) { return times.pid != m_pid || times.frames.empty(); });
  if (all.empty()) return {};
  if (all.front().clock != TimesClock::Counter)
    return fail("Its CSV has no times of QueryPerformanceCounter. PresentMon 1.2 and later write them.");
  choose(all);
  for (const FrameTimes& times : all)
    if (times.swapChain == m_chain) frames.insert(frames.end(), times.frames.begin(), times.frames.end());
  return {};
}

void PresentMonStream::choose(const std::vector<FrameTimes>& all) {
  const auto most = std::ranges::max_element(all, {}, [](const FrameTimes& times) { return times.frames.size(); });
  const bool first = m_seen.empty();
  if (m_seen.size() > kMostChains) m_seen.clear();
  for (const FrameTimes& times : all) m_seen[times.swapChain] += times.frames.size();
  const bool goesOn = std::ranges::find(all, m_chain, &FrameTimes::swapChain) != all.end();
  if (first || (!goesOn && m_seen[most->swapChain] >= kOtherGoesOn)) m_chain = most->swapChain;
  else if (!goesOn) return;
  for (auto& [chain, count] : m_seen) count = 0;
}

std::string presentMonFailure(std::string_view program, std::string_view how, std::string_view errors) {
  const std::size_t error = errors.find("error");
  const std::string_view from = stripped(errors.substr(error == std::string_view::npos ? 0 : error));
  const std::string_view line = stripped(from.substr(0, from.find('\n')));
  std::string text = fmt::format("PresentMon ({}) {}", printableText(program), how);
  if (!line.empty()) text += ": " + printableText(line);
  if (!text.ends_with('.')) text += '.';
  if (errors.find("access denied") != std::string_view::npos)
    return text +
           " Windows lets members of the group \"Performance Log Users\" start it. To join, run as an administrator: "
           "net localgroup \"Performance Log Users\" %USERNAME% /add. Then log out and in again.";
  return text +
         " Run it by hand with -output_stdout to see more, or let the game call faultline_frame() of "
         "faultline_frame.h.";
}

}  // namespace faultline

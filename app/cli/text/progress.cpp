#include "app/cli/text/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/text/say.h"
#include "app/cli/text/width.h"
#include "core/text/quantity.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr int kWidestBar = 40;
constexpr auto kPatience = 500ms;
constexpr auto kRedraw = 100ms;

std::string bar(double share, int width) {
  const int halves = static_cast<int>(share * width * 2);
  std::string text;
  for (int i = 0; i < width; ++i) text += 2 * i + 1 < halves ? "━" : 2 * i < halves ? "╸" : " ";
  return text;
}

}  // namespace

std::string progressText(std::uint64_t done, std::optional<std::uint64_t> total, Nanoseconds elapsed, int columns) {
  if (!total || *total == 0) return formatBytes(done) + " read";
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(*total));
  std::string text = fmt::format(" {:3.0f} %  {} of {}", share * 100, formatBytes(done), formatBytes(*total));
  if (share > 0.02 && share < 1) {
    const double left = static_cast<double>(elapsed.count()) * (1 - share) / share;
    text += fmt::format(", {:.0f} s left", left / 1e9);
  }
  const int width = std::min(kWidestBar, columns - static_cast<int>(text.size()) - 1);
  return width >= 8 ? bar(share, width) + text : cutTo(text.substr(1), columns);
}

ProgressBar::ProgressBar(std::optional<std::uint64_t> total)
    : m_total(total), m_next(m_start + kPatience), m_wanted(isTerminal(StandardStream::Error)) {}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::show(std::uint64_t done) {
  if (!m_wanted) return;
  const Clock::time_point now = Clock::now();
  if (now < m_next) return;
  m_next = now + kRedraw;
  m_drawn = true;
  const TerminalSize size = terminalSize(StandardStream::Error).value_or(TerminalSize{});
  sayOverLine(progressText(done, m_total, now - m_start, size.columns));
}

void ProgressBar::clear() {
  if (m_drawn) sayOverLine({});
  m_drawn = false;
}

}  // namespace faultline

#include "app/cli/lab/lab_child.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>

#include "app/cli/text/say.h"
#include "core/lab/view/progress.h"
#include "core/lab/view/text.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

constexpr Nanoseconds kEndPatience = std::chrono::seconds(1);  // between the end of its output and its own

std::optional<LaneRun> parseRun(std::string_view text) {
  std::array<std::int64_t, 2> times{};
  for (std::int64_t& time : times) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (error != std::errc() || end == text.data() + text.size()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  }
  return LaneRun{.name = std::string(text), .from = {Nanoseconds(times[0])}, .to = {Nanoseconds(times[1])}};
}

// env(1) executes the program in its own process, so that no other one gets the library.
void preload(const std::string& library, ChildCommand& command) {
  const char* const present = std::getenv("LD_PRELOAD");
  const std::string others = present != nullptr && *present != 0 ? ":" + std::string(present) : "";
  command.arguments.insert(command.arguments.begin(), {"LD_PRELOAD=" + library + others, command.program.string()});
  command.program = "env";
}

}  // namespace

Result<LabChild> LabChild::start(const LabChildPlan& plan) {
  const auto program = findProgram(executableFolder(), "faultline-cli");
  if (!program) return tl::unexpected(program.error());
  ChildCommand command{.program = *program,
                       .arguments = {"lab", plan.name, "--child-of", std::to_string(ownProcess())},
                       .output = ChildStream::Pipe,
                       .quietInput = true,
                       .held = plan.held,
                       .ownGroup = true,
                       .interrupt = plan.interrupt};
  if (plan.quick) command.arguments.emplace_back("--quick");
  if (plan.traced) command.arguments.emplace_back("--traced");
  if (!plan.malloc.empty()) command.arguments.insert(command.arguments.end(), {"--malloc", plan.malloc});
  if (!plan.preload.empty()) preload(plan.preload, command);
  auto process = ChildProcess::start(command);
  if (!process) return tl::unexpected(process.error());
  say(labProgressLine(plan.name, labProcessText(process->pid())));
  return LabChild(std::move(*process), plan.name);
}

Result<void> LabChild::receive() {
  std::array<std::byte, std::size_t{1} << 14U> buffer{};
  const std::size_t size = m_process.readOutput(buffer);
  if (size == 0) {
    const auto status = m_process.waitFor(kEndPatience);
    return fail(fmt::format("The process of experiment {} {} before it had a result.", m_name,
                            status ? howEnded(*status) : "closed its output"));
  }
  m_text.append(reinterpret_cast<const char*>(buffer.data()), size);
  for (std::size_t end = 0; (end = m_text.find('\n')) != std::string::npos; m_text.erase(0, end + 1))
    if (const auto taken = take(std::string_view(m_text).substr(0, end)); !taken) return taken;
  return {};
}

LabReport LabChild::takeReport() {
  m_report->ownFaults = m_faults->own;
  return std::move(*m_report);
}

std::optional<LabChild::Faults> LabChild::parseFaults(std::string_view text) {
  Faults faults;
  const char* const end = text.data() + text.size();
  const auto own = std::from_chars(text.data(), end, faults.own);
  if (own.ec != std::errc() || own.ptr == end) return std::nullopt;
  if (std::from_chars(own.ptr + 1, end, faults.children).ec != std::errc()) return std::nullopt;
  return faults;
}

Result<void> LabChild::take(std::string_view line) {
  const char kind = line.empty() ? ' ' : line.front();
  const std::string_view rest = line.size() > 2 ? line.substr(2) : std::string_view();
  if (kind == 'P' && !m_report) say(labProgressLine(m_name, rest));
  if (kind == 'S')
    if (auto run = parseRun(rest)) m_runs.push_back(std::move(*run));
  if (kind == 'R') {
    auto reports = parseLabJson(rest);
    if (!reports) return tl::unexpected(reports.error());
    if (!reports->empty()) m_report = std::move(reports->front());
  }
  if (kind == 'F') m_faults = parseFaults(rest);
  return {};
}

}  // namespace faultline

#include "app/cli/stream/collector.h"

#include <fmt/format.h>

#include "core/text/duration.h"
#include "core/text/quantity.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;
constexpr Nanoseconds kPatience = 30s;  // added to the interval, for a loaded machine

// A crash on Windows has a code with the highest bit set (NTSTATUS), which is usually written in hexadecimal.
std::string codeText(int code) {
  return code >= 0 ? std::to_string(code) : fmt::format("{:#010X}", static_cast<std::uint32_t>(code));
}

Result<CollectorChoice> collectorFor(const CommonOptions& options) {
  if (options.collector.empty()) return chooseCollector(executableFolder(), grantedCollector());
  return CollectorChoice{.program = options.collector, .why = "Named with --collector.", .enable = {}};
}

}  // namespace

Result<CollectorStream> CollectorStream::start(const CommonOptions& options, Nanoseconds interval) {
  std::vector<std::string> arguments{"sweep", "--interval", durationText(interval)};
  if (options.synthetic) arguments.emplace_back("--synthetic");
  if (!options.faultTime) arguments.emplace_back("--no-fault-time");
  return start(options, std::move(arguments), interval);
}

Result<CollectorStream> CollectorStream::start(const CommonOptions& options, std::vector<std::string> arguments,
                                               Nanoseconds interval) {
  auto collector = collectorFor(options);
  if (!collector) return tl::unexpected(collector.error());
  ChildCommand command{.program = collector->program,
                       .arguments = std::move(arguments),
                       .output = ChildStream::Pipe,
                       .errors = ChildStream::Pipe,
                       .quietInput = true,
                       .ownGroup = true};
  auto child = ChildProcess::start(command);
  if (!child)
    return fail("The collector " + child.error().message +
                " Install faultline-collector beside this program, or name its file with --collector.");
  return CollectorStream(std::move(*child), std::move(*collector), interval);
}

CollectorStream::CollectorStream(ChildProcess child, CollectorChoice collector, Nanoseconds interval)
    : m_child(std::move(child)),
      m_collector(std::move(collector)),
      m_patience(interval + kPatience),
      m_buffer(kBufferBytes) {}

void CollectorStream::receive() {
  const std::size_t got = m_child.readOutput(m_buffer);
  m_ended = got == 0;
  m_decoder.feed(std::span<const std::byte>(m_buffer).first(got));
}

Result<StreamEvent> CollectorStream::waitForEvent() {
  for (;;) {
    auto event = m_decoder.next();
    if (!event || !std::holds_alternative<NeedMoreBytes>(*event)) return event;
    if (m_ended) return tl::unexpected(whyEnded());
    if (waitAny(std::array{ready()}, m_patience) == 0)
      return fail("The collector sent nothing for " + formatDuration(m_patience) + ".");
    receive();
  }
}

std::vector<std::string> CollectorStream::complaints() {
  std::array<std::byte, 4096> buffer{};
  while (waitAny(std::array{m_child.errorsReady()}, 0s) != 0) {
    const std::size_t got = m_child.readErrors(buffer);
    if (got == 0) break;
    m_errorText.append(reinterpret_cast<const char*>(buffer.data()), got);
  }
  std::vector<std::string> lines;
  for (std::size_t end = 0; (end = m_errorText.find('\n')) != std::string::npos; m_errorText.erase(0, end + 1))
    if (end > 0) lines.push_back(printableName(std::string_view(m_errorText).substr(0, end)));
  return lines;
}

Error CollectorStream::whyEnded() {
  const auto status = m_child.waitFor(1s);
  std::string said;
  for (const std::string& line : complaints()) said += " Its message: " + line;
  const std::string how = !status               ? "closed its stream"
                          : status->signal != 0 ? fmt::format("was killed by signal {}", status->signal)
                                                : "ended with code " + codeText(status->code);
  return {fmt::format("The collector {} {}.{} Try again, or check with 'faultline-cli doctor'.",
                      m_collector.program.string(), how, said)};
}

}  // namespace faultline

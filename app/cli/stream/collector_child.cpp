#include "app/cli/stream/collector_child.h"

#include "core/text/quantity.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;

Result<CollectorChoice> collectorFor(const CommonOptions& options) {
  if (options.collector.empty()) return chooseCollector(executableFolder(), grantedCollector());
  return CollectorChoice{.program = options.collector, .why = "Named with --collector.", .enable = {}};
}

// This program, which then starts the collector with more rights.
Result<void> elevate(const CommonOptions& options, ChildCommand& command) {
  const auto self = findProgram(executableFolder(), "faultline-cli");
  if (!self) return tl::unexpected(self.error());
  std::vector<std::string> words{"elevated", "--"};
  if (!options.collector.empty()) words.insert(words.begin(), {"--collector", command.program.string()});
  command.arguments.insert(command.arguments.begin(), words.begin(), words.end());
  command.program = *self;
  return {};
}

}  // namespace

Result<CollectorChild> CollectorChild::start(const CommonOptions& options, std::vector<std::string> arguments) {
  auto collector = collectorFor(options);
  if (!collector) return tl::unexpected(collector.error());
  ChildCommand command{.program = collector->program,
                       .arguments = std::move(arguments),
                       .output = ChildStream::Pipe,
                       .errors = ChildStream::Pipe,
                       .quietInput = true,
                       .ownGroup = true};
  const bool watches = !command.arguments.empty() && command.arguments.front() == "watch";
  if (options.elevate)
    if (const auto elevated = elevate(options, command); !elevated) return tl::unexpected(elevated.error());
  auto child = ChildProcess::start(command);
  if (!child)
    return fail("The collector " + child.error().message +
                " Install faultline-collector beside this program, or name its file with --collector.");
  return CollectorChild(std::move(*child), std::move(*collector), watches);
}

CollectorChild::CollectorChild(ChildProcess child, CollectorChoice collector, bool watches)
    : m_child(std::move(child)), m_collector(std::move(collector)), m_buffer(kBufferBytes), m_watches(watches) {}

std::span<const std::byte> CollectorChild::receive() {
  const std::size_t got = m_child.readOutput(m_buffer);
  m_ended = got == 0;
  if (!m_ended) m_heard = Steady::now();
  return std::span<const std::byte>(m_buffer).first(got);
}

void CollectorChild::readErrors() {
  std::array<std::byte, 4096> buffer{};
  while (waitAny(std::array{m_child.errorsReady()}, 0s) != 0) {
    const std::size_t got = m_child.readErrors(buffer);
    if (got == 0) break;
    m_errorText.append(reinterpret_cast<const char*>(buffer.data()), got);
  }
}

std::vector<std::string> CollectorChild::complaints() {
  readErrors();
  std::vector<std::string> lines;
  for (std::size_t end = 0; (end = m_errorText.find('\n')) != std::string::npos; m_errorText.erase(0, end + 1))
    if (end > 0) lines.push_back(printableName(std::string_view(m_errorText).substr(0, end)));
  return lines;
}

CollectorEnd CollectorChild::end() {
  const Nanoseconds silent = m_watches ? Steady::now() - m_heard : 0ns;
  const auto status = m_child.waitFor(1s);
  readErrors();
  const CollectorKill kill{
      .signal = status ? status->signal : 0, .memoryWent = memoryKills() > m_memoryKills, .silent = silent};
  return collectorEnd(status ? howEnded(*status) : "closed its stream", m_errorText, kill,
                      "The collector " + m_collector.program.string(),
                      "Try again, or check with 'faultline-cli doctor'.");
}

}  // namespace faultline

#include "platform/host/stack_reader.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <unordered_map>

#include "platform/host/linux/symbols/fields.h"
#include "platform/host/linux/symbols/local_stack_reader.h"
#include "platform/host/linux/symbols/reader_process.h"
#include "platform/host/linux/symbols/unwinder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kPatience = 30s;  // with one stack; the first that meets a module reads all of its tables
constexpr Nanoseconds kPause = 250ms;   // between two notices of the same page of code
constexpr int kMostDeaths = 5;
constexpr std::size_t kMostPages = 4096;
constexpr std::size_t kMostFrames = 4096;

// Requests.
constexpr std::uint64_t kOpen = 0;
constexpr std::uint64_t kNotice = 1;
constexpr std::uint64_t kRead = 2;

std::string packed(std::uint64_t request, const FaultSample& sample) {
  FieldWriter out;
  out.number(request).number(static_cast<std::uint64_t>(sample.time.sinceEpoch.count()));
  out.text({reinterpret_cast<const char*>(sample.stack.data()), sample.stack.size()});
  for (const std::uint64_t value : sample.registers) out.number(value);
  return out.take();
}

FaultSample unpackedSample(FieldReader& in) {
  FaultSample sample;
  sample.time = {Nanoseconds(static_cast<std::int64_t>(in.number()))};
  const std::string stack = in.text();
  const auto* const bytes = reinterpret_cast<const std::byte*>(stack.data());
  sample.stack.assign(bytes, bytes + stack.size());
  while (in.more()) sample.registers.push_back(in.number());
  return sample;
}

std::string packed(const CodeStack& stack) {
  FieldWriter out;
  for (const CodeFrame& frame : stack)
    out.text(frame.function)
        .text(frame.module)
        .number(frame.offset)
        .text(frame.file)
        .number(static_cast<std::uint64_t>(frame.line))
        .number((frame.inlined ? 1U : 0U) | (frame.system ? 2U : 0U));
  return out.take();
}

CodeStack unpackedStack(std::string_view bytes) {
  CodeStack stack;
  for (FieldReader in(bytes); in.more() && stack.size() < kMostFrames;) {
    CodeFrame frame;
    frame.function = in.text();
    frame.module = in.text();
    frame.offset = in.number();
    frame.file = in.text();
    frame.line = static_cast<int>(in.number());
    const std::uint64_t bits = in.number();
    frame.inlined = (bits & 1U) != 0;
    frame.system = (bits & 2U) != 0;
    if (!in.ok()) break;
    stack.push_back(std::move(frame));
  }
  return stack;
}

// In the child: kOpen is answered with why it cannot be done.
ReaderProcess::Answer answerer(std::uint32_t pid) {
  auto opened = openLocalStackReader(pid);
  const std::string trouble = opened ? std::string() : opened.error().message;
  std::shared_ptr<StackReader> reader = opened ? std::move(*opened) : nullptr;
  return [reader, trouble](std::string_view request) -> std::string {
    FieldReader in(request);
    const std::uint64_t what = in.number();
    if (what == kOpen || !reader) return trouble;
    const FaultSample sample = unpackedSample(in);
    if (what == kRead) return packed(reader->read(sample));
    reader->notice(sample);
    return {};
  };
}

// Whoever reads may die; another one takes its place as long as the game lives, and a few times only. Who hangs is not
// waited for again.
class StackReaderProcess final : public GameStackReader {
 public:
  explicit StackReaderProcess(std::uint32_t pid) : m_pid(pid) {}

  [[nodiscard]] Result<void> open() {
    auto process = ReaderProcess::start([this] { return answerer(m_pid); });
    if (!process) return fail("Call stacks are not told: their reader " + process.error().message + ".");
    const auto answer = process->ask(FieldWriter().number(kOpen).take(), kPatience);
    if (!answer) return fail(whatHappened(answer.error()));
    if (!answer->empty()) return fail(*answer);
    m_process.emplace(std::move(*process));
    return {};
  }

  void notice(const FaultSample& sample) override {
    const auto code = faultingCode(sample);
    if (!code || !m_process) return;
    if (m_noticed.size() >= kMostPages) m_noticed.clear();
    const auto [place, isNew] = m_noticed.try_emplace(*code / 4096, sample.time);
    if (!isNew && sample.time - place->second < kPause) return;
    place->second = sample.time;
    static_cast<void>(asked(kNotice, sample));
  }

  CodeStack read(const FaultSample& sample) override {
    const auto answer = asked(kRead, sample);
    return answer ? unpackedStack(*answer) : CodeStack();
  }

  [[nodiscard]] std::string trouble() const override { return m_trouble; }

 private:
  [[nodiscard]] std::string whatHappened(const Error& error) const {
    return fmt::format(
        "Call stacks may be missing: their reader {} while it read the files of process {}. A file that is rewritten "
        "in place while the game runs does that, and a damaged one; restart the game.",
        error.message, m_pid);
  }

  [[nodiscard]] std::optional<std::string> asked(std::uint64_t request, const FaultSample& sample) {
    if (!m_process) return std::nullopt;
    const auto began = std::chrono::steady_clock::now();
    auto answer = m_process->ask(packed(request, sample), kPatience);
    if (answer) return std::move(*answer);
    m_trouble = whatHappened(answer.error());
    m_process.reset();
    m_noticed.clear();
    const bool hung = std::chrono::steady_clock::now() - began >= kPatience;
    if (!hung && ++m_deaths < kMostDeaths) static_cast<void>(open());
    return std::nullopt;
  }

  std::uint32_t m_pid;
  std::optional<ReaderProcess> m_process;
  std::unordered_map<std::uint64_t, MonotonicTime> m_noticed;  // pages of code
  int m_deaths = 0;
  std::string m_trouble;
};

}  // namespace

Result<std::unique_ptr<GameStackReader>> openStackReader(std::uint32_t pid) {
  auto reader = std::make_unique<StackReaderProcess>(pid);
  if (const auto opened = reader->open(); !opened) return tl::unexpected(opened.error());
  return reader;
}

}  // namespace faultline

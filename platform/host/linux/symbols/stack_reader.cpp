#include "platform/host/stack_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "platform/host/linux/symbols/fields.h"
#include "platform/host/linux/symbols/local_stack_reader.h"
#include "platform/host/linux/symbols/reader_process.h"
#include "platform/host/linux/symbols/unwinder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kPatience = 30s;  // for a stack; the first stack in a module reads all of its tables
constexpr Nanoseconds kOpening = 1s;
constexpr Nanoseconds kMoment = 3ms;         // most stacks take some microseconds
constexpr Nanoseconds kAnswering = 1s;       // from an answer's first byte to its last
constexpr Nanoseconds kNoticePause = 250ms;  // between two notices of the same page of code
constexpr std::size_t kMostAwaited = 16;
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

std::string packed(const CallStack& stack) {
  FieldWriter out;
  for (const StackFrame& frame : stack)
    out.text(frame.function)
        .text(frame.module)
        .number(frame.offset)
        .text(frame.file)
        .number(static_cast<std::uint64_t>(frame.line))
        .number((frame.inlined ? 1U : 0U) | (frame.system ? 2U : 0U));
  return out.take();
}

CallStack unpackedStack(std::string_view bytes) {
  CallStack stack;
  for (FieldReader in(bytes); in.more() && stack.size() < kMostFrames;) {
    StackFrame frame;
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

// In the child. The answer to kOpen is why stacks cannot be read; empty on success.
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

// A reader that dies is replaced a few times while the game lives; a reader that hangs is ended and not replaced.
// Requests are sent without waiting for their answers, which come in the same order; ready() never waits for long.
class StackReaderProcess final : public GameStackReader {
 public:
  explicit StackReaderProcess(std::uint32_t pid) : m_pid(pid) {}

  // Error: no stack can be read. The answer of a reader that opens slowly is read later.
  [[nodiscard]] Result<void> open() {
    auto process = ReaderProcess::start([this] { return answerer(m_pid); });
    if (!process) return fail("Call stacks are not available: their reader " + process.error().message + ".");
    m_process.emplace(std::move(*process));
    m_trouble.clear();
    if (send(kOpen, FieldWriter().number(kOpen).take())) hear(kOpening);
    if (!m_process) return fail(m_trouble);
    return {};
  }

  void notice(const FaultSample& sample) override {
    hear(0s);
    const auto code = faultingCode(sample);
    if (!code || !m_process || m_awaited.size() >= kMostAwaited) return;
    if (m_noticed.size() >= kMostPages) m_noticed.clear();
    const auto [place, isNew] = m_noticed.try_emplace(*code / 4096, sample.time);
    if (!isNew && sample.time - place->second < kNoticePause) return;
    place->second = sample.time;
    static_cast<void>(send(kNotice, packed(kNotice, sample)));
  }

  bool ready(const FaultSample& sample) override {
    const std::string request = packed(kRead, sample);
    hear(isAwaited(kRead) ? kMoment : 0s);
    if (m_read == request) return m_stack || !m_process;
    if (isAwaited(kRead)) return !m_process;  // for another sample
    if (!m_process || !send(kRead, request)) return true;
    m_read = request;
    m_stack.reset();
    hear(kMoment);
    return m_stack || !m_process;
  }

  CallStack read(const FaultSample& sample) override {
    while (!ready(sample)) continue;
    if (!m_stack || m_read != packed(kRead, sample)) return {};
    m_read.clear();  // a second request for the same sample reads again: its files may have changed
    return *std::exchange(m_stack, std::nullopt);
  }

  [[nodiscard]] std::string trouble() const override { return m_trouble; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Awaited {
    std::uint64_t request;
    Time sent;
  };

  [[nodiscard]] std::string whatHappened(const Error& error) const {
    return fmt::format(
        "Call stacks may be missing: their reader {} while it read the files of process {}. Such a file may be "
        "damaged, "
        "or was rewritten in place while the game ran; restart the game.",
        error.message, m_pid);
  }

  [[nodiscard]] bool isAwaited(std::uint64_t request) const {
    return std::ranges::find(m_awaited, request, &Awaited::request) != m_awaited.end();
  }

  bool send(std::uint64_t request, const std::string& bytes) {
    m_awaited.push_back({.request = request, .sent = std::chrono::steady_clock::now()});
    const auto sent = m_process->send(bytes, kMoment);
    if (!sent) lose(sent.error(), false);
    return sent.has_value();
  }

  // Takes the answers that have come; waits for all awaited answers, but at most for `patience`.
  void hear(Nanoseconds patience) {
    const Time end = std::chrono::steady_clock::now() + patience;
    while (m_process && !m_awaited.empty()) {
      const Time now = std::chrono::steady_clock::now();
      const bool hung = now - m_awaited.front().sent >= kPatience;
      if (!hung && !m_process->answersWithin(end - now)) return;
      const auto answer = m_process->receive(hung ? 0s : kAnswering);
      if (!answer) return lose(answer.error(), hung);
      const std::uint64_t request = m_awaited.front().request;
      m_awaited.pop_front();
      if (request == kRead) m_stack = unpackedStack(*answer);
      if (request != kOpen || answer->empty()) continue;
      m_trouble = *answer;
      forget();
    }
  }

  void lose(const Error& error, bool hung) {
    const std::string trouble = whatHappened(error);
    if (isAwaited(kRead)) m_stack.emplace();  // empty: another reader would die of the same sample
    forget();
    if (!hung && ++m_deaths < kMostDeaths) static_cast<void>(open());
    m_trouble = trouble;
  }

  void forget() {
    m_process.reset();
    m_awaited.clear();
    m_noticed.clear();
  }

  std::uint32_t m_pid;
  std::optional<ReaderProcess> m_process;
  std::deque<Awaited> m_awaited;                               // requests without an answer yet
  std::string m_read;                                          // the last requested sample
  std::optional<CallStack> m_stack;                            // of that sample
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

std::string everyFaultWarning() {
  return {};
}

}  // namespace faultline

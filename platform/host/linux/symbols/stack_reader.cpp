#include "platform/host/stack_reader.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/text/duration.h"
#include "platform/host/linux/symbols/fields.h"
#include "platform/host/linux/symbols/game_rights.h"
#include "platform/host/linux/symbols/local_stack_reader.h"
#include "platform/host/linux/symbols/reader_process.h"
#include "platform/host/linux/symbols/unwinder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kOpening = 1s;
constexpr Nanoseconds kMoment = 3ms;         // most stacks take some microseconds
constexpr Nanoseconds kAnswering = 1s;       // from an answer's first byte to its last
constexpr Nanoseconds kNoticePause = 250ms;  // between two notices of the same page of code
constexpr int kSlow = 6;  // a busy machine, or a slow disk, makes the processor's time so many times longer
constexpr std::size_t kMostAwaited = 16;
constexpr int kMostDeaths = 5;
constexpr std::size_t kMostPages = 4096;
constexpr std::size_t kMostFrames = 4096;
constexpr std::size_t kUsualAnswer = std::size_t{16} << 10U;     // bytes; its time alone is limited
constexpr std::size_t kMostSampleBytes = std::size_t{1} << 20U;  // of a stack

// Requests.
constexpr std::uint64_t kOpen = 0;
constexpr std::uint64_t kNotice = 1;
constexpr std::uint64_t kRead = 2;

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

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

// An answer begins with a trouble: to kOpen, why stacks cannot be read; to kRead, why some
// are not whole. Empty: there is none.
std::string packed(const std::string& trouble, const CallStack& stack) {
  FieldWriter out;
  out.text(trouble);
  for (const StackFrame& frame : stack) {
    if (out.size() > kMostSampleBytes) break;
    out.text(frame.function)
        .text(frame.module)
        .number(frame.offset)
        .text(frame.file)
        .number(static_cast<std::uint64_t>(frame.line))
        .number((frame.inlined ? 1U : 0U) | (frame.system ? 2U : 0U));
  }
  return out.take();
}

CallStack unpackedStack(FieldReader in) {
  CallStack stack;
  while (in.more() && stack.size() < kMostFrames) {
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

// In the child, which lets a game have the processor first; beside a busy program the child still gets a quarter of it.
ReaderProcess::Answer answerer(std::uint32_t pid) {
  constexpr int kNice = 5;
  setpriority(PRIO_PROCESS, 0, kNice);
  takeRightsOf(pid);
  auto opened = openLocalStackReader(pid);
  const std::string trouble = opened ? std::string() : opened.error().message;
  std::shared_ptr<GameStackReader> reader = opened ? std::move(*opened) : nullptr;
  return [reader, trouble](std::string_view request) {
    FieldReader in(request);
    const std::uint64_t what = in.number();
    if (what == kOpen || !reader) return packed(trouble, {});
    const FaultSample sample = unpackedSample(in);
    CallStack stack;
    if (what == kRead) stack = reader->read(sample);
    else reader->notice(sample);
    return packed(reader->trouble(), stack);
  };
}

// A reader that dies is replaced a few times while the game lives; a reader that takes more than the budget is ended
// and not replaced. Requests are sent without waiting for their answers, which come in the same order; ready() never
// waits for long.
class StackReaderProcess final : public GameStackReader {
 public:
  StackReaderProcess(std::uint32_t pid, std::shared_ptr<ReadingBudget> budget)
      : m_pid(pid), m_budget(std::move(budget)) {}

  // Error: no stack can be read. The answer of a reader that opens slowly is read later.
  [[nodiscard]] Result<void> open() {
    if (m_budget->left() <= 0s) return fail(tooMuch());
    auto process = ReaderProcess::start([this] { return answerer(m_pid); });
    if (!process) return fail("Call stacks are not available: their reader " + process.error().message + ".");
    m_process.emplace(std::move(*process));
    m_spent = Nanoseconds(0);
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
    while (!ready(sample))
      if (ReaderProcess::interrupted()) lose("Call stacks may be missing: a signal ended the wait for them.");
    if (!m_stack || m_read != packed(kRead, sample)) return {};
    m_read.clear();  // a second request for the same sample reads again: its files may have changed
    return *std::exchange(m_stack, std::nullopt);
  }

  [[nodiscard]] std::string trouble() const override { return m_trouble.empty() ? m_note : m_trouble; }

 private:
  [[nodiscard]] std::string tooMuch() const {
    return fmt::format(
        "Call stacks are missing: to read them from the files of process {} takes more than this program spends on the "
        "files of games ({} at first).",
        m_pid, durationText(m_budget->time()));
  }

  [[nodiscard]] std::string whatHappened(const Error& error) const {
    return fmt::format(
        "Call stacks may be missing: their reader {} while it read the files of process {}. Such a file may be "
        "damaged, "
        "or was rewritten in place while the game ran; restart the game.",
        error.message, m_pid);
  }

  [[nodiscard]] bool isAwaited(std::uint64_t request) const {
    return std::ranges::find(m_awaited, request) != m_awaited.end();
  }

  bool send(std::uint64_t request, const std::string& bytes) {
    if (m_awaited.empty()) m_busySince = Clock::now();
    m_awaited.push_back(request);
    const auto sent = m_process->send(bytes, kMoment);
    if (!sent) replace(sent.error());
    return sent.has_value();
  }

  // Takes the answers that have come; waits for all awaited answers, but at most for `patience`.
  void hear(Nanoseconds patience) {
    const Time end = Clock::now() + patience;
    while (m_process && !m_awaited.empty()) {
      const Time now = Clock::now();
      const Nanoseconds left = m_budget->left();
      const bool over = m_process->processorTime() - m_spent >= left || now - m_busySince >= kSlow * left;
      if (over && !m_process->answersWithin(0s)) return lose(tooMuch());
      if (!over && !m_process->answersWithin(end - now)) return;
      const auto answer = m_process->receive(kAnswering);
      if (!answer) return replace(answer.error());
      take(*answer);
    }
  }

  void take(const std::string& answer) {
    FieldReader in(answer);
    const Nanoseconds spent = m_process->processorTime();
    m_budget->spend(spent - std::exchange(m_spent, spent));
    if (answer.size() > kUsualAnswer) m_budget->spend(answer.size() - kUsualAnswer);
    m_busySince = Clock::now();
    const std::string trouble = in.text();
    const std::uint64_t request = m_awaited.front();
    m_awaited.pop_front();
    if (request == kRead) m_stack = unpackedStack(in);
    if (request != kOpen) m_note = trouble;
    else if (!trouble.empty()) lose(trouble);
  }

  void replace(const Error& error) {
    lose(whatHappened(error));
    std::string trouble = m_trouble;
    if (++m_deaths < kMostDeaths) static_cast<void>(open());
    m_trouble = std::move(trouble);
  }

  void lose(std::string trouble) {
    // The process may have been idle for long before somebody asked for its answer.
    if (!m_awaited.empty()) m_budget->spend(std::min<Nanoseconds>(Clock::now() - m_busySince, kCommandReading));
    if (isAwaited(kRead)) m_stack.emplace();  // empty: another reader would die of the same sample
    forget();
    m_trouble = std::move(trouble);
  }

  void forget() {
    m_process.reset();
    m_awaited.clear();
    m_noticed.clear();
  }

  std::uint32_t m_pid;
  std::shared_ptr<ReadingBudget> m_budget;
  std::optional<ReaderProcess> m_process;
  std::deque<std::uint64_t> m_awaited;                         // requests without an answer yet
  Nanoseconds m_spent{0};                                      // processor time of the process that is off the budget
  Time m_busySince;                                            // the process, while an answer is awaited
  std::string m_read;                                          // the last requested sample
  std::optional<CallStack> m_stack;                            // of that sample
  std::unordered_map<std::uint64_t, MonotonicTime> m_noticed;  // pages of code
  int m_deaths = 0;
  std::string m_trouble;
  std::string m_note;  // of the process: names are missing
};

}  // namespace

Result<std::unique_ptr<GameStackReader>> openStackReader(std::uint32_t pid, std::shared_ptr<ReadingBudget> budget) {
  auto reader = std::make_unique<StackReaderProcess>(pid, std::move(budget));
  if (const auto opened = reader->open(); !opened) return tl::unexpected(opened.error());
  return reader;
}

std::string everyFaultWarning() {
  return {};
}

}  // namespace faultline

#include "platform/host/linux/symbols/local_stack_reader.h"

#include <chrono>
#include <optional>

#include "platform/host/linux/symbols/code_lookup.h"
#include "platform/host/linux/symbols/code_modules.h"
#include "platform/host/linux/symbols/unwinder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kPause = 250ms;  // between two readings of the memory map for unknown code
constexpr Nanoseconds kTrust = 5s;     // until known code may have been replaced

class LocalStackReader final : public GameStackReader {
 public:
  explicit LocalStackReader(CodeModules modules) : m_modules(std::move(modules)) {}

  void notice(const FaultSample& sample) override {
    const auto code = faultingCode(sample);
    if (code) know(*code, sample.time);
  }

  CallStack read(const FaultSample& sample) override {
    CallAddresses calls = m_unwinder.unwind(m_modules, sample);
    CallStack stack;
    for (const std::uint64_t address : calls.addresses) {
      const CallStack& frames = m_lookup.at(m_modules, address, sample.time);
      stack.insert(stack.end(), frames.begin(), frames.end());
    }
    if (!stack.empty() && !calls.whole) {
      stack.emplace_back().function = kTruncatedStack;
      stack.back().system = true;
    }
    return stack;
  }

  [[nodiscard]] std::string trouble() const override { return m_lookup.trouble(); }

 private:
  void know(std::uint64_t address, MonotonicTime now) {
    const Nanoseconds pause = m_modules.at(address) != nullptr ? kTrust : kPause;
    if (m_looked && now - *m_looked < pause) return;
    m_looked = now;
    if (!m_modules.refresh()) return;
    m_unwinder.forget();
    m_lookup.forget();
  }

  CodeModules m_modules;
  CodeLookup m_lookup;
  Unwinder m_unwinder;
  std::optional<MonotonicTime> m_looked;
};

}  // namespace

Result<std::unique_ptr<GameStackReader>> openLocalStackReader(std::uint32_t pid) {
  auto modules = CodeModules::open(pid);
  if (!modules) return tl::unexpected(modules.error());
  return std::make_unique<LocalStackReader>(std::move(*modules));
}

}  // namespace faultline

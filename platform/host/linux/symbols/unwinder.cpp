#include "platform/host/linux/symbols/unwinder.h"

#include <cstring>
#include <utility>

namespace faultline {
namespace {

constexpr std::size_t kDeepest = 192;

// Order of a machine's registers in a sample; the last is the address of the code.
struct RegisterFile {
  std::size_t count;
  std::size_t stackPointer;
  unsigned numbered;  // number of registers with a DWARF number, from 0 on
};
constexpr RegisterFile kX86{.count = 17, .stackPointer = 7, .numbered = 17};
constexpr RegisterFile kArm{.count = 33, .stackPointer = 31, .numbered = 32};

const RegisterFile* registersOf(const FaultSample& sample) {
  if (sample.registers.size() == kX86.count) return &kX86;
  return sample.registers.size() == kArm.count ? &kArm : nullptr;
}

}  // namespace

struct Unwinder::Callbacks {
  static pid_t nextThread(Dwfl*, void* unwinder, void** argument) {
    return std::exchange(*argument, unwinder) == nullptr ? 1 : 0;
  }

  static bool getThread(Dwfl*, pid_t, void* unwinder, void** argument) {
    *argument = unwinder;
    return true;
  }

  static bool readMemory(Dwfl*, Dwarf_Addr address, Dwarf_Word* word, void* unwinder) {
    auto& self = *static_cast<Unwinder*>(unwinder);
    const FaultSample& sample = *self.m_sample;
    const std::uint64_t begin = sample.registers[registersOf(sample)->stackPointer];
    const std::size_t size = sample.stack.size();
    // The library takes an unreadable address as the end of the stack.
    if (address < begin || size < sizeof *word || address - begin > size - sizeof *word) {
      self.m_found.whole = false;
      return false;
    }
    std::memcpy(word, sample.stack.data() + (address - begin), sizeof *word);
    return true;
  }

  static bool setRegisters(Dwfl_Thread* thread, void* unwinder) {
    const FaultSample& sample = *static_cast<const Unwinder*>(unwinder)->m_sample;
    const std::vector<Dwarf_Word> words(sample.registers.begin(), sample.registers.end());
    dwfl_thread_state_register_pc(thread, words.back());
    return dwfl_thread_state_registers(thread, 0, registersOf(sample)->numbered, words.data());
  }

  static int takeFrame(Dwfl_Frame* frame, void* argument) {
    auto& unwinder = *static_cast<Unwinder*>(argument);
    auto& addresses = unwinder.m_found.addresses;
    Dwarf_Addr address = 0;
    bool exact = false;
    if (!dwfl_frame_pc(frame, &address, &exact)) return DWARF_CB_ABORT;
    // The return address is after the call, and may be in another line or function.
    if (!exact && !addresses.empty()) --address;
    const bool believable = addresses.empty() || unwinder.m_modules->at(address) != nullptr;
    if (!believable || addresses.size() == kDeepest) return DWARF_CB_ABORT;
    addresses.push_back(address);
    return DWARF_CB_OK;
  }

  static bool attach(Dwfl* session, Unwinder& unwinder) {
    static constexpr Dwfl_Thread_Callbacks kCallbacks{.next_thread = nextThread,
                                                      .get_thread = getThread,
                                                      .memory_read = readMemory,
                                                      .set_initial_registers = setRegisters,
                                                      .detach = nullptr,
                                                      .thread_detach = nullptr};
    return dwfl_attach_state(session, nullptr, 1, &kCallbacks, &unwinder);
  }
};

std::optional<std::uint64_t> faultingCode(const FaultSample& sample) {
  return registersOf(sample) != nullptr ? std::optional(sample.registers.back()) : std::nullopt;
}

CallAddresses Unwinder::unwind(const CodeModules& modules, const FaultSample& sample) {
  const auto code = faultingCode(sample);
  if (!code) return {};
  m_modules = &modules;
  m_sample = &sample;
  m_found = {.addresses = {}, .whole = true};
  Dwfl* const session = modules.session();
  if (!m_attached && session != nullptr) m_attached = Callbacks::attach(session, *this);
  const bool ended = m_attached && dwfl_getthread_frames(session, 1, Callbacks::takeFrame, this) == 0;
  m_found.whole = m_found.whole && ended;
  if (m_found.addresses.empty()) m_found.addresses.push_back(*code);
  return std::move(m_found);
}

}  // namespace faultline

#include "platform/sampling/linux/bpf/program_set.h"

#include <cerrno>

#include "platform/sampling/linux/bpf/durations.h"

namespace faultline {
namespace {

constexpr std::array kOptionalParts{BpfPart::Zeroing,    BpfPart::Exits,        BpfPart::FaultTime,
                                    BpfPart::FaultParts, BpfPart::FaultEfforts, BpfPart::Freeing,
                                    BpfPart::Reclaim,    BpfPart::Teardown,     BpfPart::ExitMemory};

BpfObject openObject(const BpfPlan& plan, const BpfParts& parts) {
  BpfObject object = openBpfObject(kBpfBytes);
  if (!object) return object;
  SweepSettings settings = plan.settings;
  settings.splitsFaults = parts[static_cast<std::size_t>(BpfPart::FaultParts)] ? 1U : 0U;
  settings.countsFreed = parts[static_cast<std::size_t>(BpfPart::Freeing)] ? 1U : 0U;
  settings.awaitsTeardown = parts[static_cast<std::size_t>(BpfPart::ExitMemory)] ? 1U : 0U;
  ProcessorDurations::makeRoom(object);
  bpf_map__set_initial_value(bpf_object__find_map_by_name(object.get(), ".rodata"), &settings, sizeof settings);
  for (const BpfProgram& program : kBpfPrograms) {
    bpf_program* const found = bpf_object__find_program_by_name(object.get(), program.name);
    bpf_program__set_autoload(found, parts[static_cast<std::size_t>(program.part)] && plan.takes(program));
  }
  return object;
}

// Loads these parts; null, with errno set, if a program is refused.
BpfObject loadObject(const BpfPlan& plan, const BpfParts& parts) {
  return loadBpfObject(openObject(plan, parts));
}

}  // namespace

// A refused program makes the whole object fail, and the kernel does not say which program it was: tries each alone.
BpfObject loadMost(const BpfPlan& plan, BpfParts wanted, BpfReasons& reasons) {
  if (BpfObject all = loadObject(plan, wanted)) return all;
  BpfParts most{};
  at(most, BpfPart::Sweep) = true;
  if (!loadObject(plan, most)) {
    at(reasons, BpfPart::Sweep) = refusedByKernel("load BPF programs", errno);
    return {};
  }
  for (const BpfPart part : kOptionalParts) {
    if (!at(wanted, part)) continue;
    BpfParts one{};
    at(one, BpfPart::Sweep) = at(one, part) = true;
    if (loadObject(plan, one)) at(most, part) = true;
    else at(reasons, part) = refusedByKernel("load the BPF program for it", errno);
  }
  BpfObject object = loadObject(plan, most);
  if (!object) at(reasons, BpfPart::Sweep) = refusedByKernel("load these BPF programs together", errno);
  return object;
}

}  // namespace faultline

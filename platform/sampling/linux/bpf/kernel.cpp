#include "platform/sampling/linux/bpf/kernel.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "platform/sampling/linux/facts/init_on_alloc.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

BpfKernel::BpfKernel() : m_btf(btf__load_vmlinux_btf()) {
  if (m_btf == nullptr) m_trouble = std::string("/sys/kernel/btf/vmlinux cannot be read: ") + std::strerror(errno);
}

BpfKernel::~BpfKernel() {
  btf__free(m_btf);
}

bool BpfKernel::hasTracepoint(const char* name) const {
  const std::string type = std::string("btf_trace_") + name;
  return m_btf != nullptr && btf__find_by_name_kind(m_btf, type.c_str(), BTF_KIND_TYPEDEF) > 0;
}

// The type is a typedef of a pointer to a function, whose first parameter belongs to the tracepoint.
unsigned BpfKernel::argumentsOf(const char* tracepoint) const {
  if (!hasTracepoint(tracepoint)) return 0;
  const std::string name = std::string("btf_trace_") + tracepoint;
  const auto typeOf = [&](__u32 id) { return btf__type_by_id(m_btf, id); };
  const btf_type* const alias =
      typeOf(static_cast<__u32>(btf__find_by_name_kind(m_btf, name.c_str(), BTF_KIND_TYPEDEF)));
  const btf_type* const function = typeOf(typeOf(alias->type)->type);
  return btf_is_func_proto(function) && btf_vlen(function) > 0 ? btf_vlen(function) - 1U : 0;
}

bool BpfKernel::hasFunction(const char* name) const {
  return m_btf != nullptr && btf__find_by_name_kind(m_btf, name, BTF_KIND_FUNC) > 0;
}

Unavailable BpfKernel::whyNotAt(const char* function) const {
  const std::string name = function;
  if (!hasFunction(function)) return {.why = "This kernel has no function " + name, .enable = {}};
  const int error = attachTo(function);
  return error == 0 ? Unavailable{} : refusedByKernel("attach a BPF program to " + name, error);
}

MaybeFaultTiming BpfKernel::faultTiming(FaultWay way) const {
  if (way == FaultWay::Function)
    if (Unavailable reason = whyNotAt("handle_mm_fault"); !reason.why.empty()) return tl::unexpected(std::move(reason));
  FaultTiming timing{.way = way, .entry = false};
  for (const char* const tracepoint : {"page_fault_user", "page_fault_kernel"}) {
    if (hasTracepoint(tracepoint)) continue;
    if (way == FaultWay::Event) return tl::unexpected(noTracepoint(tracepoint));
    timing.entry = true;
  }
  return timing;
}

// Attaches an empty program, which takes far less time than loading ours.
int BpfKernel::attachTo(const char* function) const {
  const std::array code{bpf_insn{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
                        bpf_insn{.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0}};
  bpf_prog_load_opts options{};
  options.sz = sizeof options;
  options.expected_attach_type = BPF_TRACE_FEXIT;
  options.attach_btf_id = static_cast<__u32>(btf__find_by_name_kind(m_btf, function, BTF_KIND_FUNC));
  const UniqueFd program(bpf_prog_load(BPF_PROG_TYPE_TRACING, "faultline", "GPL", code.data(), code.size(), &options));
  if (!program) return errno;
  const UniqueFd link(bpf_raw_tracepoint_open(nullptr, program.get()));
  return link ? 0 : errno;
}

// Since 6.10 the bits are an enumeration, which changes. The constants are of 5.12 to 6.9 (include/linux/gfp.h).
GfpFlags BpfKernel::gfpFlags() const {
  const auto flag = [&](const char* name, unsigned otherwise) {
    const auto bit = enumerator(name);
    return bit ? 1U << *bit : otherwise;
  };
  return {.zero = flag("___GFP_ZERO_BIT", 0x100U),
          .movable = flag("___GFP_MOVABLE_BIT", 0x08U),
          .noMemalloc = flag("___GFP_NOMEMALLOC_BIT", 0x80000U),
          .highMemory = flag("___GFP_HIGHMEM_BIT", 0x02U),
          .high = flag("___GFP_HIGH_BIT", 0x20U),
          .directReclaim = flag("___GFP_DIRECT_RECLAIM_BIT", 0x400U),
          .initOnAlloc = initOnAlloc().value_or(false) ? 1U : 0U,
          .countsTwice = KernelGrounds::read().version >= kPreemptedTracepoints ? 1U : 0U};
}

std::optional<unsigned> BpfKernel::enumerator(const char* name) const {
  if (m_btf == nullptr) return std::nullopt;
  const __u32 types = btf__type_cnt(m_btf);
  for (__u32 id = 1; id < types; ++id) {
    const btf_type* const type = btf__type_by_id(m_btf, id);
    if (!btf_is_enum(type)) continue;
    const auto* const values = btf_enum(type);
    for (unsigned i = 0; i < btf_vlen(type); ++i) {
      if (std::strcmp(btf__name_by_offset(m_btf, values[i].name_off), name) == 0)
        return static_cast<unsigned>(values[i].val);
    }
  }
  return std::nullopt;
}

void tryFaultWays(const BpfKernel& kernel, std::span<const FaultWay> ways,
                  const std::function<Unavailable*(const MaybeFaultTiming&)>& load) {
  std::string others;
  for (const FaultWay way : ways) {
    const MaybeFaultTiming timing = kernel.faultTiming(way);
    std::string why;
    if (!timing && way != ways.back()) {
      why = timing.error().why;
    } else {
      Unavailable* const reason = load(timing);
      if (reason == nullptr) return;
      reason->why += others;
      why = reason->why;
    }
    others = "; nor by handle_mm_fault: " + why;
  }
}

}  // namespace faultline

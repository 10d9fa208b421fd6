#include "platform/sampling/linux/bpf/handles.h"

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>

namespace faultline {
namespace {

int openFaultEvent(std::uint64_t kind, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = kind;
  attributes.sample_period = 1;
  attributes.disabled = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

BpfObject openBpfObject(const BpfBytes& bytes) {
  bpf_object_open_opts options{};
  options.sz = sizeof options;
  options.object_name = "faultline";
  return BpfObject(bpf_object__open_mem(bytes.data, bytes.size, &options));
}

BpfObject loadBpfObject(BpfObject object) {
  if (!object || bpf_object__load(object.get()) == 0) return object;
  const int error = errno;
  object.reset();
  errno = error;
  return object;
}

int attachBpf(const BpfObject& object, const char* program, std::vector<BpfLink>& links) {
  BpfLink link(bpf_program__attach(bpf_object__find_program_by_name(object.get(), program)));
  if (!link) return errno;
  links.push_back(std::move(link));
  return 0;
}

int attachBpfToFaults(const BpfObject& object, const char* program, std::uint64_t kind, std::vector<BpfLink>& links,
                      std::vector<int>& events) {
  const bpf_program* const found = bpf_object__find_program_by_name(object.get(), program);
  const auto processors = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
  for (int cpu = 0; cpu < processors; ++cpu) {
    const int event = openFaultEvent(kind, cpu);
    if (event < 0 && errno == ENODEV) continue;
    if (event < 0) return errno;
    BpfLink link(bpf_program__attach_perf_event(found, event));
    if (!link) {
      const int error = errno;
      close(event);
      return error;
    }
    ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
    links.push_back(std::move(link));
    events.push_back(event);
  }
  return 0;
}

std::optional<std::uint64_t> skippedRuns(const BpfObject& object) {
  std::uint64_t sum = 0;
  std::uint64_t before = 0;  // of the program before
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object.get()) {
    if (!bpf_program__autoload(program)) continue;
    bpf_prog_info info{};
    std::uint32_t size = sizeof info;
    if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) != 0 ||
        size < offsetof(bpf_prog_info, recursion_misses) + sizeof info.recursion_misses)
      return std::nullopt;
    const std::uint64_t misses = info.recursion_misses;
    sum += bpf_program__name(program) == std::string_view(kCountsAgain) ? std::min(misses, before) - before : misses;
    before = misses;
  }
  return sum;
}

}  // namespace faultline

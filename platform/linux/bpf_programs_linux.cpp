#include "platform/linux/bpf_programs_linux.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "platform/linux/bpf/bpf_bytes.h"
#include "platform/linux/bpf_kernel_linux.h"
#include "platform/linux/privilege_linux.h"

namespace faultline {
namespace {

struct CloseObject {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
};
struct CloseLink {
  void operator()(bpf_link* link) const { bpf_link__destroy(link); }
};
struct CloseRing {
  void operator()(ring_buffer* ring) const { ring_buffer__free(ring); }
};
using Object = std::unique_ptr<bpf_object, CloseObject>;
using Link = std::unique_ptr<bpf_link, CloseLink>;
using Ring = std::unique_ptr<ring_buffer, CloseRing>;

constexpr std::size_t kLeastRoom = std::size_t{64} << 10U;  // for one read of the kernel's list

constexpr std::array kOptionalParts{BpfPart::Zeroing, BpfPart::Exits, BpfPart::FaultTime};

struct Program {
  const char* name;
  BpfPart part;
  const char* tracepoint;  // null: none
};
constexpr std::array<Program, 7> kPrograms{{
    {"sweep", BpfPart::Sweep, nullptr},
    {"countZeroed", BpfPart::Zeroing, "mm_page_alloc"},
    {"reportExit", BpfPart::Exits, "sched_process_exit"},
    {"beginUserFault", BpfPart::FaultTime, "page_fault_user"},
    {"beginKernelFault", BpfPart::FaultTime, "page_fault_kernel"},
    {"endMinorFault", BpfPart::FaultTime, nullptr},
    {"endMajorFault", BpfPart::FaultTime, nullptr},
}};

using Parts = std::array<bool, kBpfPartCount>;
bool& at(Parts& parts, BpfPart part) {
  return parts[static_cast<std::size_t>(part)];
}

bool lacks(unsigned capability) {
  const auto permitted = permittedCapabilities();
  return permitted && ((*permitted >> capability) & 1U) == 0;
}

Obstacle refused(const std::string& what, int error) {
  Obstacle obstacle{.why = "The kernel does not " + what + ": " + std::strerror(error), .enable = {}};
  if (error != EPERM && error != EACCES) return obstacle;
  const bool bpf = lacks(CAP_BPF) && lacks(CAP_SYS_ADMIN);
  const bool perfmon = lacks(CAP_PERFMON) && lacks(CAP_SYS_ADMIN);
  if (bpf) obstacle.why += perfmon ? " (cap_bpf and cap_perfmon are missing)" : " (cap_bpf is missing)";
  else if (perfmon) obstacle.why += " (cap_perfmon is missing)";
  if (bpf || perfmon) obstacle.enable = "A collector that may load BPF programs (cap_perfmon and cap_bpf).";
  return obstacle;
}

Obstacle noTracepoint(const char* name) {
  return {.why = std::string("This kernel has no tracepoint ") + name, .enable = {}};
}

struct Unmap {
  void operator()(Shared* shared) const { munmap(shared, sizeof(Shared)); }
};
using SharedMemory = std::unique_ptr<Shared, Unmap>;

// The programs' only variable that is written while they run is all of its section, a map of one value.
SharedMemory mapShared(const bpf_object* object) {
  const bpf_map* const map = bpf_object__find_map_by_name(object, ".bss");
  if (bpf_map__value_size(map) != sizeof(Shared)) std::abort();
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
  return SharedMemory(memory == MAP_FAILED ? nullptr : static_cast<Shared*>(memory));
}

Object openObject(const GfpFlags& gfp, const Parts& parts) {
  bpf_object_open_opts options{};
  options.sz = sizeof options;
  options.object_name = "faultline";
  Object object(bpf_object__open_mem(kBpfBytes.data, kBpfBytes.size, &options));
  if (!object) return object;
  bpf_map__set_initial_value(bpf_object__find_map_by_name(object.get(), ".rodata"), &gfp, sizeof gfp);
  for (const Program& program : kPrograms) {
    bpf_program* const found = bpf_object__find_program_by_name(object.get(), program.name);
    bpf_program__set_autoload(found, parts[static_cast<std::size_t>(program.part)]);
  }
  return object;
}

// Loads those parts; nothing and errno if one of their programs is refused.
Object loadObject(const GfpFlags& gfp, const Parts& parts) {
  Object object = openObject(gfp, parts);
  if (object && bpf_object__load(object.get()) != 0) {
    const int error = errno;
    object.reset();
    errno = error;
  }
  return object;
}

// A program that this kernel refuses takes all others with it, and nobody says which it was: each is tried alone.
Object loadMost(const GfpFlags& gfp, Parts& wanted, std::array<Obstacle, kBpfPartCount>& obstacles) {
  if (Object all = loadObject(gfp, wanted)) return all;
  Parts most{};
  at(most, BpfPart::Sweep) = true;
  if (!loadObject(gfp, most)) {
    obstacles[static_cast<std::size_t>(BpfPart::Sweep)] = refused("load BPF programs", errno);
    return {};
  }
  for (const BpfPart part : kOptionalParts) {
    if (!at(wanted, part)) continue;
    Parts one{};
    at(one, BpfPart::Sweep) = at(one, part) = true;
    if (loadObject(gfp, one)) at(most, part) = true;
    else obstacles[static_cast<std::size_t>(part)] = refused("load the BPF program for it", errno);
  }
  wanted = most;
  Object object = loadObject(gfp, wanted);
  if (!object) obstacles[static_cast<std::size_t>(BpfPart::Sweep)] = refused("load these BPF programs together", errno);
  return object;
}

int openFaultEvent(std::uint64_t config, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = config;
  attributes.sample_period = 1;
  attributes.disabled = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

struct BpfPrograms::State {
  Object object;
  SharedMemory shared;
  std::vector<Link> links;
  Ring ring;
  std::vector<int> faultEvents;  // each belongs to a link
  int sweepLink = -1;
  std::uint32_t attention = 0;
  std::vector<std::byte> records;
  const std::function<void(const ProcessRecord&)>* visitExit = nullptr;
};

BpfPrograms::BpfPrograms(std::unique_ptr<State> state) : m_state(std::move(state)) {}
BpfPrograms::~BpfPrograms() = default;

tl::expected<std::unique_ptr<BpfPrograms>, Obstacle> BpfPrograms::load(bool faultTime) {
  libbpf_set_print(nullptr);
  const BpfKernel kernel;
  if (!kernel.trouble().empty())
    return tl::unexpected(Obstacle{.why = kernel.trouble(), .enable = "A kernel with CONFIG_DEBUG_INFO_BTF."});

  std::unique_ptr<BpfPrograms> programs(new BpfPrograms(std::make_unique<State>()));
  auto& obstacles = programs->m_obstacles;
  const auto block = [&](BpfPart part, Obstacle obstacle) {
    obstacles[static_cast<std::size_t>(part)] = std::move(obstacle);
  };
  if (!faultTime)
    block(BpfPart::FaultTime, {.why = "Time inside faults was switched off when the collector was started",
                               .enable = "Start it without --no-fault-time."});
  for (const Program& program : kPrograms) {
    if (program.tracepoint != nullptr && programs->works(program.part) && !kernel.hasTracepoint(program.tracepoint))
      block(program.part, noTracepoint(program.tracepoint));
  }
  Parts wanted{};
  std::ranges::transform(obstacles, wanted.begin(), [](const Obstacle& obstacle) { return obstacle.why.empty(); });
  programs->m_state->object = loadMost(kernel.gfpFlags(), wanted, obstacles);
  if (programs->works(BpfPart::Sweep)) {
    programs->m_state->shared = mapShared(programs->m_state->object.get());
    if (!programs->m_state->shared) return tl::unexpected(refused("share memory with BPF programs", errno));
    for (const BpfPart part : {BpfPart::Sweep, BpfPart::Exits, BpfPart::Zeroing, BpfPart::FaultTime})
      if (programs->works(part)) programs->attach(part);
  }
  malloc_trim(0);  // the kernel's types took some 10 MB
  if (!programs->works(BpfPart::Sweep)) return tl::unexpected(programs->obstacle(BpfPart::Sweep));
  return programs;
}

void BpfPrograms::attach(BpfPart part) {
  const std::size_t linksBefore = m_state->links.size();
  int error = 0;
  for (const Program& program : kPrograms) {
    if (program.part == part && error == 0 && std::strncmp(program.name, "end", 3) != 0) error = attachTo(program.name);
  }
  if (part == BpfPart::FaultTime && error == 0) error = attachToFaults("endMinorFault", PERF_COUNT_SW_PAGE_FAULTS_MIN);
  if (part == BpfPart::FaultTime && error == 0) error = attachToFaults("endMajorFault", PERF_COUNT_SW_PAGE_FAULTS_MAJ);
  if (part == BpfPart::Sweep && error == 0) m_state->sweepLink = bpf_link__fd(m_state->links.back().get());
  if (part == BpfPart::Exits && error == 0) {
    const auto visit = [](void* state, void* data, std::size_t) {
      (*static_cast<State*>(state)->visitExit)(*static_cast<const ProcessRecord*>(data));
      return 0;
    };
    const int map = bpf_object__find_map_fd_by_name(m_state->object.get(), "exits");
    m_state->ring.reset(ring_buffer__new(map, visit, m_state.get(), nullptr));
    if (!m_state->ring) error = errno;
  }
  if (error == 0) return;
  m_state->links.resize(linksBefore);  // half a part costs and tells nothing
  m_obstacles[static_cast<std::size_t>(part)] = refused("attach the BPF program for it", error);
}

int BpfPrograms::attachTo(const char* name) {
  const bpf_program* const program = bpf_object__find_program_by_name(m_state->object.get(), name);
  Link link(bpf_program__attach(program));
  if (!link) return errno;
  m_state->links.push_back(std::move(link));
  return 0;
}

// A processor that is switched off has no events; one that comes later is not measured.
int BpfPrograms::attachToFaults(const char* name, std::uint64_t config) {
  const bpf_program* const program = bpf_object__find_program_by_name(m_state->object.get(), name);
  const auto processors = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
  for (int cpu = 0; cpu < processors; ++cpu) {
    const int event = openFaultEvent(config, cpu);
    if (event < 0 && errno == ENODEV) continue;
    if (event < 0) return errno;
    Link link(bpf_program__attach_perf_event(program, event));
    if (!link) {
      const int error = errno;
      close(event);
      return error;
    }
    ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
    m_state->links.push_back(std::move(link));
    m_state->faultEvents.push_back(event);
  }
  return 0;
}

// Ends are listened to before beginnings are noted, and each period has a number of its own: a beginning that never saw
// its end is not taken for that of a fault in a later period.
void BpfPrograms::measureFaults(bool measure) {
  if (!works(BpfPart::FaultTime)) return;
  auto* const attention = &m_state->shared->attention;
  if (!measure) __atomic_store_n(attention, 0, __ATOMIC_RELAXED);
  for (const int event : m_state->faultEvents)
    ioctl(event, measure ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
  if (measure) __atomic_store_n(attention, ++m_state->attention, __ATOMIC_RELAXED);
}

bool BpfPrograms::canSweep() const {
  const int file = bpf_iter_create(m_state->sweepLink);
  if (file >= 0) close(file);
  return file >= 0;
}

Result<std::span<const std::byte>> BpfPrograms::sweep() {
  const int file = bpf_iter_create(m_state->sweepLink);
  if (file < 0) return fail(std::string("The kernel no longer lists its processes: ") + std::strerror(errno) + ".");
  auto& records = m_state->records;
  std::size_t size = 0;
  ssize_t count = 0;
  do {
    if (records.size() - size < kLeastRoom) records.resize(2 * (records.size() + kLeastRoom));
    count = read(file, records.data() + size, records.size() - size);
    if (count > 0) size += static_cast<std::size_t>(count);
  } while (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)));
  const int error = errno;
  close(file);
  if (count < 0) return fail(std::string("The kernel's list of processes broke off: ") + std::strerror(error) + ".");
  return std::span<const std::byte>(records.data(), size);
}

void BpfPrograms::forEachExit(const std::function<void(const ProcessRecord&)>& visit) {
  if (!m_state->ring) return;
  m_state->visitExit = &visit;
  ring_buffer__consume(m_state->ring.get());
}

std::uint64_t BpfPrograms::lostExits() const {
  return __atomic_load_n(&m_state->shared->lostExits, __ATOMIC_RELAXED);
}

}  // namespace faultline

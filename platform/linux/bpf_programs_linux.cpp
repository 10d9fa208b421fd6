#include "platform/linux/bpf_programs_linux.h"

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "platform/linux/bpf_handles_linux.h"
#include "platform/linux/bpf_kernel_linux.h"

namespace faultline {
namespace {

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

BpfObject openObject(const GfpFlags& gfp, const Parts& parts) {
  BpfObject object = openBpfObject(kBpfBytes);
  if (!object) return object;
  bpf_map__set_initial_value(bpf_object__find_map_by_name(object.get(), ".rodata"), &gfp, sizeof gfp);
  for (const Program& program : kPrograms) {
    bpf_program* const found = bpf_object__find_program_by_name(object.get(), program.name);
    bpf_program__set_autoload(found, parts[static_cast<std::size_t>(program.part)]);
  }
  return object;
}

// Loads those parts; nothing and errno if one of their programs is refused.
BpfObject loadObject(const GfpFlags& gfp, const Parts& parts) {
  return loadBpfObject(openObject(gfp, parts));
}

// A program that this kernel refuses takes all others with it, and nobody says which it was: each is tried alone.
BpfObject loadMost(const GfpFlags& gfp, Parts& wanted, std::array<Obstacle, kBpfPartCount>& obstacles) {
  if (BpfObject all = loadObject(gfp, wanted)) return all;
  Parts most{};
  at(most, BpfPart::Sweep) = true;
  if (!loadObject(gfp, most)) {
    obstacles[static_cast<std::size_t>(BpfPart::Sweep)] = refusedByKernel("load BPF programs", errno);
    return {};
  }
  for (const BpfPart part : kOptionalParts) {
    if (!at(wanted, part)) continue;
    Parts one{};
    at(one, BpfPart::Sweep) = at(one, part) = true;
    if (loadObject(gfp, one)) at(most, part) = true;
    else obstacles[static_cast<std::size_t>(part)] = refusedByKernel("load the BPF program for it", errno);
  }
  wanted = most;
  BpfObject object = loadObject(gfp, wanted);
  if (!object)
    obstacles[static_cast<std::size_t>(BpfPart::Sweep)] = refusedByKernel("load these BPF programs together", errno);
  return object;
}

}  // namespace

struct BpfPrograms::State {
  BpfObject object;
  BpfShared<Shared> shared;
  std::vector<BpfLink> links;
  BpfRing ring;
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
    programs->m_state->shared = mapBpfShared<Shared>(programs->m_state->object);
    if (!programs->m_state->shared) return tl::unexpected(refusedByKernel("share memory with BPF programs", errno));
    for (const BpfPart part : {BpfPart::Sweep, BpfPart::Exits, BpfPart::Zeroing, BpfPart::FaultTime})
      if (programs->works(part)) programs->attach(part);
  }
  malloc_trim(0);  // the kernel's types took some 10 MB
  if (!programs->works(BpfPart::Sweep)) return tl::unexpected(programs->obstacle(BpfPart::Sweep));
  return programs;
}

void BpfPrograms::attach(BpfPart part) {
  const std::size_t linksBefore = m_state->links.size();
  int error = attachPrograms(part);
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
  m_obstacles[static_cast<std::size_t>(part)] = refusedByKernel("attach the BPF program for it", error);
}

int BpfPrograms::attachPrograms(BpfPart part) {
  State& state = *m_state;
  for (const Program& program : kPrograms) {
    if (program.part != part || std::strncmp(program.name, "end", 3) == 0) continue;
    if (const int error = attachBpf(state.object, program.name, state.links); error != 0) return error;
  }
  if (part != BpfPart::FaultTime) return 0;
  const int error =
      attachBpfToFaults(state.object, "endMinorFault", PERF_COUNT_SW_PAGE_FAULTS_MIN, state.links, state.faultEvents);
  if (error != 0) return error;
  return attachBpfToFaults(state.object, "endMajorFault", PERF_COUNT_SW_PAGE_FAULTS_MAJ, state.links,
                           state.faultEvents);
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
    if (records.size() - size < kLeastRoom) records.resize(size + kLeastRoom);
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

#include "platform/host/lab/crew.h"

namespace faultline {

struct ProcessCrew::State {};

ProcessCrew::ProcessCrew(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ProcessCrew::~ProcessCrew() = default;
ProcessCrew::ProcessCrew(ProcessCrew&&) noexcept = default;
ProcessCrew& ProcessCrew::operator=(ProcessCrew&&) noexcept = default;

Result<ProcessCrew> ProcessCrew::start(std::size_t /*count*/, const std::function<void(std::uint8_t)>& /*work*/) {
  return fail("Windows has no fork().");
}

Result<CrewUsage> ProcessCrew::together(std::uint8_t /*step*/) {
  return fail("Windows has no fork().");
}

}  // namespace faultline

#include "platform/sampling/packet_outlet.h"

#include <algorithm>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLastPatience = 1s;
constexpr Nanoseconds kEver = 24h;

}  // namespace

Result<Sent> PacketOutlet::send(std::span<const std::byte> packet) {
  auto written = writeRest();
  if (!written || *written == Sent::ReaderGone) return written;
  if (!m_rest.empty()) return Sent::Dropped;
  m_packet.assign(packet.begin(), packet.end());
  m_rest = m_packet;
  return write(m_rest);
}

Result<Sent> PacketOutlet::finish(std::span<const std::byte> packet) {
  const auto writeLast = [&]() -> Result<Sent> {
    auto written = writeRest();
    if (!written || *written == Sent::ReaderGone) return written;
    return writeRestUntil(m_clock.now() + kLastPatience, Heed::Nothing);
  };
  auto written = writeLast();
  if (written && *written == Sent::Accepted) written = send(packet);
  if (written && *written == Sent::Accepted) written = writeLast();
  return written;
}

Result<Wake> PacketOutlet::wait(MonotonicTime deadline, bool forRoom) {
  for (;;) {
    const bool pending = !m_rest.empty();
    const Nanoseconds left = forRoom && !pending ? Nanoseconds(0) : deadline - m_clock.now();
    if (const auto early = await(std::max(left, Nanoseconds(0)), pending, Heed::StopAndErrands)) return *early;
    const auto written = write(m_rest);
    if (!written) return tl::unexpected(written.error());
    if (*written == Sent::ReaderGone) return Wake::ReaderGone;
    if (m_clock.now() >= deadline) return Wake::Deadline;
    if (forRoom && m_rest.empty()) return Wake::Room;
  }
}

Result<Sent> PacketOutlet::writeRest() {
  return m_patient ? writeRestUntil(m_clock.now() + kEver, Heed::Stop) : write(m_rest);
}

Result<Sent> PacketOutlet::writeRestUntil(MonotonicTime deadline, Heed heed) {
  for (;;) {
    auto written = write(m_rest);
    const Nanoseconds left = deadline - m_clock.now();
    if (!written || *written == Sent::ReaderGone || m_rest.empty() || left <= Nanoseconds(0)) return written;
    const auto early = await(left, true, heed);
    if (early == Wake::ReaderGone) return Sent::ReaderGone;
    if (early == Wake::Stop) return Sent::Accepted;  // the request lasts until the next wait
  }
}

}  // namespace faultline

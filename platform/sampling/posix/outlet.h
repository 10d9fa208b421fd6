// FdOutlet: packets to a pipe, socket, file or device. Writes to pipes and sockets do not block.
#pragma once

#include <utility>

#include "platform/sampling/packet_outlet.h"

namespace faultline {

class FdOutlet final : public PacketOutlet {
 public:
  // Owns no file. Wakes when `stop` or `asked` (-1: none) is readable, and reads the latter.
  FdOutlet(int output, int stop, const Clock& clock, bool patient, int asked = -1);
  ~FdOutlet() override;
  FdOutlet(const FdOutlet&) = delete;
  FdOutlet& operator=(const FdOutlet&) = delete;

  void serve(Errand errand) override { m_errand = std::move(errand); }

 private:
  [[nodiscard]] std::optional<Wake> await(Nanoseconds timeout, bool room, Heed heed) override;
  [[nodiscard]] Result<Sent> write(std::span<const std::byte>& rest) override;

  int m_output;
  int m_stop;
  int m_asked;
  Errand m_errand;
  int m_oldFlags;  // of the output; -1: not changed
};

}  // namespace faultline

#include "platform/sampling/nt/etw_faults.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace faultline;

namespace {

// Bytes in the documented order.
struct EventBytes {
  std::vector<std::byte> bytes{};

  EventBytes& number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
};

EtwEvent eventOf(std::uint8_t type, const EventBytes& payload, std::uint8_t pointer = 8) {
  return {.provider = kEtwPageFault, .type = type, .pointer = pointer, .thread = 77, .payload = payload.bytes};
}

}  // namespace

TEST_CASE("Each kind of fault in a kernel trace has its address, its code and the thread of its header") {
  for (const EtwFaultKind kind : {EtwFaultKind::Transition, EtwFaultKind::DemandZero, EtwFaultKind::CopyOnWrite,
                                  EtwFaultKind::GuardPage, EtwFaultKind::Hard, EtwFaultKind::AccessViolation}) {
    const auto type = static_cast<std::uint8_t>(kind);
    CAPTURE(type);
    const EventBytes wide = EventBytes().number(0x1A0'0000'2FF8, 8).number(0x7FF6'0000'1234, 8);
    CHECK(parseEtwFault(eventOf(type, wide)) == EtwFault{kind, 0x1A0'0000'2FF8, 0x7FF6'0000'1234, 77, 0});
    const EventBytes narrow = EventBytes().number(0x40'2FF8, 4).number(0x41'1234, 4);
    CHECK(parseEtwFault(eventOf(type, narrow, 4)) == EtwFault{kind, 0x40'2FF8, 0x41'1234, 77, 0});
  }
}

TEST_CASE("The read after a hard fault has the thread that waited and the bytes") {
  const EventBytes read = EventBytes()
                              .number(133'000'000, 8)
                              .number(0x8000, 8)
                              .number(0x1A0'0000'3000, 8)
                              .number(0xFFFF'8000'0000'0001, 8)
                              .number(4242, 4)
                              .number(16384, 4);
  CHECK(parseEtwFault(eventOf(32, read)) == EtwFault{EtwFaultKind::HardRead, 0x1A0'0000'3000, 0, 4242, 16384});
}

TEST_CASE("An event that is cut, of another type or of another provider is no fault; one that grew is read") {
  EventBytes payload = EventBytes().number(1, 8).number(2, 8);
  EtwEvent event = eventOf(11, payload);
  for (std::size_t size = 0; size < 16; ++size) {
    event.payload = std::span(payload.bytes).first(size);
    REQUIRE_FALSE(parseEtwFault(event));
  }
  payload.number(3, 8);
  CHECK(parseEtwFault(eventOf(11, payload)));
  for (const int type : {0, 9, 16, 31, 33, 255})
    CHECK_FALSE(parseEtwFault(eventOf(static_cast<std::uint8_t>(type), payload)));
  CHECK_FALSE(parseEtwFault(eventOf(11, payload, 2)));
  event = eventOf(11, payload);
  event.provider = kEtwLostEvent;
  CHECK_FALSE(parseEtwFault(event));
}

TEST_CASE("A trace tells its losses by events of their own") {
  EtwEvent event{.provider = kEtwLostEvent};
  for (const EtwLoss loss : {EtwLoss::Event, EtwLoss::Buffer, EtwLoss::File}) {
    event.type = static_cast<std::uint8_t>(loss);
    CHECK(parseEtwLoss(event) == loss);
  }
  event.type = 35;
  CHECK_FALSE(parseEtwLoss(event));
  event.type = 32;
  event.provider = kEtwPageFault;
  CHECK_FALSE(parseEtwLoss(event));
}

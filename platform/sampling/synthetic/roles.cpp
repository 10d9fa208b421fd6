#include "platform/sampling/synthetic/roles.h"

#include <array>

namespace faultline {
namespace {

using namespace std::chrono_literals;

// One line each: name, shape, low, high, period, length, resident, swing, threads.
constexpr std::array kActors{
    Role{"game", Shape::Burst, 700, 26'000, 7s, 250ms, 2'100, 101, 24},
    Role{"browser", Shape::Sine, 120, 5'200, 20s, 1s, 640, 90, 41},
    Role{"clang", Shape::Brief, 0, 13'000, 9s, 6'300ms, 40, 310, 1},
    Role{"compositor", Shape::Sine, 20, 620, 9s, 1s, 210, 12, 9},
    Role{"database", Shape::Burst, 90, 9'600, 23s, 1'500ms, 1'400, 37, 18},
    Role{"editor", Shape::Step, 30, 1'100, 16s, 1s, 380, 24, 14},
    Role{"clang", Shape::Brief, 0, 11'500, 8s, 6s, 40, 260, 1},
    Role{"indexer", Shape::Step, 15, 4'300, 34s, 1s, 120, 60, 5},
    Role{"backup", Shape::Disk, 40, 900, 41s, 2s, 70, 3, 3},
    Role{"music", Shape::Sine, 5, 45, 6s, 1s, 95, 2, 12},
    Role{"linker", Shape::Brief, 0, 21'000, 29s, 3s, 30, 420, 4},
    Role{"terminal", Shape::Burst, 8, 350, 5s, 500ms, 60, 1, 4},
    Role{"mail", Shape::Step, 2, 260, 52s, 1s, 240, 6, 11},
    Role{"clang", Shape::Brief, 0, 12'200, 11s, 8s, 40, 340, 1},
    Role{"chat", Shape::Sine, 10, 210, 13s, 1s, 310, 9, 22},
    Role{"pipewire", Shape::Idle, 6, 0, 10s, 1s, 18, 0, 3},
};

constexpr std::array kIdlers{
    Role{"systemd", Shape::Idle, 0, 0, 10s, 1s, 12, 0, 1},
    Role{"dbus-daemon", Shape::Idle, 1, 0, 10s, 1s, 6, 0, 1},
    Role{"browser-tab", Shape::Sine, 1, 24, 17s, 1s, 95, 2, 14},
    Role{"sshd", Shape::Idle, 0, 0, 10s, 1s, 8, 0, 1},
    Role{"bash", Shape::Idle, 0, 0, 10s, 1s, 5, 0, 1},
    Role{"kworker", Shape::Idle, 0, 0, 10s, 1s, 0, 0, 1},
    Role{"journald", Shape::Idle, 3, 0, 10s, 1s, 24, 0, 1},
    Role{"portal", Shape::Idle, 0, 0, 10s, 1s, 22, 0, 5},
};

}  // namespace

const Role& roleOf(std::uint32_t index) {
  if (index < kActors.size()) return kActors[index];
  return kIdlers[(index - kActors.size()) % kIdlers.size()];
}

}  // namespace faultline

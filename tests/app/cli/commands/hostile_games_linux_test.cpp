// `frames` and games that wrote names which take long to read: the command ends when it should, and has used little of
// the processor for it.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/shell_linux.h"

using faultline::test::Outcome;
using faultline::test::Shell;

namespace {

// watch.py GAME ASKED ARGUMENTS...: plays a hostile game and watches it. ASKED: how the watch ends, by its duration or
// by a signal. Prints what the command says.
constexpr const char* kWatch = R"PY(
import os, resource, signal, subprocess, sys, time
def measures(command):  # its collector is confined, and so in its loop
    for pid in subprocess.run(['pgrep', '-P', str(command), 'faultline-colle'], capture_output=True, text=True).stdout.split():
        try:
            if 'Seccomp:\t2' in open(f'/proc/{pid}/status').read(): return True
        except OSError: pass
    return False
game = subprocess.Popen(['hostile_game', sys.argv[1]])
asked = sys.argv[2]
for _ in range(1000):
    if 'frames' in open(f'/proc/{game.pid}/maps').read(): break
    time.sleep(0.01)
try:
    end = ['-d', '2s'] if asked == 'duration' else []
    frames = subprocess.Popen(['faultline-cli', 'frames', *end, *sys.argv[3:], str(game.pid)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if asked == 'signal':
        for _ in range(1000):
            if frames.poll() is not None or measures(frames.pid): break
            time.sleep(0.05)
        time.sleep(1)
        frames.send_signal(signal.SIGINT)
    said = frames.communicate(timeout=100)[0]
    print(said[-4000:], 'code', frames.returncode)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert used.ru_utime + used.ru_stime < 25, used  # 5 s are the budget of reading
finally:
    game.kill()
    game.wait()
    if os.path.exists(f'/tmp/perf-{game.pid}.map'): os.remove(f'/tmp/perf-{game.pid}.map')
)PY";

// A copy of libmarked_library.so whose second version leads back to its first one, past the largest offset.
constexpr const char* kCircle = R"PY(
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
sections, = struct.unpack_from('<Q', data, 40)
size, count = struct.unpack_from('<HH', data, 58)
for at in range(sections, sections + size * count, size):
    kind, = struct.unpack_from('<I', data, at + 4)
    offset, length = struct.unpack_from('<QQ', data, at + 24)
    if kind == 0x6fffffff: data[offset:offset + length] = struct.pack('<H', 77) * (length // 2)  # no version's number
    if kind != 0x6ffffffd: continue
    first, = struct.unpack_from('<I', data, offset + 16)
    struct.pack_into('<I', data, offset + first + 16, (1 << 32) - first)
open('libcircle.so', 'wb').write(data)
)PY";

Outcome watch(const std::string& arguments) {
  const Shell shell;
  shell.file("watch.py", kWatch);
  shell.file("circle.py", kCircle);
  return shell.run("python3 circle.py '" FAULTLINE_MARKED "/libmarked_library.so' && python3 watch.py " + arguments +
                   " 2>&1");
}

}  // namespace

TEST_CASE("A map of 64 MB without a line's end, and a name of 600 kB, hold up no watch", "[slow]") {
  for (const std::string game : {"map", "name"})
    for (const std::string asked : {"duration", "signal"}) {
      const Outcome watched = watch(game + " " + asked);
      INFO(game << ", " << asked << ": " << watched.output);
      CHECK(watched.code == 0);
      CHECK(watched.output.ends_with("code 0\n"));
      CHECK(watched.output.find("Frames of hostile_game") != std::string::npos);
      if (game == "map" && watched.output.find("[jit]") != std::string::npos)
        CHECK(watched.output.find("Names of generated code may be missing") != std::string::npos);
    }
}

TEST_CASE("Versions of a library that lead in a circle hold up no search for a function") {
  const Outcome watched = watch("./libcircle.so duration --mark libcircle:noSuchFunction");
  INFO(watched.output);
  CHECK(watched.code == 0);
  if (watched.output.find("built without libelf") != std::string::npos) SKIP(watched.output);
  CHECK(watched.output.ends_with("libcircle.so has no function 'noSuchFunction'.\n code 1\n"));
}

// Commands that are killed at random moments, and what they must not leave behind.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

#include "tests/app/cli/shell_linux.h"

namespace faultline::test {

// FAULTLINE_RUNS, else `usual`.
inline int killsAskedFor(int usual) {
  const char* const asked = std::getenv("FAULTLINE_RUNS");
  return asked == nullptr ? usual : std::atoi(asked);
}

// Starts one of `commands`, a list in Python, `rounds` times, and ends it within a second by a random signal. No
// process may be left, no setting of the machine changed, no probe defined, no file in the folder for temporary files.
inline void requireNoneLeft(const std::string& commands, int rounds) {
  const Shell shell;
  shell.file("kill.py", "commands = (" + commands + ")" + R"PY(
import ctypes, glob, os, random, signal, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans come here
os.mkdir('temporary')
env = dict(os.environ, TMPDIR=os.getcwd() + '/temporary', XDG_CONFIG_HOME=os.getcwd() + '/config')

def settings():
    files = glob.glob('/sys/kernel/mm/**/*enabled', recursive=True) + glob.glob('/sys/kernel/mm/**/defrag', recursive=True)
    files += ['/proc/sys/vm/nr_hugepages', '/proc/sys/vm/overcommit_memory', '/proc/sys/vm/max_map_count',
              '/proc/sys/vm/drop_caches', '/sys/kernel/tracing/uprobe_events', '/sys/kernel/tracing/kprobe_events']
    def read(name):
        try: return open(name).read()
        except OSError: return None
    return {name: read(name) for name in files}

before = settings()
for round in range(int(sys.argv[1])):
    command = random.choice(commands)
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    time.sleep(random.uniform(0, random.choice((0.1, 1))))
    os.kill(killed.pid, random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
    killed.wait()
    deadline = time.time() + 60
    while True:
        try: pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError: break
        assert time.time() < deadline, (command, 'a process is left')
        if pid == 0: time.sleep(0.01)
assert settings() == before, 'a setting or a probe is left'
assert os.listdir('temporary') == [], os.listdir('temporary')
)PY");
  const Outcome killed = shell.run("python3 kill.py " + std::to_string(rounds) + " 2>&1");
  INFO(killed.output);
  CHECK(killed.code == 0);
}

}  // namespace faultline::test

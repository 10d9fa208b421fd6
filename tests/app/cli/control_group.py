"""A control group made by hand, and a program for it whose page faults the kernel counts, too."""
import os
import time


class ControlGroup:
    """A control group like that of a service, in version 2, until the block ends; skips the test where none can be made.
    Where memory is accounted by version 1, as systemd has it there, another one of the same name."""

    def __init__(self, test, name):
        with open("/proc/mounts") as mounts:
            mounts = [line.split()[1:4] for line in mounts]
        with open("/proc/self/cgroup") as groups:
            own = {hierarchy: path.rstrip("/") for _, hierarchy, path in (line.strip().split(":", 2) for line in groups)}
        roots = [(place, own.get("", "")) for place, kind, _ in mounts if kind == "cgroup2"]
        if not roots:
            test.skipTest("no control groups of version 2 are mounted")
        roots = roots[:1] + [(place, own[hierarchy]) for place, kind, options in mounts for hierarchy in own
                             if kind == "cgroup" and hierarchy == "memory" in options.split(",")]
        self.paths = []
        try:
            for root, path in roots:
                self.paths.append(f"{root}{path}/{name}")
                os.mkdir(self.paths[-1])
        except OSError as refused:
            self.paths.pop()
            self.__exit__()
            test.skipTest(f"no control group can be made here: {refused}")

    def __enter__(self):
        return self

    def add(self, pid):
        for path in self.paths:
            with open(f"{path}/cgroup.procs", "w") as processes:
                processes.write(str(pid))

    def accounts_memory(self):
        return os.path.exists(f"{self.paths[-1]}/memory.stat")

    def __exit__(self, *_):
        for path in self.paths:
            os.rmdir(path)


# Blocks in read() between its steps. A child of its own lives for some sweeps.
IN_SERVICE = """
import mmap, os, sys, time
for line in sys.stdin:
    memory = mmap.mmap(-1, 3000 * mmap.PAGESIZE)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    child = os.fork()
    for page in range(0, len(memory), mmap.PAGESIZE):
        memory[page] = 1
    if child == 0:
        time.sleep(0.5)
        os._exit(0)
    os.waitpid(child, 0)
    print("done", flush=True)
"""


def minor_faults(pid):
    """Of a process that waits for its input, and its children that it has waited for."""
    def state_and_count():
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return fields[0], int(fields[7]) + int(fields[8])

    last = None
    while last != (last := state_and_count()) or last[0] != "S":
        time.sleep(0.1)
    return last[1]

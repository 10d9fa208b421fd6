"""Who may include whom, and what a file of Faultline may be. Each rule yields complaints, one sentence each."""

import collections
import os
import re

TOP_LEVEL = {"CMakeLists.txt", "LICENSE", "README.md", "app", "core", "platform", "resources", "tests"}
CODE = (".h", ".cpp")
OTHER_CODE = (".c", ".cc", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp", ".ixx")
LONGEST = 500

# The rooms and whom each may know, from the ground up: a room knows rooms above it in this table alone, so there is no
# circle. Names are relative to the part; "core" stands for every room of core.
ROOMS = """
core/base
core/text        base
core/model       base
core/parse
core/parse/nt
core/stream      base model
core/history     base model
core/spikes      base text history
core/recording   base model stream spikes
core/calibration base text model history
core/monitor     base text model history spikes calibration
core/export      text model history
core/prometheus  text model parse history export
core/marks       base text model
core/culprits    base text model marks
core/join        base text model parse
core/delay       base text model
core/lanes       base text
core/perfetto    base text model culprits lanes
core/frames      base text model stream history export culprits join delay perfetto
core/frames/files base text model stream history export culprits join delay perfetto frames
core/compare     base text model history export join
core/watch       base text model stream marks
core/lab         base text calibration lanes
core/lab/view    base text compare lab lanes
core/trial       base text model export frames compare lab
core/stat        base text model calibration export culprits compare trial
core/advice      base text culprits delay frames trial
core/query       base text model history spikes monitor export culprits frames frames/files

platform/system/posix
platform/system/windows       core
platform/preload/linux

platform/host                 core
platform/host/posix/waits     core system/posix host
platform/host/posix           core system/posix host host/posix/waits
platform/host/linux/symbols   core system/posix host host/posix/waits
platform/host/linux           core system/posix host host/posix/waits host/linux/symbols
platform/host/nt              core host
platform/host/windows         core system/windows host host/nt
platform/host/trial           core host
platform/host/trial/linux     core system/posix host host/posix/waits host/linux host/trial
platform/host/trial/windows   core system/windows host host/windows host/trial
platform/host/costs           core host
platform/host/costs/linux     core host/costs
platform/host/costs/windows   core host/costs
platform/host/keys            core
platform/host/keys/posix      core host/keys
platform/host/keys/windows    core host/keys
platform/host/secrets         core
platform/host/secrets/linux   core system/posix host host/secrets
platform/host/lab             core
platform/host/lab/linux       core system/posix host host/posix/waits host/lab
platform/host/lab/windows     core system/windows host/lab

platform/sampling                    core
platform/sampling/posix              core sampling
platform/sampling/records            core
platform/sampling/linux/bpf/kernel   sampling/records
platform/sampling/linux/bpf/kernel/sweep sampling/records sampling/linux/bpf/kernel
platform/sampling/linux/bpf/kernel/watch sampling/records sampling/linux/bpf/kernel
platform/sampling/linux/facts        core sampling system/posix
platform/sampling/linux/confine      core sampling system/posix sampling/linux/facts
platform/sampling/linux/proc         core sampling sampling/linux/facts
platform/sampling/linux/perf         core sampling system/posix sampling/records sampling/linux/facts
platform/sampling/linux/bpf/tables   core sampling sampling/records sampling/linux/facts
platform/sampling/linux/bpf          core sampling system/posix sampling/records sampling/linux/facts sampling/linux/proc sampling/linux/bpf/kernel sampling/linux/bpf/tables
platform/sampling/linux/target       core sampling system/posix sampling/records sampling/linux/facts sampling/linux/perf
platform/sampling/linux/watch/bpf    core sampling system/posix sampling/records sampling/linux/facts sampling/linux/perf sampling/linux/bpf sampling/linux/bpf/kernel sampling/linux/target
platform/sampling/linux/watch        core sampling system/posix sampling/records sampling/linux/facts sampling/linux/perf sampling/linux/target sampling/linux/watch/bpf
platform/sampling/linux/loop         core sampling system/posix sampling/posix sampling/linux/facts sampling/linux/proc sampling/linux/perf sampling/linux/bpf
platform/sampling/nt                 core sampling
platform/sampling/windows            core sampling system/windows sampling/nt
platform/sampling/windows/watch      core sampling system/windows sampling/records sampling/nt sampling/windows
platform/sampling/synthetic          core sampling

app/collector      core platform/sampling platform/sampling/synthetic

app/cli/text       core platform/host
app/cli/stream     core platform/host platform/host/costs cli/text
app/cli/top        core platform/host cli/text cli/stream
app/cli/frames     core platform/host platform/host/costs cli/text cli/stream
app/cli/stacks     core platform/host platform/host/trial cli/text cli/stream cli/frames
app/cli/lab/work   core platform/host platform/host/lab
app/cli/lab        core platform/host platform/host/lab platform/host/trial cli/text cli/stream cli/lab/work
app/cli/serve      core platform/host platform/host/secrets cli/text cli/stream
app/cli/runs       core platform/host platform/host/costs platform/host/trial cli/text cli/stream cli/frames
app/cli/query      core cli/text cli/stream cli/frames
app/cli/commands   core platform/host platform/host/costs platform/host/trial platform/host/lab cli/text cli/serve cli/stream cli/top cli/frames cli/stacks cli/runs cli/query cli/lab cli/lab/work
app/cli/usage      core cli/text
app/cli            core platform/host cli/text cli/usage cli/commands

app/tray/widgets   core
app/tray/time      core
app/tray/replay    core
app/tray/session   core platform/host platform/host/costs platform/host/keys tray/widgets tray/time tray/replay
app/tray/processes core platform/host tray/widgets
app/tray/trial     core platform/host tray/widgets
app/tray/table     core platform/host tray/widgets tray/processes tray/trial
app/tray/spikes    core tray/widgets tray/processes tray/table
app/tray/ledger    core tray/widgets
app/tray/page      core tray/widgets tray/processes tray/table tray/spikes tray/ledger
app/tray/plots/items core tray/widgets
app/tray/plots     core tray/widgets tray/time tray/processes tray/spikes tray/plots/items
app/tray/beside    core tray/widgets tray/time tray/replay tray/session tray/processes tray/plots
app/tray/grant     core platform/host tray/widgets tray/session
app/tray/culprits  core tray/widgets tray/ledger
app/tray/frames/bars core tray/widgets tray/time tray/plots tray/ledger
app/tray/frames    core platform/host platform/host/costs tray/widgets tray/time tray/replay tray/session tray/processes tray/table tray/plots tray/grant tray/culprits tray/trial tray/ledger tray/frames/bars
app/tray/frames/past core platform/host tray/widgets tray/session tray/frames
app/tray/lab       core platform/host tray/widgets tray/session tray/processes tray/trial tray/table tray/plots/items
app/tray/shell/icon core platform/host tray/widgets tray/session tray/spikes
app/tray/shell     core platform/host platform/host/keys tray/widgets tray/time tray/session tray/processes tray/table tray/spikes tray/page tray/plots tray/beside tray/grant tray/frames tray/frames/past tray/lab tray/shell/icon
app/tray           platform/host tray/widgets tray/shell
"""
SYSTEMS = "linux|posix|windows"  # folders of code that not every system compiles
# Calls that wait for a child, for data or for time stand in one room, whose waits end at a deadline, or by a signal, or
# whatever the system refuses. The exceptions never wait, or wait where there is neither a child nor a command to end.
WAITS = re.compile(r"(?<![\w.>:])(?:::)?(waitpid|waitid|wait[34]|p?poll|p?select|epoll_p?wait|sigwait(?:info)?|sigtimedwait"
                   r"|recv(?:from|msg)?|usleep|nanosleep|readv?(?=\s*\((?:[^,;]*,){2}))\s*\([^)]")
WAITS_STAND_IN = {
    "platform/host/posix/waits/": "the room",
    "platform/host/linux/signals.cpp": "takes signals that have come, and never waits",
    "platform/host/lab/linux/isolation.cpp": "the idle phase of an experiment, in a process that its command ends",
    "platform/sampling/": "the collector has no child, and its own loop",
    "platform/preload/": "libraries in other programs",
}
# Rooms with code that runs after the collector's lockdown, whose filter kills a program that opens a file by its name. They
# get open files from rooms that run before it: facts and target. A sweep opens files of processes through ProcFiles,
# relative to the one folder that the filter allows.
AFTER_LOCKDOWN = {f"platform/sampling/{room}" for room in (
    "posix", "records", "linux/proc", "linux/perf", "linux/bpf", "linux/watch", "linux/watch/bpf")}
OPENS = re.compile(r"(?<![\w.>])(?:(?<!:)::)?(?<!\w::)\b(open|open64|openat2?|creat|fopen|opendir|gzopen|l?stat|fstatat|f?access(?:at)?"
                   r"|readlink(?:at)?|s?hm_open|realpath)\s*\(|\b(SYS_open\w*|std::[io]?fstream|std::filesystem)\b")
MOST_FILES = 25
MOST_CLASS_LINES = 400
# Rooms and classes that are larger, by at most a fifth, and one idea all the same.
LARGER = {
    "platform/host": "a header for each thing that a reader asks of its system",
    "platform/host/windows": "a file for each of these headers, and what Windows asks for it",
    "platform/host/linux/symbols": "the way from an address to a name, with a pair of files for each format",
    "app/tray/widgets": "a file for each part that knows no process",
    "app/tray/frames/window": "the window that puts the frames' panels together",
    "app/tray/table/table": "the table with its filter and header, and the process that is selected",
    "app/tray/session/session": "both sources, as the one goes on behind the other",
    "app/tray/shell/main_window": "the window that puts all panels together",
}

STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfloat charconv chrono cinttypes climits cmath
compare complex concepts condition_variable cstddef cstdint cstdio cstdlib cstring ctime cwchar deque exception
expected filesystem format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream
iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue random
ranges ratio regex semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string
string_view system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
variant vector version
""".split())
PORTABLE_LIBRARIES = re.compile(r"(CLI/|civetweb\.h$|fmt/|msgpack(\.hpp$|/)|nlohmann/|tl/expected\.hpp$|xxhash\.h$|yaml\.h$|zlib\.h$|zstd\.h$)")
QT = re.compile(r"(Q[A-Z]\w*$|Qt\w*/|qcustomplot\.h$)")
SYSTEM_CONDITION = re.compile(
    r"^\s*#\s*(?:el)?if.*\b(_WIN32|_WIN64|WIN32|_MSC_VER|__MINGW\w+|__CYGWIN__|(?:__)?linux(?:__)?|(?:__)?unix(?:__)?"
    r"|__APPLE__|__GLIBC__|Q_OS_\w+)\b(?!/)")
INCLUDE = re.compile(r'^\s*#\s*(?:include(?:_next)?\s*|(?:el)?if.*\b__has_include\s*\(\s*)([<"])([^>"]+)[>"]')


def read_rooms(table):
    """room -> the rooms that it may know. Raises ValueError for a room that knows one below itself."""
    rooms = {}
    for line in table.splitlines():
        if not line:
            continue
        room, *known = line.split()
        part = room.split("/")[0]
        names = set()
        for name in known:
            if name == "core":
                names |= {other for other in rooms if other.startswith("core/")}
                continue
            whole = name if name.split("/")[0] in ("core", "platform", "app") else f"{part}/{name}"
            if whole not in rooms:
                raise ValueError(f"{room} knows {whole}, which does not stand above it in the table")
            names.add(whole)
        rooms[room] = names
    return rooms


KNOWN = read_rooms(ROOMS)


def room_of(path):
    """The room in which a file lies; None for tests, resources and folders without a room."""
    folder = path.rpartition("/")[0]
    return folder if folder in KNOWN else None


def system_of(path):
    """A folder called after a system binds its files to that system."""
    bound = re.match(rf"platform/(?:.*/)?({SYSTEMS})/", path)
    return bound and bound[1]


def bound_to_a_system(path):
    return system_of(path) is not None


def files(root):
    for top in ("app", "core", "platform", "tests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def check_own_include(path, room, target):
    other = room_of(target)
    if other is None or ".." in target:
        return f'includes "{target}": our own headers are named by their path from the top, such as "core/base/result.h"'
    if other != room and other not in KNOWN[room]:
        return f"includes {target}, but {room} may not know {other}"
    return None


def check_include(path, bracket, target):
    room = room_of(path)
    in_tray = path.startswith("app/tray/")
    if QT.match(target):
        return None if room is None or in_tray else f"includes Qt ({target}), which only app/tray may"
    if room is None:  # tests
        return None
    if bracket == '"':
        moc = in_tray and target.endswith(".moc")
        games = target == "resources/faultline_frame.h" and room.startswith(("platform/sampling/linux", "platform/sampling/records", "app/cli/frames"))
        return None if moc or games else check_own_include(path, room, target)
    if target in STANDARD or PORTABLE_LIBRARIES.match(target):
        return None
    if in_tray:
        return f"includes <{target}>, which is neither standard C++, Qt nor a library of ours"
    if not bound_to_a_system(path):
        return f"includes the system header <{target}>, which belongs into platform/, in a folder called after the system"
    return None


def check_code(path, text):
    shared = not bound_to_a_system(path) and not path.startswith("tests/")
    for number, line in enumerate(text.splitlines(), 1):
        include = INCLUDE.match(line)
        complaint = check_include(path, *include.groups()) if include else None
        if shared and SYSTEM_CONDITION.match(line):
            complaint = "asks which operating system it is compiled for; only folders called after a system may"
        if complaint:
            yield f"{path}:{number} {complaint}"
        if "istreambuf_iterator" in line and not path.startswith("tests/"):
            yield f"{path}:{number} reads by an iterator, which throws where a read fails: use core/base/file_text.h"
        wait = WAITS.search(line) if system_of(path) in ("linux", "posix") else None
        if wait and not line.lstrip().startswith("//") and not path.startswith(tuple(WAITS_STAND_IN)):
            yield f"{path}:{number} calls {wait[1]}(), which may block: call a wait of platform/host/posix/waits"
        opens = OPENS.search(line.split("//")[0]) if room_of(path) in AFTER_LOCKDOWN else None
        if opens and not path.endswith(".h"):
            yield (f"{path}:{number} opens by name ({opens[1] or opens[2]}), which kills a collector after its lockdown: let"
                   " platform/sampling/linux/facts or target open it before")


def lines_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read().count("\n")


def class_of(path, paths):
    """The files of one class share a stem: bars.h, bars.cpp, and bars_paint.cpp, which has no header of its own."""
    stem = path.rpartition(".")[0]
    while "_" in stem.rpartition("/")[2] and stem + ".h" not in paths:
        shorter = stem.rpartition("_")[0]
        if shorter + ".h" in paths:
            return shorter
        stem = shorter
    return path.rpartition(".")[0]


def check_sizes(root):
    """Folders with too many files of code, and classes that are too long in all their files together."""
    paths = {path for path in files(root) if path.endswith(CODE) and not path.startswith("tests/")}
    folders, classes = collections.Counter(), collections.Counter()
    for path in paths:
        folders[path.rpartition("/")[0]] += 1
        classes[class_of(path, paths)] += lines_of(root, path)
    for folder, count in sorted(folders.items()):
        if count > most(folder, MOST_FILES):
            yield f"{folder} holds {count} files of code: split it, {MOST_FILES} are the most"
    for name, lines in sorted(classes.items()):
        if lines > most(name, MOST_CLASS_LINES):
            yield f"{name} is {lines} lines long in all its files: split it, {MOST_CLASS_LINES} are the most"


def most(name, usual):
    return usual + usual // 5 if name in LARGER else usual


def check_tree(root):
    """All complaints about the sources below `root`."""
    visible = {name for name in os.listdir(root) if not name.startswith(".")}
    for name in sorted(visible - TOP_LEVEL):
        yield f"{name} does not belong at the top level"
    for name in sorted(TOP_LEVEL - visible):
        yield f"{name} is missing at the top level"

    yield from check_sizes(root)
    for path in files(root):
        name = path.rsplit("/", 1)[-1]
        if path.startswith("tests/fixtures/") or "__pycache__" in path:
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if text.count("\n") > LONGEST:
            yield f"{path} is longer than {LONGEST} lines: split it"
        if name.endswith(OTHER_CODE) and not path.startswith(("tests/", "platform/sampling/linux/bpf/kernel/")):
            yield f"{path} is C++ under another ending than .h and .cpp, where nobody looks what it includes"
        if name.endswith(CODE):
            if not path.startswith("tests/") and room_of(path) is None:
                yield f"{path} lies in {path.rpartition('/')[0]}, which is no room of the table in tests/architecture/rules.py"
            if not re.fullmatch(r"[a-z][a-z0-9_]*\.(h|cpp)", name):
                yield f"{path} is not named in snake_case"
            yield from check_code(path, text)


def check_links(libraries, needed):
    """`libraries`: program -> the targets it links, all the way down. `needed`: program -> shared objects it loads."""
    for program in ("faultline", "faultline-cli"):
        for library in sorted(set(libraries.get(program, ())) & {"faultline_sampling", "faultline_collector"}):
            yield f"{program} links {library}, but only the collector samples"
    for library in sorted(set(libraries.get("faultline-collector", ())) & {"faultline_host", "faultline_tray"}):
        yield f"faultline-collector links {library}, which is for the programs that show"
    for program in ("faultline-collector", "faultline-cli"):
        for object_name in sorted(needed.get(program, ())):
            if re.match(r"lib(Qt\d|qcustomplot)", object_name, re.IGNORECASE):
                yield f"{program} loads {object_name}, which only faultline may"

"""Who may include whom, and what a file of Faultline may be. Each rule yields complaints, one sentence each."""

import os
import re

TOP_LEVEL = {"CMakeLists.txt", "LICENSE", "README.md", "app", "core", "platform", "resources", "tests"}
CODE = (".h", ".cpp")
OTHER_CODE = (".c", ".cc", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp", ".ixx")
LONGEST = 500

# layer -> the layers that it may include, itself apart. "platform" is what lies at platform's root.
LAYERS = {
    "core": set(),
    "platform": {"core"},
    "platform/linux": {"core", "platform"},
    "platform/windows": {"core", "platform"},
    "platform/synthetic": {"core", "platform"},
    "platform/desktop": {"core", "platform"},
    "app/collector": {"core", "platform", "platform/linux", "platform/windows", "platform/synthetic"},
    "app/cli": {"core", "platform", "platform/desktop"},
    "app/tray": {"core", "platform", "platform/desktop"},
}
# core's folders: each may include those before it, and none after it.
CORE = ("base", "text", "model", "parse", "stream", "monitor", "export", "marks", "culprits", "frames")
# Layers that show what others measure: the sampling interface is not theirs, though it lies at platform's root.
READERS = ("app/cli", "app/tray", "platform/desktop")
SAMPLING_HEADERS = ("platform/sampler.h",)

STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfloat charconv chrono cinttypes climits cmath
compare complex concepts condition_variable cstddef cstdint cstdio cstdlib cstring ctime cwchar deque exception
expected filesystem format forward_list fstream functional initializer_list iomanip ios iosfwd iostream istream
iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue random
ranges ratio regex semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string
string_view system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
variant vector version
""".split())
PORTABLE_LIBRARIES = re.compile(r"(CLI/|fmt/|msgpack(\.hpp$|/)|nlohmann/|tl/expected\.hpp$|xxhash\.h$|zstd\.h$)")
QT = re.compile(r"(Q[A-Z]\w*$|Qt\w*/|qcustomplot\.h$)")
SYSTEM_CONDITION = re.compile(
    r"^\s*#\s*(?:el)?if.*\b(_WIN32|_WIN64|WIN32|_MSC_VER|__MINGW\w+|__CYGWIN__|(?:__)?linux(?:__)?|(?:__)?unix(?:__)?"
    r"|__APPLE__|__GLIBC__|Q_OS_\w+)\b(?!/)")
INCLUDE = re.compile(r'^\s*#\s*(?:include(?:_next)?\s*|(?:el)?if.*\b__has_include\s*\(\s*)([<"])([^>"]+)[>"]')


def layer_of(path):
    fitting = [layer for layer in LAYERS if path.startswith(layer + "/")]
    return max(fitting, key=len, default=None)


def system_of(path):
    """Only files called <thing>_<os> may name an operating system."""
    bound = re.search(r"_(linux|windows)\.(h|cpp)$", path)
    return bound and bound[1]


def bound_to_a_system(path):
    return system_of(path) is not None


def files(root):
    for top in ("app", "core", "platform", "tests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def check_core_include(path, target):
    own, other = path.split("/")[1], target.split("/")[1]
    for folder in (own, other):
        if folder not in CORE:
            return f"is about core/{folder}, which has no place yet in the order of core's folders"
    if CORE.index(other) > CORE.index(own):
        return f"includes {target}, but core/{own} may not know core/{other}"
    return None


def check_include(path, bracket, target):
    layer = layer_of(path)
    is_qt = QT.match(target) is not None
    if is_qt:
        if layer is None or layer == "app/tray":
            return None
        return f"includes Qt ({target}), which only app/tray may"
    if layer is None:  # tests
        return None
    if bracket == '"':
        if layer == "app/tray" and target.endswith(".moc"):
            return None
        if target == "resources/faultline_frame.h" and layer == "platform/linux":
            return None
        other = layer_of(target)
        if other is None or ".." in target:
            return f'includes "{target}": our own headers are named by their path from the top, such as "core/base/result.h"'
        if other != layer and other not in LAYERS[layer]:
            return f"includes {target}, but {layer} may not know {other}"
        if target.startswith("platform/") and system_of(target) not in (None, system_of(path)):
            return f"includes {target}, which is for {system_of(target).capitalize()} alone"
        if layer == other == "core":
            return check_core_include(path, target)
        if layer in READERS and target in SAMPLING_HEADERS:
            return f"includes {target}, but only the collector samples"
        return None
    if target in STANDARD or PORTABLE_LIBRARIES.match(target):
        return None
    if layer == "app/tray":
        return f"includes <{target}>, which is neither standard C++, Qt nor a library of ours"
    if layer == "core" or not bound_to_a_system(path):
        return f"includes the system header <{target}>, which belongs into platform/, in a file that ends in _<os>"
    return None


def check_code(path, text):
    shared = not bound_to_a_system(path) and not path.startswith("tests/")
    for number, line in enumerate(text.splitlines(), 1):
        include = INCLUDE.match(line)
        complaint = check_include(path, *include.groups()) if include else None
        if shared and SYSTEM_CONDITION.match(line):
            complaint = "asks which operating system it is compiled for; only files that end in _<os> may"
        if complaint:
            yield f"{path}:{number} {complaint}"


def check_tree(root):
    """All complaints about the sources below `root`."""
    visible = {name for name in os.listdir(root) if not name.startswith(".")}
    for name in sorted(visible - TOP_LEVEL):
        yield f"{name} does not belong at the top level"
    for name in sorted(TOP_LEVEL - visible):
        yield f"{name} is missing at the top level"

    for path in files(root):
        name = path.rsplit("/", 1)[-1]
        if path.startswith("tests/fixtures/") or "__pycache__" in path:
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if text.count("\n") > LONGEST:
            yield f"{path} is longer than {LONGEST} lines: split it"
        if name.endswith(OTHER_CODE) and not path.startswith(("tests/", "platform/linux/bpf/")):
            yield f"{path} is C++ under another ending than .h and .cpp, where nobody looks what it includes"
        if name.endswith(CODE):
            if not re.fullmatch(r"[a-z][a-z0-9_]*\.(h|cpp)", name):
                yield f"{path} is not named in snake_case"
            yield from check_code(path, text)


def check_links(libraries, needed):
    """`libraries`: program -> the targets it links, all the way down. `needed`: program -> shared objects it loads."""
    for program in ("faultline", "faultline-cli"):
        for library in sorted(set(libraries.get(program, ())) & {"faultline_sampling", "faultline_collector"}):
            yield f"{program} links {library}, but only the collector samples"
    for library in sorted(set(libraries.get("faultline-collector", ())) & {"faultline_desktop", "faultline_tray"}):
        yield f"faultline-collector links {library}, which is for the programs that show"
    for program in ("faultline-collector", "faultline-cli"):
        for object_name in sorted(needed.get(program, ())):
            if re.match(r"lib(Qt\d|qcustomplot)", object_name, re.IGNORECASE):
                yield f"{program} loads {object_name}, which only faultline may"

"""Breaks each rule on a tiny tree and expects the complaint; a tree that breaks none expects silence."""

import os
import tempfile
import unittest

import rules

SOUND = {
    "CMakeLists.txt": "", "LICENSE": "", "README.md": "", "resources/icon.svg": "", "tests/run": "",
    "core/base/units.h": "#include <chrono>\n",
    "core/stream/wire.cpp": '#include <msgpack.hpp>\n#include <xxhash.h>\n#include "core/base/units.h"\n',
    "platform/sampling/sampler.h": '#include "core/base/units.h"\n',
    "platform/sampling/records/ring.cpp": '#include <string_view>\n#include "core/base/units.h"\n',
    "platform/sampling/linux/proc/sampler.cpp": '#include <unistd.h>\n#include "platform/sampling/sampler.h"\n',
    "platform/sampling/windows/clock.cpp": '#ifdef _WIN32\n#include <windows.h>\n#endif\n',
    "platform/host/autostart.h": '#include "core/base/units.h"\n',
    "app/collector/main.cpp": '#include <CLI/CLI.hpp>\n#include "platform/sampling/sampler.h"\n',
    "app/cli/commands/top.cpp": '#include "platform/host/autostart.h"\n#include "core/base/units.h"\n',
    "app/tray/shell/window.cpp":
        '#include <QWidget>\n#include <qcustomplot.h>\n#include "app/tray/shell/window.h"\n#include "window.moc"\n',
    "app/tray/shell/window.h": "#include <QWidget>\n",
    "tests/app/tray/window_test.cpp": "#include <QWidget>\n#include <unistd.h>\n",
    "tests/fixtures/stat": "line\n" * 600,
}


class Tree(unittest.TestCase):
    def complaints(self, changed):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**SOUND, **changed}.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                if text is not None:
                    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                        file.write(text)
            return list(rules.check_tree(root))

    def expect(self, path, text, *words):
        complaints = self.complaints({path: text})
        self.assertEqual(len(complaints), 1, complaints)
        for word in (path, *words):
            self.assertIn(word, complaints[0])

    def test_a_sound_tree_is_silent(self):
        self.assertEqual(self.complaints({}), [])

    def test_core_knows_nobody(self):
        self.expect("core/base/a.h", '#include "platform/sampling/sampler.h"\n', ":1", "core/base may not know platform/sampling")
        self.expect("core/base/a.h", '\n#include "app/cli/top/view.h"\n', ":2", "core/base may not know app/cli/top")

    def test_a_file_lies_in_a_room(self):
        for path in ("core/a.h", "core/novel/a.h", "app/tray/plots/deep/a.cpp", "platform/a.h"):
            self.expect(path, "", path.rpartition("/")[0], "no room of the table")

    def test_a_file_in_the_wrong_room_is_found(self):
        self.expect("app/tray/widgets/a.cpp", '#include "app/tray/plots/stack.h"\n', "app/tray/widgets may not know app/tray/plots")
        self.expect("platform/sampling/linux/facts/a.cpp", '#include "platform/sampling/linux/bpf/sampler.h"\n',
                    "platform/sampling/linux/facts may not know platform/sampling/linux/bpf")
        self.expect("app/cli/text/a.h", '#include "app/cli/commands/command.h"\n', "app/cli/text may not know app/cli/commands")

    def test_the_table_runs_downwards_alone(self):
        with self.assertRaisesRegex(ValueError, "core/base knows core/text, which does not stand above"):
            rules.read_rooms("core/base text\ncore/text\n")

    def test_cores_folders_have_an_order(self):
        self.expect("core/base/a.h", '#include "core/text/utf8.h"\n', ":1", "core/base may not know core/text")
        self.expect("core/stream/a.h", '#include "core/frames/a.h"\n', "core/stream may not know core/frames")
        self.assertEqual(self.complaints({"core/frames/a.h": '#include "core/join/a.h"\n#include "core/frames/b.h"\n'}), [])

    def test_core_has_no_system_header(self):
        for header in ("unistd.h", "sys/mman.h", "windows.h", "pthread.h", "linux/perf_event.h"):
            self.expect("core/text/a.cpp", f"#include <{header}>\n", header)
            self.expect("core/text/a.cpp", f"#include_next <{header}>\n", header)
            self.expect("core/text/a.cpp", f"#if __has_include(<{header}>)\n#endif\n", header)

    def test_code_has_one_of_two_endings(self):
        for path in ("core/base/a.c", "core/base/a.hpp", "app/cli/top/a.cc", "platform/sampling/linux/bpf/a.inl"):
            self.expect(path, "", "another ending")
        self.assertEqual(self.complaints({"platform/sampling/linux/bpf/kernel/a.bpf.c": "", "tests/resources/a.c": ""}), [])

    def test_waits_stand_in_one_room(self):
        for call in ("waitpid(child, &status, 0)", "::poll(&file, 1, -1)", "read(file, data, size)", "recv(file, data, size, 0)"):
            self.expect("platform/host/linux/a.cpp", f"void f() {{ {call}; }}\n", ":1", "which may block")
        for path in ("platform/host/posix/waits/a.cpp", "platform/sampling/linux/facts/a.cpp"):
            self.assertEqual(self.complaints({path: "void f() { waitpid(child, &status, 0); }\n"}), [])
        other = "// poll(2)\nauto a = File::read(name, 1, 2);\nauto b = file.read(a, 1, 2);\nint read(int file);\n"
        self.assertEqual(self.complaints({"platform/host/linux/a.cpp": other}), [])

    def test_nothing_reads_by_an_iterator_that_throws(self):
        self.expect("core/base/a.cpp", "std::string text{std::istreambuf_iterator<char>(file), {}};\n", ":1", "throws")

    def test_qt_stays_in_the_tray(self):
        for path in ("core/base/a.h", "platform/host/linux/a.cpp", "platform/sampling/linux/proc/a.cpp", "app/cli/top/a.cpp",
                     "app/collector/a.cpp"):
            for header in ("QString", "QtCore/QString", "qcustomplot.h"):
                self.expect(path, f"#include <{header}>\n", "only app/tray may")

    def test_those_that_show_do_not_sample(self):
        for room in ("app/tray/session", "app/cli/stream", "platform/host"):
            for header in ("linux/proc/sampler.h", "synthetic/sampler.h", "sampler.h"):
                self.expect(f"{room}/a.cpp", f'#include "platform/sampling/{header}"\n', f"{room} may not know platform/sampling")

    def test_programs_do_not_know_each_other(self):
        self.expect("app/cli/top/a.cpp", '#include "app/tray/shell/window.h"\n', "app/tray")
        self.expect("app/tray/shell/a.cpp", '#include "app/collector/loop.h"\n', "app/collector")
        self.expect("app/collector/a.cpp", '#include "platform/host/autostart.h"\n', "platform/host")

    def test_systems_do_not_know_each_other(self):
        self.expect("platform/sampling/linux/proc/a.cpp", '#include "platform/sampling/windows/clock.h"\n', "platform/sampling/windows")
        self.expect("platform/sampling/a.h", '#include "platform/sampling/linux/proc/sampler.h"\n', "platform/sampling/linux/proc")
        self.expect("platform/sampling/nt/a.h", '#include "platform/sampling/windows/clock.h"\n', "platform/sampling/windows")
        self.expect("platform/host/windows/a.h", '#include "platform/system/posix/unique_fd.h"\n', "platform/system/posix")

    def test_system_headers_only_in_folders_named_after_the_system(self):
        for path in ("platform/sampling/clock.h", "platform/sampling/records/a.h", "platform/host/nt/a.h", "app/cli/top/a.cpp",
                     "app/tray/shell/a.cpp"):
            self.expect(path, "#include <unistd.h>\n", "unistd.h")

    def test_shared_files_do_not_ask_for_the_system(self):
        for condition in ("#ifdef _WIN32", "#if defined(__linux__)", "# elif defined(Q_OS_WIN)", "#ifdef linux", "#ifdef __unix",
                          "#ifdef __MINGW32__"):
            self.expect("app/tray/shell/a.cpp", f"int x;\n{condition}\n#endif\n", ":2", "operating system")

    def test_nothing_is_opened_by_name_after_the_lockdown(self):
        room = "platform/sampling/linux/watch/"
        for line in ('open("/proc/self/stat", 0);', "const int file = ::open(path, flags);", "UniqueFd f(openat(folder, name, 0));",
                     "std::ifstream file(path);", "syscall(SYS_openat2, root, path);", "if (stat(path, &status) == 0) {}",
                     "std::filesystem::exists(path);"):
            self.expect(room + "a.cpp", line + "\n", ":1", "opens by name")
        for line in ("auto watch = BpfWatch::open(target);", 'auto file = target.folder().open("maps");', "// open() fails",
                     "parseProcStat(text);", "files->open(path);", "m_files.open(path);"):
            self.assertEqual(self.complaints({room + "a.cpp": line + "\n"}), [])
        self.assertEqual(self.complaints({"platform/sampling/linux/target/a.cpp": "open(path, 0);\n"}), [])

    def test_own_headers_are_named_from_the_top(self):
        for name in ("view.h", "../tray/window.h", "core/../platform/sampling/sampler.h"):
            self.expect("app/cli/top/a.cpp", f'#include "{name}"\n', "path from the top")

    def test_no_long_file(self):
        self.expect("tests/run", "true\n" * 501, "split")

    def test_no_long_class(self):
        self.assertEqual(self.complaints({"core/base/a.cpp": "int x;\n" * 400}), [])
        self.assertIn("core/base/a is 401 lines long", self.complaints({"core/base/a.cpp": "int x;\n" * 401})[0])
        parts = {"core/base/a.h": "int a;\n" * 100, "core/base/a.cpp": "int b;\n" * 200, "core/base/a_paint.cpp": "int c;\n" * 101}
        self.assertEqual(len(self.complaints(parts)), 1)
        self.assertEqual(self.complaints({**parts, "core/base/a_paint.h": "int d;\n"}), [])

    def test_no_crowded_folder(self):
        self.assertEqual(self.complaints({f"core/text/a{n}.h": "" for n in range(25)}), [])
        crowd = self.complaints({f"core/text/a{n}.h": "" for n in range(26)})
        self.assertEqual(crowd, ["core/text holds 26 files of code: split it, 25 are the most"])
        self.assertEqual(self.complaints({f"platform/host/a{n}.h": "" for n in range(29)}), [])
        self.assertEqual(len(self.complaints({f"platform/host/a{n}.h": "" for n in range(31)})), 1)

    def test_names_are_snake_case(self):
        self.expect("core/base/SpikeDetector.cpp", "", "snake_case")

    def test_the_top_level_is_fixed(self):
        self.assertEqual(self.complaints({"docs/design.md": ""}), ["docs does not belong at the top level"])
        self.assertEqual(self.complaints({"Makefile": ""}), ["Makefile does not belong at the top level"])
        self.assertEqual(self.complaints({"LICENSE": None}), ["LICENSE is missing at the top level"])
        self.assertEqual(self.complaints({".editorconfig": ""}), [])


class Links(unittest.TestCase):
    def test_sound_programs_are_silent(self):
        libraries = {"faultline": ["faultline_tray", "faultline_host", "faultline_core"],
                     "faultline-cli": ["faultline_cli", "faultline_host", "faultline_core"],
                     "faultline-collector": ["faultline_collector", "faultline_sampling", "faultline_core"]}
        needed = {"faultline": ["libQt6Gui.so.6"], "faultline-cli": ["libc.so.6"], "faultline-collector": ["libc.so.6"]}
        self.assertEqual(list(rules.check_links(libraries, needed)), [])

    def test_those_that_show_do_not_link_sampling(self):
        for program in ("faultline", "faultline-cli"):
            complaints = list(rules.check_links({program: ["faultline_core", "faultline_sampling"]}, {}))
            self.assertEqual(complaints, [f"{program} links faultline_sampling, but only the collector samples"])

    def test_only_the_tray_loads_qt(self):
        for program in ("faultline-collector", "faultline-cli"):
            for library in ("libQt6Core.so.6", "libqcustomplot.so.2.1"):
                complaints = list(rules.check_links({}, {program: [library]}))
                self.assertEqual(complaints, [f"{program} loads {library}, which only faultline may"])

    def test_the_collector_shows_nothing(self):
        self.assertEqual(len(list(rules.check_links({"faultline-collector": ["faultline_host"]}, {}))), 1)


if __name__ == "__main__":
    unittest.main()

"""Breaks each rule on a tiny tree and expects the complaint; a tree that breaks none expects silence."""

import os
import tempfile
import unittest

import rules

SOUND = {
    "CMakeLists.txt": "", "LICENSE": "", "README.md": "", "resources/icon.svg": "", "tests/run": "",
    "core/base/units.h": "#include <chrono>\n",
    "core/stream/wire.cpp": '#include <msgpack.hpp>\n#include <xxhash.h>\n#include "core/base/units.h"\n',
    "platform/sampler.h": '#include "core/base/units.h"\n',
    "platform/linux/stat_parser.cpp": '#include <string_view>\n#include "core/base/units.h"\n',
    "platform/linux/proc_linux.cpp": '#include <unistd.h>\n#include "platform/sampler.h"\n',
    "platform/windows/proc_windows.cpp": '#ifdef _WIN32\n#include <windows.h>\n#endif\n',
    "platform/desktop/autostart.h": '#include "core/base/units.h"\n',
    "app/collector/main.cpp": '#include <CLI/CLI.hpp>\n#include "platform/sampler.h"\n',
    "app/cli/main.cpp": '#include "platform/desktop/autostart.h"\n#include "core/base/units.h"\n',
    "app/tray/window.cpp": '#include <QWidget>\n#include <qcustomplot.h>\n#include "app/tray/window.h"\n#include "window.moc"\n',
    "app/tray/window.h": "#include <QWidget>\n",
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
        self.expect("core/a.h", '#include "platform/sampler.h"\n', ":1", "core may not know platform")
        self.expect("core/a.h", '\n#include "app/cli/top.h"\n', ":2", "core may not know app/cli")

    def test_what_is_bound_to_a_system_is_for_that_system(self):
        self.expect("platform/windows/parse.cpp", '#include "platform/windows/nt_windows.h"\n', ":1", "for Windows alone")
        self.expect("platform/desktop/wait_windows.cpp", '#include "platform/fd_linux.h"\n', ":1", "for Linux alone")
        self.assertEqual(self.complaints({"platform/desktop/wait_linux.cpp": '#include "platform/fd_linux.h"\n'}), [])

    def test_cores_folders_have_an_order(self):
        self.expect("core/base/a.h", '#include "core/text/utf8.h"\n', ":1", "core/base may not know core/text")
        self.expect("core/stream/a.h", '#include "core/frames/a.h"\n', "core/stream may not know core/frames")
        self.expect("core/novel/a.h", '#include "core/base/units.h"\n', "core/novel", "no place yet")
        self.assertEqual(self.complaints({"core/frames/a.h": '#include "core/marks/a.h"\n#include "core/frames/b.h"\n'}), [])

    def test_core_has_no_system_header(self):
        for header in ("unistd.h", "sys/mman.h", "windows.h", "pthread.h", "linux/perf_event.h"):
            self.expect("core/a.cpp", f"#include <{header}>\n", header)
            self.expect("core/a.cpp", f"#include_next <{header}>\n", header)
            self.expect("core/a.cpp", f"#if __has_include(<{header}>)\n#endif\n", header)
        self.expect("core/a_linux.cpp", "#include <unistd.h>\n", "unistd.h")

    def test_code_has_one_of_two_endings(self):
        for path in ("core/a.c", "core/a.hpp", "app/cli/a.cc", "platform/linux/a.inl"):
            self.expect(path, "", "another ending")
        self.assertEqual(self.complaints({"platform/linux/bpf/a.bpf.c": "", "tests/resources/a.c": ""}), [])

    def test_qt_stays_in_the_tray(self):
        for path in ("core/a.h", "platform/desktop/a_linux.cpp", "platform/linux/a_linux.cpp", "app/cli/a.cpp",
                     "app/collector/a.cpp"):
            for header in ("QString", "QtCore/QString", "qcustomplot.h"):
                self.expect(path, f"#include <{header}>\n", "only app/tray may")

    def test_those_that_show_do_not_sample(self):
        for program in ("app/tray", "app/cli", "platform/desktop"):
            self.expect(f"{program}/a.cpp", '#include "platform/linux/proc_linux.h"\n', "platform/linux")
            self.expect(f"{program}/a.cpp", '#include "platform/synthetic/synthetic_sampler.h"\n', "synthetic")
            self.expect(f"{program}/a.cpp", '#include "platform/sampler.h"\n', "only the collector samples")

    def test_programs_do_not_know_each_other(self):
        self.expect("app/cli/a.cpp", '#include "app/tray/window.h"\n', "app/tray")
        self.expect("app/tray/a.cpp", '#include "app/collector/loop.h"\n', "app/collector")
        self.expect("app/collector/a.cpp", '#include "platform/desktop/autostart.h"\n', "platform/desktop")

    def test_systems_do_not_know_each_other(self):
        self.expect("platform/linux/a.cpp", '#include "platform/windows/etw.h"\n', "platform/windows")
        self.expect("platform/a.h", '#include "platform/linux/proc_linux.h"\n', "platform/linux")

    def test_system_headers_only_in_files_named_after_the_system(self):
        for path in ("platform/clock.h", "platform/linux/stat.h", "app/cli/a.cpp", "app/tray/a.cpp"):
            self.expect(path, "#include <unistd.h>\n", "unistd.h")

    def test_shared_files_do_not_ask_for_the_system(self):
        for condition in ("#ifdef _WIN32", "#if defined(__linux__)", "# elif defined(Q_OS_WIN)", "#ifdef linux", "#ifdef __unix",
                          "#ifdef __MINGW32__"):
            self.expect("app/tray/a.cpp", f"int x;\n{condition}\n#endif\n", ":2", "operating system")

    def test_own_headers_are_named_from_the_top(self):
        for name in ("top.h", "../tray/window.h", "core/../platform/sampler.h"):
            self.expect("app/cli/a.cpp", f'#include "{name}"\n', "path from the top")

    def test_no_long_file(self):
        self.assertEqual(self.complaints({"core/a.cpp": "int x;\n" * 500}), [])
        self.expect("core/a.cpp", "int x;\n" * 501, "split")
        self.expect("tests/run", "true\n" * 501, "split")

    def test_names_are_snake_case(self):
        self.expect("core/SpikeDetector.cpp", "", "snake_case")

    def test_the_top_level_is_fixed(self):
        self.assertEqual(self.complaints({"docs/design.md": ""}), ["docs does not belong at the top level"])
        self.assertEqual(self.complaints({"Makefile": ""}), ["Makefile does not belong at the top level"])
        self.assertEqual(self.complaints({"LICENSE": None}), ["LICENSE is missing at the top level"])
        self.assertEqual(self.complaints({".editorconfig": ""}), [])


class Links(unittest.TestCase):
    def test_sound_programs_are_silent(self):
        libraries = {"faultline": ["faultline_tray", "faultline_desktop", "faultline_core"],
                     "faultline-cli": ["faultline_cli", "faultline_desktop", "faultline_core"],
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
        self.assertEqual(len(list(rules.check_links({"faultline-collector": ["faultline_desktop"]}, {}))), 1)


if __name__ == "__main__":
    unittest.main()

"""Marks of frames from Rust, Go, Godot's seam and the plug-ins for Unreal and Unity, each where its compiler is installed,
with stand-ins for the engines; and criterion's measurement where cargo has criterion:
frame_languages_test.py SOURCE_FOLDER CXX_COMPILER"""
import json
import os
import pathlib
import pwd
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE, CXX = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
INTEGRATIONS = SOURCE / "resources/integrations"
TWO_LOOPS = {b"render": 5, b"audio": 1}  # whose first frame touches 16 MiB

RUST = """
fn main() {
    for _ in 0..5 {
        std::hint::black_box(vec![1u8; 1 << 24]);
        faultline_frame::frame(c"render");
    }
    faultline_frame::frame(c"audio");
    std::io::stdin().read_line(&mut String::new()).unwrap();
}
"""
GO = """
package main

import (
	"bufio"
	"faultline_frame"
	"os"
)

var kept []byte

func main() {
	render, audio := frame.NewMark("render"), frame.NewMark("audio")
	for i := 0; i < 5; i++ {
		kept = make([]byte, 1<<24)
		for at := 0; at < len(kept); at += 4096 {
			kept[at] = 1
		}
		render.End()
	}
	audio.End()
	bufio.NewReader(os.Stdin).ReadString('\\n')
}
"""
# As Godot uses its seam.
GODOT = """
#include "faultline_profiling.h"
#include <cstdio>
#include <cstdlib>
void godot_init_profiler() {}
static bool iteration(int* p_left) {
  GodotProfileZone("Main::iteration");
  GodotProfileZoneGroupedFirst(_profile_zone, "physics");
  GodotProfileZoneGrouped(_profile_zone, "process");
  void* memory = std::malloc(1 << 24);
  GodotProfileAlloc(memory, 1 << 24);
  for (int i = 0; i < 1 << 24; i += 4096) static_cast<volatile char*>(memory)[i] = 1;
  GodotProfileFree(memory);
  std::free(memory);
  GodotProfileZoneScript(p_left, "file", "function", "name", 1);
  GodotProfileZoneScriptSystemCall(p_left, "file", "function", "name", 1);
  GodotProfileZoneGroupedEndEarly(_profile_zone, "process");
  return --*p_left == 0;
}
int main() {
  int left = 5;
  godot_init_profiler();
  while (true) {
    GodotProfileFrameMark;
    GodotProfileZone("OS::run");
    if (iteration(&left)) break;
  }
  std::getchar();
  return 0;
}
"""
# As Unreal uses a module, with what of its headers the module needs.
UNREAL = {"Modules/ModuleManager.h": """
#pragma once
struct IModuleInterface {
  virtual ~IModuleInterface() = default;
  virtual void StartupModule() {}
  virtual void ShutdownModule() {}
};
#define IMPLEMENT_MODULE(type, name) IModuleInterface* Make##name() { return new type(); }
""", "Misc/CoreDelegates.h": """
#pragma once
#include <functional>
#include <map>
#define PLATFORM_WINDOWS 0
struct FDelegateHandle { int number = 0; };
struct FSimpleMulticastDelegate {
  template <class T> FDelegateHandle AddLambda(T&& lambda) { calls[++last] = lambda; return {last}; }
  bool Remove(FDelegateHandle handle) { return calls.erase(handle.number) > 0; }
  void Broadcast() { for (auto& call : calls) call.second(); }
  std::map<int, std::function<void()>> calls;
  int last = 0;
};
struct FCoreDelegates { static inline FSimpleMulticastDelegate OnEndFrame; };
""", "engine.cpp": """
#include <cstdio>
#include <memory>
#include "Misc/CoreDelegates.h"
#include "Modules/ModuleManager.h"
IModuleInterface* MakeFaultline();
int main() {
  const std::unique_ptr<IModuleInterface> module(MakeFaultline());
  module->StartupModule();
  for (int i = 0; i < 5; ++i) FCoreDelegates::OnEndFrame.Broadcast();
  module->ShutdownModule();
  FCoreDelegates::OnEndFrame.Broadcast();
  std::getchar();
  return 0;
}
"""}
# What of Unity the script needs, and a player that plays twice, for four turns of its loop.
UNITY = """
namespace UnityEngine {
  public enum RuntimeInitializeLoadType { BeforeSceneLoad }
  public class RuntimeInitializeOnLoadMethodAttribute : System.Attribute {
    public RuntimeInitializeOnLoadMethodAttribute(RuntimeInitializeLoadType type) {}
  }
}
namespace UnityEngine.LowLevel {
  public struct PlayerLoopSystem {
    public System.Type type;
    public PlayerLoopSystem[] subSystemList;
    public UpdateFunction updateDelegate;
    public delegate void UpdateFunction();
  }
  public class PlayerLoop {
    static PlayerLoopSystem loop = new PlayerLoopSystem { subSystemList = new PlayerLoopSystem[1] };
    public static PlayerLoopSystem GetCurrentPlayerLoop() { return loop; }
    public static void SetPlayerLoop(PlayerLoopSystem wanted) { loop = wanted; }
  }
}
class Player {
  static void Main() {
    var begin = System.Type.GetType("FaultlineFrames").GetMethod(
        "Begin", System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static);
    for (int play = 0; play < 2; ++play) {
      begin.Invoke(null, null);
      for (int turn = 0; turn < 2; ++turn)
        foreach (var system in UnityEngine.LowLevel.PlayerLoop.GetCurrentPlayerLoop().subSystemList)
          if (system.updateDelegate != null) system.updateDelegate();
    }
    System.Console.ReadLine();
  }
}
"""
BENCH = """
use criterion::{criterion_group, criterion_main, Criterion};
fn touch(c: &mut Criterion<faultline_criterion::Faults>) {
    c.bench_function("touch", |b| b.iter(|| std::hint::black_box(vec![1u8; 64 << 20])));
}
criterion_group!(name = benches; config = Criterion::default().with_measurement(faultline_criterion::Faults)
    .sample_size(10).warm_up_time(std::time::Duration::from_millis(10))
    .measurement_time(std::time::Duration::from_millis(50)); targets = touch);
criterion_main!(benches);
"""


class Languages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        home = pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir)
        self.environment = {"CARGO_HOME": str(home / ".cargo"), "RUSTUP_HOME": str(home / ".rustup"),
                            "CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": str(self.folder / "target"),
                            "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=0", **os.environ}

    def tool(self, name):
        if shutil.which(name) is None:
            self.skipTest(f"{name} is not installed")
        return name

    def run_in(self, folder, *words):
        return subprocess.run(words, cwd=folder, env=self.environment, capture_output=True, text=True, timeout=900)

    def check(self, folder, *words):
        done = self.run_in(folder, *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def copy(self, name):
        """Beside the header, as a game holds them."""
        folder = shutil.copytree(INTEGRATIONS / name, self.folder / name, ignore=shutil.ignore_patterns("target"))
        if name.startswith("frames_"):
            shutil.copy(SOURCE / "resources/faultline_frame.h", folder)
        return folder

    def check_marks(self, program, expected, first=4096):
        """What a watcher finds in the memory of a running game: see faultline_frame.h."""
        game = subprocess.Popen(program if isinstance(program, list) else [program], stdin=subprocess.PIPE,
                                env=self.environment)
        try:
            ring = self.ring_of(game.pid, sum(expected.values()))
        finally:
            game.communicate(b"\n", timeout=60)
        self.assertEqual(game.returncode, 0)
        magic, pid = struct.unpack_from("<8sQ", ring)
        self.assertEqual((magic, pid), (b"lFframe2", game.pid))
        counts, names = struct.unpack_from("<8Q", ring, 40), struct.unpack_from("32s" * 8, ring, 104)
        marks = {name.rstrip(b"\0"): count for name, count in zip(names, counts) if count}
        self.assertEqual(marks, expected)
        records = [struct.unpack_from("<8Q", ring, 4096 + 64 * place) for place in range(9)]
        written = [record for record in records if record[0]]  # those of the first two seconds
        numbers = [(place, (place - 1) % 5 + 1) for place in range(1, sum(expected.values()) + 1)]
        self.assertEqual([record[:2] for record in written], numbers[:len(written)])
        for record in written:
            self.assertTrue(first <= record[4] and 0 < record[6] <= record[4], record)

    def ring_of(self, pid, marks):
        for _ in range(2000):
            for file in pathlib.Path(f"/proc/{pid}/fd").iterdir():
                if "faultline-frames" in os.readlink(file):
                    ring = file.read_bytes()
                    if sum(struct.unpack_from("<8Q", ring, 40)) == marks:
                        return ring
            time.sleep(0.01)
        self.fail("the game sets no marks")

    def test_rust_marks_frames(self):
        cargo, folder = self.tool("cargo"), self.copy("frames_rust")
        (folder / "examples").mkdir()
        (folder / "examples/game.rs").write_text(RUST)
        self.check(folder, cargo, "build", "--release", "--example", "game")
        self.check_marks(self.folder / "target/release/examples/game", TWO_LOOPS)
        self.check(folder, cargo, "test", "--doc")

    def test_go_marks_frames(self):
        go, folder = self.tool("go"), self.copy("frames_go")
        (folder / "game").mkdir()
        (folder / "game/main.go").write_text(GO)
        self.check(folder, go, "vet", "./...")
        self.check(folder, go, "build", "-o", "the_game", "./game")
        self.check_marks(folder / "the_game", TWO_LOOPS)

    def test_godots_seam_marks_the_main_loop(self):
        (self.folder / "godot.cpp").write_text(GODOT)
        self.check(self.folder, CXX, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{INTEGRATIONS}/godot",
                   f"-I{SOURCE}/resources", "godot.cpp", "-o", "godot_game")
        self.check_marks(self.folder / "godot_game", {b"godot": 5}, 1)

    def test_unreals_module_marks_the_game_thread(self):
        plugin = INTEGRATIONS / "unreal/Faultline"
        module, = json.loads((plugin / "Faultline.uplugin").read_text())["Modules"]
        self.assertTrue((plugin / f"Source/{module['Name']}/{module['Name']}.Build.cs").is_file())
        for name, text in UNREAL.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)
        self.check(self.folder, CXX, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I.", f"-I{SOURCE}/resources",
                   plugin / "Source/Faultline/Private/Faultline.cpp", "engine.cpp", "-o", "unreal_game")
        self.check_marks(self.folder / "unreal_game", {b"unreal": 5}, 1)

    def test_unitys_plug_in_and_script_mark_frames(self):
        for file in (SOURCE / "resources/faultline_frame.h", INTEGRATIONS / "unity/faultline_unity.c"):
            shutil.copy(file, self.folder)
        script = INTEGRATIONS / "unity/FaultlineFrames.cs"
        line = re.search(r"^ \*   (cc .*) -o .*/(libfaultline_unity.so)$", script.read_text(), re.MULTILINE)
        self.check(self.folder, self.tool("cc"), *line[1].split()[1:], "-Wall", "-Wextra", "-Werror", "-o", line[2])
        (self.folder / "unity.cs").write_text(UNITY)
        self.check(self.folder, self.tool("mcs"), "-warnaserror", "-out:game.exe", "unity.cs", script)
        self.environment["LD_LIBRARY_PATH"] = str(self.folder)
        self.check_marks([self.tool("mono"), self.folder / "game.exe"], {b"unity": 5}, 1)

    def test_unitys_plug_in_compiles_for_windows(self):
        compiler = self.tool("x86_64-w64-mingw32-gcc")
        shutil.copy(INTEGRATIONS / "unity/faultline_unity.c", self.folder)
        self.check(self.folder, compiler, "-O2", "-shared", f"-I{SOURCE}/resources", "faultline_unity.c", "-o", "faultline_unity.dll")

    def test_criterion_measures_page_faults(self):
        cargo, folder = self.tool("cargo"), self.copy("criterion")
        (folder / "benches").mkdir()
        (folder / "benches/touch.rs").write_text(BENCH)
        with open(folder / "Cargo.toml", "a", encoding="utf-8") as manifest:
            manifest.write('\n[[bench]]\nname = "touch"\nharness = false\n')
        if self.run_in(folder, cargo, "generate-lockfile").returncode != 0:
            self.skipTest("cargo has no criterion: cargo fetch in resources/integrations/criterion brings it")
        self.environment["CARGO_PROFILE_BENCH_OPT_LEVEL"] = "0"  # compiles in half of the time
        told = self.check(folder, cargo, "bench")
        found = re.search(r"time:\s+\[\s*[\d.]+ faults\s+([\d.]+) faults\s+[\d.]+ faults\]", told)
        self.assertTrue(found, told)
        self.assertTrue(16384 <= float(found[1]) <= 17000, told)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

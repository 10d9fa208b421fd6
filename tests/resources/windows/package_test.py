"""The packages for Windows, under Wine: cpack makes them, and a clean prefix unpacks, installs, starts, upgrades and
uninstalls them. The first argument is the folder of the build, the second Wine, the third objdump for Windows."""
import glob
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

BUILD, WINE, OBJDUMP = sys.argv[1:4]
SOURCE = pathlib.Path(__file__).resolve().parents[3]
MOST_BYTES = 40_000_000
UNINSTALL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Faultline"
RUN = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run"
TRAY = os.path.exists(os.path.join(BUILD, "bin/faultline.exe"))


def demand(condition, what):
    if not condition:
        sys.exit(f"package_test: {what}")
    print(f"so it is: {what}", flush=True)


def wine(*words, env):
    return subprocess.run([WINE, *map(str, words)], env=env, capture_output=True, text=True, errors="replace", timeout=240,
                          check=False)


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.5)
    return condition()


def make_packages(to):
    subprocess.run(["cpack", "-B", to, "--config", os.path.join(BUILD, "CPackConfig.cmake")], check=True, cwd=to,
                   stdout=subprocess.DEVNULL)
    archive, installer = (glob.glob(os.path.join(to, f"faultline-*.{ending}")) for ending in ("zip", "exe"))
    demand(len(archive) == 1, "cpack makes an archive")
    demand(len(installer) == 1, "cpack makes an installer")
    for path in archive + installer:
        demand(os.path.getsize(path) < MOST_BYTES, f"{os.path.basename(path)} has {os.path.getsize(path)} bytes")
    return archive[0], installer[0]


def check_stripped(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".exe", ".dll"):
            sections = subprocess.run([OBJDUMP, "-h", str(path)], capture_output=True, text=True, check=True).stdout
            demand(".debug_info" not in sections, f"{path.name} is stripped")


def check_starts(folder, env, work):
    said = wine(folder / "faultline-cli.exe", "--version", env=env)
    demand(said.returncode == 0 and "0." in said.stdout, f"faultline-cli.exe starts: {said.stdout.strip()}")
    rows = wine(folder / "faultline-cli.exe", "snapshot", "--format", "machine-csv", "--interval", "50ms", env=env)
    demand(rows.returncode == 0 and "wall_time" in rows.stdout, "its collector measures")
    if not TRAY:
        return
    picture = pathlib.Path(work) / "window.png"
    picture.unlink(missing_ok=True)
    said = wine(folder / "faultline.exe", "-platform", "offscreen", "--screenshot", picture, "--synthetic-windows",
                env=env)
    demand(picture.exists(), f"faultline.exe draws its window: {said.stdout}{said.stderr}"[:300])


def registered(key, name, env):
    said = wine("reg", "query", key, "/v", name, env=env)
    return said.stdout.split("REG_SZ")[-1].strip() if said.returncode == 0 else None


def check_archive(archive, env, work):
    folder = pathlib.Path(work) / "any where, é"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    (top,) = folder.iterdir()
    check_stripped(top)
    check_starts(top, env, work)


def install(installer, env, *words):
    return wine(installer, "/S", *words, env=env).returncode


def check_installer(installer, env, work):
    prefix = pathlib.Path(env["WINEPREFIX"])
    demand(install(installer, env) == 0, "the installer installs without a question")
    (program,) = prefix.glob("drive_c/users/*/AppData/Local/Programs/Faultline/faultline-cli.exe")
    folder = program.parent
    version = registered(UNINSTALL, "DisplayVersion", env)
    demand(version is not None and version in os.path.basename(installer), f"version {version} is registered")
    links = list(prefix.glob("drive_c/users/*/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Faultline.lnk"))
    demand(len(links) == 1, "the start menu has Faultline")
    check_starts(folder, env, work)

    (folder / "faultline_frame.h").write_text("of an older version")
    wine("reg", "add", UNINSTALL, "/v", "DisplayVersion", "/d", "0.0.1", "/f", env=env)
    wine("reg", "add", RUN, "/v", "Faultline", "/d", "faultline.exe --hidden", "/f", env=env)
    demand(install(installer, env) == 0, "the installer upgrades")
    demand("older" not in (folder / "faultline_frame.h").read_text(errors="replace"), "an upgrade replaces the files")
    demand(registered(UNINSTALL, "DisplayVersion", env) == version, "an upgrade registers its version")
    demand(registered(RUN, "Faultline", env) is not None, "an upgrade keeps the start at login")

    recording = pathlib.Path(work) / "mine.faultline"
    with subprocess.Popen([WINE, str(folder / "faultline-cli.exe"), "record", "-o", str(recording), "--force"], env=env,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        demand(until(recording.exists), "the installed program records")
        demand(install(installer, env) == 2, "the installer refuses while Faultline runs")
        demand(program.exists() and (folder / "uninstall.exe").exists(), "a refusal leaves the installed version alone")
        wine("taskkill", "/F", "/IM", "faultline-cli.exe", env=env)
        wine("taskkill", "/F", "/IM", "faultline-collector.exe", env=env)
        running.wait(60)

    wine(folder / "uninstall.exe", "/S", env=env)  # copies itself, and returns before the copy ends
    demand(until(lambda: not folder.exists()), "the uninstaller leaves no file")
    demand(until(lambda: not links[0].exists()), "nor an entry in the start menu")
    demand(registered(UNINSTALL, "DisplayVersion", env) is None, "nor a registered version")
    demand(registered(RUN, "Faultline", env) is None, "nor a start at login")
    demand(recording.exists(), "but recordings")


def check_manifests(archive, installer, work):
    to = pathlib.Path(work) / "manifests"
    url = "https://downloads.invalid/v1"
    subprocess.run([sys.executable, str(SOURCE / "resources/windows/manifests.py"), os.path.dirname(archive), url + "/",
                    str(to)], check=True)
    scoop = json.loads((to / "faultline.json").read_text())
    package = scoop["architecture"]["64bit"]
    with open(archive, "rb") as file:
        demand(package["hash"] == hashlib.sha256(file.read()).hexdigest(), "scoop's manifest has the archive's hash")
    demand(package["url"] == f"{url}/{os.path.basename(archive)}", "and its address")
    text = (to / "Faultline.Faultline.installer.yaml").read_text()
    with open(installer, "rb") as file:
        demand(hashlib.sha256(file.read()).hexdigest().upper() in text, "winget's manifest has the installer's hash")


def main():
    if shutil.which("makensis") is None:
        print("NSIS is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory(dir=BUILD) as work:
        env = dict(os.environ, WINEPREFIX=os.path.join(work, "prefix"))
        packages = os.path.join(work, "packages")
        os.makedirs(packages)
        archive, installer = make_packages(packages)
        check_manifests(archive, installer, work)
        try:
            demand(wine("wineboot", "-i", env=env).returncode == 0, "Wine makes a clean prefix")
            check_archive(archive, env, work)
            check_installer(installer, env, work)
        finally:
            subprocess.run(["wineserver", "-k"], env=env, check=False)


main()

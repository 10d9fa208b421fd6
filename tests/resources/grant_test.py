"""faultline-grant, run by root in a mount namespace of its own, where /etc and /usr/local are scratch.

Exit code 77: skipped."""

import contextlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

BIN = sys.argv[1]
POLICY = sys.argv[2]
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRANT = os.path.join(BIN, "faultline-grant")
COLLECTOR = os.path.join(BIN, "faultline-collector")
FOLDER = "/usr/local/libexec/faultline"
COPY = FOLDER + "/faultline-collector"
TOOLS = "/usr/sbin:/usr/bin:/sbin:/bin"
USER = 65534  # nobody, whom every system has
INSIDE = "FAULTLINE_GRANT_TEST_INSIDE"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def enter_namespace():
    """Starts this program anew where mounts are private."""
    if os.geteuid() != 0:
        skip("only root can grant")
    for tool in ("unshare", "setcap", "getcap", "groupadd", "setfacl"):
        if shutil.which(tool, path=TOOLS) is None:
            skip(f"{tool} is not installed")
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("no mount namespaces here")
    with tempfile.TemporaryDirectory() as scratch:
        etc = os.path.join(scratch, "etc")
        subprocess.run(["cp", "-a", "/etc", etc], check=True)
        script = (f"mount --bind {etc} /etc && mount -t tmpfs -o mode=755 none /usr/local && "
                  'exec "$@"')
        result = subprocess.run(["unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh",
                                 sys.executable, "-B", *sys.argv], env={**os.environ, INSIDE: "1"})
    sys.exit(result.returncode)


def run(script, *arguments, **environment):
    return subprocess.run([script, *arguments], env={"PATH": "/nowhere", **environment}, capture_output=True, text=True)


def grant(*arguments, **environment):
    return run(GRANT, *arguments, **environment)


def install(prefix):
    """Where `cmake --install` puts the two."""
    places = [os.path.join(prefix, place) for place in ("libexec/faultline/faultline-grant", "bin/faultline-collector")]
    for source, place in zip((GRANT, COLLECTOR), places):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy(source, place)
    return places


@contextlib.contextmanager
def tool_that_fails(name):
    tool = os.path.realpath(shutil.which(name, path=TOOLS))
    subprocess.run(["mount", "--bind", "/bin/false", tool], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", tool], check=True)


@contextlib.contextmanager
def tool_that_sends(name, signal):
    """Whoever runs the tool gets the signal as soon as it has done its work."""
    tool = os.path.realpath(shutil.which(name, path=TOOLS))
    with tempfile.TemporaryDirectory() as folder:
        real, instead = os.path.join(folder, name), os.path.join(folder, "instead")
        shutil.copy(tool, real)
        with open(instead, "w", encoding="ascii") as script:
            script.write(f'#!/bin/sh\n"{real}" "$@"\ncode=$?\nkill -{signal} $PPID\nexit $code\n')
        os.chmod(instead, 0o755)
        subprocess.run(["mount", "--bind", instead, tool], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", tool], check=True)


def as_user(uid, groups, *command):
    """subprocess itself changes the user: setpriv would keep root's capabilities until it has started the command."""
    return subprocess.run(command, user=uid, group=uid, extra_groups=groups, capture_output=True)


def members():
    entry = subprocess.run(["getent", "group", "faultline"], capture_output=True, text=True).stdout.strip()
    return entry.split(":")[3] if entry else None


class Grant(unittest.TestCase):
    def setUp(self):
        grant("--revoke")
        shutil.rmtree("/usr/local/libexec", ignore_errors=True)
        self.before = sorted(os.listdir("/usr/local"))

    def check_nothing_granted(self):
        self.assertFalse(os.path.lexists(COPY))
        self.assertIsNone(members())
        self.assertEqual(sorted(os.listdir("/usr/local")), self.before)

    def check_refused(self, done, *words):
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_copy_is_roots_with_three_capabilities_and_for_the_group_alone(self):
        done = grant(COLLECTOR, SUDO_UID=str(USER))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("for nobody.", done.stdout)
        self.assertEqual(done.stdout.count("\n"), 1)
        status = os.stat(COPY)
        self.assertEqual(stat.S_IMODE(status.st_mode), 0o750)
        self.assertEqual(status.st_uid, 0)
        group = subprocess.run(["stat", "-c", "%G", COPY], capture_output=True, text=True).stdout.strip()
        self.assertEqual(group, "faultline")
        held = subprocess.run(["getcap", COPY], capture_output=True, text=True).stdout.split()[-1]
        self.assertTrue(held.endswith("=ep"), held)
        self.assertEqual(set(held[:-3].split(",")), {"cap_perfmon", "cap_bpf", "cap_syslog"})
        self.assertEqual(os.listdir(FOLDER), ["faultline-collector"])
        self.assertEqual(members(), "nobody")

    def test_members_may_start_it_and_others_may_not(self):
        grant(COLLECTOR, SUDO_UID=str(USER))
        ran = as_user(USER, [os.stat(COPY).st_gid], COPY, "sweep", "--interval", "10ms", "--count", "2")
        self.assertEqual((ran.returncode, ran.stderr), (0, b""))
        self.assertGreater(len(ran.stdout), 1000)
        with self.assertRaises(PermissionError):
            as_user(54321, [], COPY, "--version")

    def test_who_asked_needs_no_new_login_and_others_stay_out(self):
        grant(COLLECTOR, SUDO_UID=str(USER))
        self.assertEqual(as_user(USER, [], COPY, "--version").returncode, 0)
        with self.assertRaises(PermissionError):
            as_user(54321, [], COPY, "--version")
        self.assertNotEqual(as_user(USER, [], "setfacl", "-m", "u:54321:rx", COPY).returncode, 0)  # the list is root's

    def test_a_renewed_copy_is_for_the_members_of_that_moment(self):
        grant(COLLECTOR, SUDO_UID=str(USER))
        self.assertEqual(grant(COLLECTOR).returncode, 0)
        self.assertEqual(as_user(USER, [], COPY, "--version").returncode, 0)
        subprocess.run(["gpasswd", "-d", "nobody", "faultline"], stdout=subprocess.DEVNULL, check=True)
        self.assertEqual(grant(COLLECTOR).returncode, 0)
        with self.assertRaises(PermissionError):
            as_user(USER, [], COPY, "--version")

    def test_without_access_control_lists_the_group_works_from_the_next_login_on(self):
        with tool_that_fails("setfacl"):
            done = grant(COLLECTOR, SUDO_UID=str(USER))
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("for nobody, from the next login on", done.stdout)
        self.assertEqual(as_user(USER, [os.stat(COPY).st_gid], COPY, "--version").returncode, 0)
        with self.assertRaises(PermissionError):
            as_user(USER, [], COPY, "--version")

    def test_doctor_says_which_collector_runs_and_why(self):
        os.makedirs("/usr/local/bin", exist_ok=True)
        for name in ("faultline-cli", "faultline-collector", "faultline-grant"):
            shutil.copy(os.path.join(BIN, name), "/usr/local/bin")

        def findings(uid, groups):
            ran = as_user(uid, groups, "/usr/local/bin/faultline-cli", "doctor", "--interval", "20ms", "--format", "json")
            return json.loads(ran.stdout)

        before = findings(USER, [])
        self.assertEqual(before["collector"], "/usr/local/bin/faultline-collector")
        self.assertIn("No copy", before["collector_why"])
        command = before["collector_enable"].split()
        self.assertEqual(command[0], "sudo")
        subprocess.run(command[1:], env={"SUDO_UID": str(USER)}, stdout=subprocess.DEVNULL, check=False)

        member = findings(USER, [os.stat(COPY).st_gid])
        self.assertEqual((member["collector"], member["collector_enable"]), (COPY, ""))
        stranger = findings(54321, [])
        self.assertEqual(stranger["collector"], "/usr/local/bin/faultline-collector")
        self.assertIn("log in again", stranger["collector_why"])

    def test_a_second_grant_renews_the_copy_even_while_it_runs(self):
        grant(COLLECTOR, SUDO_UID=str(USER))
        first = os.stat(COPY).st_ino
        with subprocess.Popen([COPY, "sweep"], stdout=subprocess.PIPE) as running:
            running.stdout.read(1)
            done = grant(COLLECTOR, SUDO_UID=str(USER))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("login", done.stdout)
            running.terminate()
        self.assertNotEqual(os.stat(COPY).st_ino, first)

    def test_root_itself_joins_no_group(self):
        done = grant(COLLECTOR)
        self.assertEqual(done.returncode, 0)
        self.assertIn("usermod -aG faultline NAME", done.stdout)
        self.assertEqual(members(), "")

    def test_revoking_leaves_nothing(self):
        grant(COLLECTOR, SUDO_UID=str(USER))
        done = grant("--revoke")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertFalse(os.path.exists(FOLDER))
        self.assertIsNone(members())
        self.assertEqual(grant("--revoke").returncode, 0)

    def test_only_a_program_is_copied(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "link")
            os.symlink("/etc/shadow", link)
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            for wrong in (link, fifo, folder, "/etc/shadow", os.path.join(folder, "missing"), "/dev/zero", ""):
                done = grant(wrong, SUDO_UID=str(USER))
                self.check_refused(done)
                self.check_nothing_granted()

    def test_wrong_usage_and_hostile_surroundings(self):
        for arguments in ((), (COLLECTOR, COLLECTOR), ("--force",), ("-n",)):
            self.assertEqual(grant(*arguments).returncode, 1)
        for uid in ("0; touch /etc/pwned", "../1", "-1", "99999999"):
            self.assertEqual(grant(COLLECTOR, SUDO_UID=uid, IFS="x", ENV="/etc/passwd", CDPATH="/").returncode, 0)
            self.assertEqual(members(), "")
        self.assertFalse(os.path.exists("/etc/pwned"))

    def test_a_folder_that_others_may_change_is_refused(self):
        for changed in ("/usr/local", "/usr/local/libexec", FOLDER):
            for owner, mode in ((0, 0o777), (0, 0o775), (0, 0o1777), (USER, 0o755)):
                os.makedirs(FOLDER)
                os.chmod(changed, mode)
                os.chown(changed, owner, 0)
                for argument in (COLLECTOR, "--revoke"):
                    self.check_refused(grant(argument), f"{changed} can be changed by others")
                self.assertEqual(os.listdir(FOLDER), [])
                os.chmod(changed, 0o755)
                os.chown(changed, 0, 0)
                shutil.rmtree("/usr/local/libexec")
                self.assertIsNone(members())
        os.makedirs(os.path.dirname(FOLDER))
        os.symlink("/tmp", FOLDER)
        for argument in (COLLECTOR, "--revoke"):
            self.check_refused(grant(argument), "is a link")
        os.unlink(FOLDER)

    def test_what_a_refused_grant_has_made_is_taken_back(self):
        with tool_that_fails("usermod"):
            self.check_refused(grant(COLLECTOR, SUDO_UID=str(USER)), "nobody could not be put into the group")
        self.check_nothing_granted()

    def test_a_user_or_group_of_that_name_that_is_not_ours_is_refused_and_left_alone(self):
        subprocess.run(["groupadd", "faultline"], check=True)
        try:
            self.check_refused(grant(COLLECTOR, SUDO_UID=str(USER)), "a group named faultline", "groupdel faultline")
            self.assertEqual(members(), "")
            self.assertIn("The group faultline stays", grant("--revoke").stdout)
            self.assertEqual(members(), "")
        finally:
            subprocess.run(["groupdel", "faultline"], check=True)
        subprocess.run(["useradd", "-g", str(USER), "faultline"], check=True)
        try:
            self.check_refused(grant(COLLECTOR, SUDO_UID=str(USER)), "a user named faultline")
        finally:
            subprocess.run(["userdel", "faultline"], check=True)
        self.check_nothing_granted()

    def test_a_signal_at_any_step_leaves_all_or_nothing(self):
        for signal in ("TERM", "INT", "HUP", "QUIT", "PIPE"):
            for tool in ("mktemp", "mkdir", "groupadd", "chown", "chmod", "setcap", "usermod", "setfacl", "mv", "rm"):
                with tool_that_sends(tool, signal):
                    done = grant(COLLECTOR, SUDO_UID=str(USER))
                if done.returncode == 0:
                    self.assertEqual((os.listdir(FOLDER), members()), (["faultline-collector"], "nobody"))
                    grant("--revoke")
                    os.rmdir("/usr/local/libexec")
                else:
                    self.check_refused(done, "interrupted")
                self.check_nothing_granted()

    def test_a_signal_while_the_copy_is_renewed_leaves_one_that_works(self):
        grant(COLLECTOR, SUDO_UID=str(USER))
        for tool in ("mktemp", "chown", "chmod", "setcap", "setfacl", "mv", "rm"):
            with tool_that_sends(tool, "TERM"):
                grant(COLLECTOR, SUDO_UID=str(USER))
            self.assertEqual((os.listdir(FOLDER), members()), (["faultline-collector"], "nobody"), tool)
            self.assertIn("cap_bpf", subprocess.run(["getcap", COPY], capture_output=True, text=True).stdout, tool)
            self.assertEqual(as_user(USER, [os.stat(COPY).st_gid], COPY, "--version").returncode, 0, tool)

    def test_what_a_killed_grant_leaves_is_out_of_reach_and_goes_with_the_next(self):
        for tool in ("groupadd", "chown", "chmod", "setcap", "setfacl", "mv"):
            for after in ((COLLECTOR,), ("--revoke",)):
                with tool_that_sends(tool, "KILL"):
                    self.assertLess(grant(COLLECTOR, SUDO_UID=str(USER)).returncode, 0)
                for left in os.listdir(FOLDER):
                    if left.startswith(".new."):
                        self.assertEqual(stat.S_IMODE(os.stat(os.path.join(FOLDER, left)).st_mode), 0o700)
                self.assertEqual(grant(*after, SUDO_UID=str(USER)).returncode, 0, tool)
                if after == (COLLECTOR,):
                    self.assertEqual(os.listdir(FOLDER), ["faultline-collector"], tool)
                    grant("--revoke")
                os.rmdir("/usr/local/libexec")
                self.check_nothing_granted()

    def test_leftovers_of_earlier_grants_go_with_a_revoke_and_a_kept_name_is_harmless(self):
        grant(COLLECTOR)
        shutil.copy(COLLECTOR, FOLDER + "/.new.abcdef")
        kept = "/usr/local/kept"
        os.link(COPY, kept)
        os.chown(FOLDER + "/.new.abcdef", 0, os.stat(COPY).st_gid)
        subprocess.run(["setcap", "cap_bpf=ep", FOLDER + "/.new.abcdef"], check=True)
        self.assertEqual(grant("--revoke").returncode, 0)
        self.assertFalse(os.path.exists(FOLDER))
        self.assertEqual(subprocess.run(["getcap", kept], capture_output=True, text=True).stdout, "")
        self.assertEqual((os.stat(kept).st_uid, os.stat(kept).st_gid), (0, 0))
        os.unlink(kept)

    def test_a_folder_that_stays_is_told(self):
        grant(COLLECTOR)
        with open(FOLDER + "/notes", "w", encoding="ascii"):
            pass
        self.check_refused(grant("--revoke"), f"{FOLDER} is not", "other files")
        self.assertEqual((os.listdir(FOLDER), members()), (["notes"], None))

    def test_by_polkit_the_installed_collector_is_granted(self):
        for prefix in ("/usr/local", "/usr/local/elsewhere"):
            script, collector = install(prefix)
            done = run(script, collector, PKEXEC_UID=str(USER))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(as_user(USER, [], COPY, "--version").returncode, 0)
            self.assertEqual(members(), "nobody")
            self.assertEqual(run(script, "--revoke", PKEXEC_UID=str(USER)).returncode, 0)
            self.assertFalse(os.path.exists(COPY))
            shutil.rmtree("/usr/local/elsewhere", ignore_errors=True)
        os.unlink("/usr/local/bin/faultline-collector")

    def test_by_polkit_no_other_program_is_granted(self):
        script, collector = install("/usr/local/elsewhere")
        beside = os.path.join(os.path.dirname(script), "faultline-collector")
        attacker = os.path.join(os.path.dirname(collector), "id")
        shutil.copy("/usr/bin/id", attacker)
        line = f"sudo '{script}' '{attacker}'"
        self.check_refused(run(script, attacker, PKEXEC_UID=str(USER)), line)
        self.check_refused(run(script, "../elsewhere/bin/id", PKEXEC_UID=str(USER)))
        self.check_refused(run(script, "/usr/bin/id", PKEXEC_UID="0"), "sudo")
        shutil.copy("/usr/bin/id", beside)
        for changed, owner, mode in ((beside, USER, 0o755), (beside, 0, 0o775), (beside, 0, 0o757),
                                     ("/usr/local/elsewhere", USER, 0o755), ("/usr/local/elsewhere", 0, 0o777)):
            os.chmod(changed, mode)
            os.chown(changed, owner, 0)
            self.check_refused(run(script, beside, PKEXEC_UID=str(USER)), f"{changed} can be changed by others", "sudo")
            os.chmod(changed, 0o755)
            os.chown(changed, 0, 0)
        shutil.rmtree("/usr/local/elsewhere")
        self.check_nothing_granted()

    def test_by_polkit_a_build_is_refused_with_the_line_to_type(self):
        for script in (GRANT, os.path.join(SOURCE, "resources", "faultline-grant")):
            done = run(script, COLLECTOR, PKEXEC_UID=str(USER))
            self.check_refused(done, f"sudo '{os.path.realpath(script)}' '{os.path.realpath(COLLECTOR)}'")
        self.check_nothing_granted()

    def test_whoever_asks_first_hears_the_same_without_being_root(self):
        def check(script, collector):
            return subprocess.run([script, "--check", collector], user=USER, capture_output=True, text=True)
        script, collector = install("/usr/local/elsewhere")
        done = check(script, collector)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.check_refused(check(script, "/usr/bin/id"), f"sudo '{script}' '{os.path.realpath('/usr/bin/id')}'")
        shutil.rmtree("/usr/local/elsewhere")
        with tempfile.TemporaryDirectory() as build:
            os.chmod(build, 0o755)
            os.mkdir(os.path.join(build, "bin"))
            copies = [shutil.copy(file, os.path.join(build, "bin")) for file in (GRANT, COLLECTOR)]
            with open(os.path.join(build, "CMakeCache.txt"), "w", encoding="ascii"):
                pass
            self.check_refused(check(*copies), f"sudo '{os.path.realpath(copies[0])}'")
        self.check_nothing_granted()

    def test_revoking_leaves_what_is_installed_with_the_script(self):
        script, collector = install("/usr/local")
        beside = os.path.join(FOLDER, "libfaultline-heap.so")
        with open(beside, "w", encoding="ascii"):
            pass
        self.assertEqual(run(script, collector).returncode, 0)
        done = run(script, "--revoke")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(os.listdir(FOLDER)), ["faultline-grant", "libfaultline-heap.so"])
        self.assertIsNone(members())
        os.remove(collector)

    def test_a_package_grants_in_its_own_folder_and_both_copies_share_the_group(self):
        """The scripts of the package and of a build do not take the group away from each other's copy."""
        own = "/usr/libexec/faultline"
        if os.path.exists(own):
            self.skipTest(f"{own} exists")
        made = [folder for folder in ("/usr/libexec", own) if not os.path.exists(folder)]
        os.makedirs(own)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", own], check=True)
        try:
            script = shutil.copy(GRANT, own)
            self.assertEqual(run(script, COLLECTOR).returncode, 0)
            self.assertEqual(sorted(os.listdir(own)), ["faultline-collector", "faultline-grant"])
            self.assertFalse(os.path.lexists(COPY))
            self.assertEqual(grant(COLLECTOR).returncode, 0)
            done = grant("--revoke")
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"stays for the copy in {own}", done.stdout)
            self.assertIsNotNone(members())
            self.assertEqual(run(script, "--revoke").returncode, 0)
            self.assertIsNone(members())
            self.assertEqual(os.listdir(own), ["faultline-grant"])
        finally:
            subprocess.run(["umount", own], check=True)
            for folder in reversed(made):
                os.rmdir(folder)

    def test_nobody_but_root_can_grant(self):
        with open(GRANT, "rb") as script:
            done = subprocess.run(["sh", "-s", COLLECTOR], stdin=script, user=USER, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"only root", done.stderr)

    def test_the_policy_asks_for_an_administrator(self):
        policy = xml.dom.minidom.parse(POLICY).documentElement
        action = policy.getElementsByTagName("action")[0]
        self.assertEqual(action.getAttribute("id"), "org.faultline.grant")
        for who in ("allow_any", "allow_inactive", "allow_active"):
            self.assertEqual(action.getElementsByTagName(who)[0].firstChild.data, "auth_admin")
        message = action.getElementsByTagName("message")[0].firstChild.data
        for word in ("/bin/faultline-collector", "$(command_line)", "cap_perfmon", "cap_bpf", "cap_syslog"):
            self.assertIn(word, message)
        path = action.getElementsByTagName("annotate")[0].firstChild.data
        self.assertTrue(path.startswith("/") and path.endswith("/libexec/faultline/faultline-grant"), path)


if INSIDE not in os.environ:
    enter_namespace()
unittest.main(argv=sys.argv[:1])

"""faultline-grant, run by root in a mount namespace of its own, where /etc and /usr/local are scratch.

Exit code 77: skipped."""

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
GRANT = os.path.join(BIN, "faultline-grant")
COLLECTOR = os.path.join(BIN, "faultline-collector")
COPY = "/usr/local/libexec/faultline/faultline-collector"
USER = 65534  # nobody, whom every system has
INSIDE = "FAULTLINE_GRANT_TEST_INSIDE"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def enter_namespace():
    """Starts this program anew where mounts are private."""
    if os.geteuid() != 0:
        skip("only root can grant")
    for tool in ("unshare", "setcap", "getcap", "groupadd"):
        if shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin") is None:
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


def grant(*arguments, **environment):
    return subprocess.run([GRANT, *arguments], env={"PATH": "/nowhere", **environment}, capture_output=True, text=True)


def as_user(uid, groups, *command):
    """subprocess itself changes the user: setpriv would keep root's capabilities until it has started the command."""
    return subprocess.run(command, user=uid, group=uid, extra_groups=groups, capture_output=True)


def members():
    entry = subprocess.run(["getent", "group", "faultline"], capture_output=True, text=True).stdout.strip()
    return entry.split(":")[3] if entry else None


class Grant(unittest.TestCase):
    def setUp(self):
        grant("--revoke")

    def test_copy_is_roots_with_three_capabilities_and_for_the_group_alone(self):
        done = grant(COLLECTOR, PKEXEC_UID=str(USER))
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("for nobody, from the next login on", done.stdout)
        self.assertEqual(done.stdout.count("\n"), 1)
        status = os.stat(COPY)
        self.assertEqual(stat.S_IMODE(status.st_mode), 0o750)
        self.assertEqual(status.st_uid, 0)
        group = subprocess.run(["stat", "-c", "%G", COPY], capture_output=True, text=True).stdout.strip()
        self.assertEqual(group, "faultline")
        held = subprocess.run(["getcap", COPY], capture_output=True, text=True).stdout.split()[-1]
        self.assertTrue(held.endswith("=ep"), held)
        self.assertEqual(set(held[:-3].split(",")), {"cap_perfmon", "cap_bpf", "cap_syslog"})
        self.assertEqual(os.listdir(os.path.dirname(COPY)), ["faultline-collector"])
        self.assertEqual(members(), "nobody")

    def test_members_may_start_it_and_others_may_not(self):
        grant(COLLECTOR, PKEXEC_UID=str(USER))
        ran = as_user(USER, [os.stat(COPY).st_gid], COPY, "sweep", "--interval", "10ms", "--count", "2")
        self.assertEqual((ran.returncode, ran.stderr), (0, b""))
        self.assertGreater(len(ran.stdout), 1000)
        with self.assertRaises(PermissionError):
            as_user(54321, [], COPY, "--version")

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
        self.assertFalse(os.path.exists(os.path.dirname(COPY)))
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
                self.assertEqual(done.returncode, 1, wrong)
                self.assertEqual(done.stdout, "")
                self.assertFalse(os.path.exists(COPY), wrong)
                if os.path.exists(os.path.dirname(COPY)):
                    self.assertEqual(os.listdir(os.path.dirname(COPY)), [])

    def test_wrong_usage_and_hostile_surroundings(self):
        for arguments in ((), (COLLECTOR, COLLECTOR), ("--force",), ("-n",)):
            self.assertEqual(grant(*arguments).returncode, 1)
        for uid in ("0; touch /etc/pwned", "../1", "-1", "99999999"):
            self.assertEqual(grant(COLLECTOR, PKEXEC_UID=uid, IFS="x", ENV="/etc/passwd", CDPATH="/").returncode, 0)
            self.assertEqual(members(), "")
        self.assertFalse(os.path.exists("/etc/pwned"))

    def test_a_folder_that_others_may_change_is_refused(self):
        folder = os.path.dirname(COPY)
        os.makedirs(folder)
        os.chmod(folder, 0o777)
        self.assertIn("can be changed by others", grant(COLLECTOR).stderr)
        shutil.rmtree(folder)
        os.symlink("/tmp", folder)
        self.assertIn("is a link", grant(COLLECTOR).stderr)
        os.unlink(folder)

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
        path = action.getElementsByTagName("annotate")[0].firstChild.data
        self.assertTrue(path.startswith("/") and path.endswith("/libexec/faultline/faultline-grant"), path)


if INSIDE not in os.environ:
    enter_namespace()
unittest.main(argv=sys.argv[:1])

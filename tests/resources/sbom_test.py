"""sbom.py on a small package for Debian. Exit code 77: skipped."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv[1]
SBOM = os.path.join(SOURCE, "resources/sbom.py")
PYTHON = os.path.join(SOURCE, ".build/python")
INSTALLED = """libfmt9:amd64 9.1.0+ds1-2
libmsgpack-cxx-dev 4.1.3-1
libxxhash-dev:amd64 0.8.1-1
nlohmann-json3-dev 3.11.2-2
libexpected-dev 1.0.0-2
libcli11-dev 2.3.2-1
libiberty-dev:amd64 20230104-1
"""


class Sbom(unittest.TestCase):
    def write(self, installed):
        with tempfile.TemporaryDirectory() as folder:
            control = os.path.join(folder, "laid/DEBIAN/control")
            os.makedirs(os.path.dirname(control))
            with open(control, "w", encoding="ascii") as file:
                file.write("Package: faultline\nVersion: 1.2.3\nArchitecture: amd64\nMaintainer: a <a@b.invalid>\n"
                           "Depends: acl, libfmt9 (>= 9.1.0+ds1), debconf (>= 0.5) | debconf-2.0\nDescription: none\n")
            deb, listed = os.path.join(folder, "faultline_1.2.3.deb"), os.path.join(folder, "installed")
            subprocess.run(["dpkg-deb", "--build", os.path.join(folder, "laid"), deb], check=True, stdout=subprocess.DEVNULL)
            with open(listed, "w", encoding="ascii") as file:
                file.write(installed)
            return subprocess.run([sys.executable, "-B", SBOM, deb, "12", listed], capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": PYTHON, "SOURCE_DATE_EPOCH": "1769817600"})

    def test_every_library_stands_in_it_with_its_version_and_how_it_is_linked(self):
        done = self.write(INSTALLED)
        self.assertEqual(done.returncode, 0, done.stderr)
        bill = json.loads(done.stdout)
        packages = {package["name"]: package for package in bill["packages"]}
        self.assertEqual((bill["spdxVersion"], bill["creationInfo"]["created"]), ("SPDX-2.3", "2026-01-31T00:00:00Z"))
        self.assertEqual(packages["faultline"]["versionInfo"], "1.2.3")
        self.assertEqual(packages["faultline"]["checksums"][0]["algorithm"], "SHA256")
        self.assertEqual(packages["libfmt9"]["externalRefs"][0]["referenceLocator"],
                         "pkg:deb/debian/libfmt9@9.1.0+ds1-2?arch=amd64&distro=debian-12")
        self.assertEqual(packages["libcli11-dev"]["licenseDeclared"], "BSD-3-Clause")
        linked = {line["relatedSpdxElement"]: line["relationshipType"] for line in bill["relationships"]}
        self.assertEqual(linked, {
            "SPDXRef-faultline": "DESCRIBES", "SPDXRef-acl": "DEPENDS_ON", "SPDXRef-debconf": "DEPENDS_ON",
            "SPDXRef-libfmt9": "DYNAMIC_LINK", **{f"SPDXRef-{name}": "STATIC_LINK" for name in (
                "libmsgpack-cxx-dev", "libxxhash-dev", "nlohmann-json3-dev", "libexpected-dev", "libcli11-dev", "libiberty-dev")}})

    def test_a_library_that_was_not_there_is_an_error(self):
        done = self.write(INSTALLED.replace("libcli11", "libother"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("has no libcli11-dev", done.stderr)


if not os.path.isdir(os.path.join(PYTHON, "spdx_tools")):
    print("skipped: pip could not fetch spdx-tools")
    sys.exit(77)
unittest.main(argv=sys.argv[:1])

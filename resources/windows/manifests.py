#!/usr/bin/env python3
"""Writes the manifests for winget and scoop of the packages that cpack has made.

manifests.py PACKAGES URL TO: PACKAGES is the folder of the .zip and the installer, URL the address of the folder from
which people will download them, TO the folder for the manifests.
"""
import glob
import hashlib
import json
import os
import sys

SUMMARY = "Real-time page-fault and zero-page monitor"
NAME = "Faultline.Faultline"
LICENCE = "GPL-3.0-or-later"
SCHEMA = "1.6.0"


def package(folder, ending):
    found = glob.glob(os.path.join(folder, f"faultline-*-windows-x86_64.{ending}"))
    if len(found) != 1:
        sys.exit(f"manifests.py: {folder} holds {len(found)} packages that end in .{ending}, not one")
    with open(found[0], "rb") as file:
        return os.path.basename(found[0]), hashlib.sha256(file.read()).hexdigest()


def scoop(version, url, name, digest):
    return {"faultline.json": json.dumps({
        "version": version,
        "description": SUMMARY,
        "homepage": url,
        "license": LICENCE,
        "architecture": {"64bit": {"url": f"{url}/{name}", "hash": digest}},
        "bin": ["faultline-cli.exe", "faultline-collector.exe"],
        "shortcuts": [["faultline.exe", "Faultline"]],
    }, indent=2) + "\n"}


def winget(version, url, name, digest):
    head = f"PackageIdentifier: {NAME}\nPackageVersion: {version}\n"

    def manifest(kind, lines):
        return head + "".join(line + "\n" for line in lines) + f"ManifestType: {kind}\nManifestVersion: {SCHEMA}\n"

    return {
        f"{NAME}.yaml": manifest("version", ["DefaultLocale: en-US"]),
        f"{NAME}.locale.en-US.yaml": manifest("defaultLocale", [
            "PackageLocale: en-US", "Publisher: Faultline", "PackageName: Faultline", f"License: {LICENCE}",
            f"ShortDescription: {SUMMARY}"]),
        f"{NAME}.installer.yaml": manifest("installer", [
            "InstallerType: nullsoft", "Scope: user", "Installers:", "- Architecture: x64",
            f"  InstallerUrl: {url}/{name}", f"  InstallerSha256: {digest.upper()}"]),
    }


def main(packages, url, to):
    url = url.rstrip("/")
    archive, archive_digest = package(packages, "zip")
    installer, installer_digest = package(packages, "exe")
    version = archive.split("-")[1]
    os.makedirs(to, exist_ok=True)
    for name, text in (scoop(version, url, archive, archive_digest) |
                       winget(version, url, installer, installer_digest)).items():
        with open(os.path.join(to, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

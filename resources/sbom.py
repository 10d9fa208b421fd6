#!/usr/bin/env python3
"""Writes the bill of materials of a package for Debian to standard output, as SPDX 2.3 in JSON, and checks it.

sbom.py DEB RELEASE INSTALLED: INSTALLED lists the packages of the Debian that built DEB, as `dpkg-query -W` prints them, and
SOURCE_DATE_EPOCH is the time of the release. The libraries that DEB depends on are linked when a program starts; those in
COMPILED_IN are parts of the programs.
"""
import datetime
import hashlib
import os
import re
import subprocess
import sys

from spdx_tools.spdx.model import (Actor, ActorType, Checksum, ChecksumAlgorithm, CreationInfo, Document, ExternalPackageRef,
                                   ExternalPackageRefCategory, Package, Relationship, RelationshipType, SpdxNoAssertion)
from spdx_tools.common.spdx_licensing import spdx_licensing
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
from spdx_tools.spdx.writer.json.json_writer import write_document_to_stream

COMPILED_IN = {"libmsgpack-cxx-dev": "BSL-1.0", "libxxhash-dev": "BSD-2-Clause", "nlohmann-json3-dev": "MIT",
               "libexpected-dev": "CC0-1.0", "libcli11-dev": "BSD-3-Clause", "libiberty-dev": "LGPL-2.0-or-later"}
OURS = "GPL-3.0-or-later"


def field(deb, name):
    return subprocess.run(["dpkg-deb", "-f", deb, name], capture_output=True, text=True, check=True).stdout.strip()


def part(name, version, licence, release, arch):
    return Package(
        spdx_id="SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), name=name, version=version or None, download_location=SpdxNoAssertion(),
        license_declared=spdx_licensing.parse(licence) if licence else SpdxNoAssertion(), files_analyzed=False,
        external_references=[ExternalPackageRef(ExternalPackageRefCategory.PACKAGE_MANAGER, "purl",
                                                f"pkg:deb/debian/{name}{version and '@' + version}?arch={arch}&distro=debian-{release}")])


def bill(deb, release, installed):
    """The document; packages of `installed` have versions, by name."""
    version, arch = field(deb, "Version"), field(deb, "Architecture")
    with open(deb, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    ours = part("faultline", version, OURS, release, arch)
    ours.checksums = [Checksum(ChecksumAlgorithm.SHA256, digest)]
    ours.external_references = []
    linked = [re.match(r"[a-z0-9.+-]+", name.strip())[0] for name in field(deb, "Depends").split(",")]
    missing = [name for name in COMPILED_IN if name not in installed]
    if missing:
        sys.exit(f"sbom.py: the Debian that built {deb} has no {', '.join(missing)}")
    day = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    document = Document(
        CreationInfo(spdx_version="SPDX-2.3", spdx_id="SPDXRef-DOCUMENT", name=os.path.basename(deb), data_license="CC0-1.0",
                     document_namespace=f"https://spdx.org/spdxdocs/{os.path.basename(deb)}-{digest}",
                     creators=[Actor(ActorType.TOOL, "faultline-sbom")], created=day.replace(tzinfo=None, microsecond=0)),
        packages=[ours], relationships=[Relationship("SPDXRef-DOCUMENT", RelationshipType.DESCRIBES, ours.spdx_id)])
    uses = {name: (RelationshipType.DYNAMIC_LINK if name.startswith("lib") else RelationshipType.DEPENDS_ON, None) for name in linked}
    uses |= {name: (RelationshipType.STATIC_LINK, licence) for name, licence in COMPILED_IN.items()}
    for name, (how, licence) in sorted(uses.items()):
        document.packages.append(part(name, installed.get(name, ""), licence, release, arch))
        document.relationships.append(Relationship(ours.spdx_id, how, document.packages[-1].spdx_id))
    return document


def main(deb, release, listed):
    with open(listed, encoding="utf-8") as file:
        installed = {name.partition(":")[0]: version for name, version in map(str.split, file)}
    document = bill(deb, release, installed)
    wrong = validate_full_spdx_document(document)
    if wrong:
        sys.exit("\n".join(message.validation_message for message in wrong))
    write_document_to_stream(document, sys.stdout)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

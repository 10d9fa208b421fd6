"""Prints name and minor faults of every process in JSON lines, names as the bytes they were."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        for process in json.loads(line)["processes"]:
            name = bytes.fromhex(process["name_hex"]) if "name_hex" in process else process["name"].encode()
            print(name.hex(), process["minor_faults"], process["commit_bytes"], process["minor_faults_per_s"])

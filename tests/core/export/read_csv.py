"""Prints every row of a Faultline CSV as JSON, read with Python's own csv module."""
import csv
import json
import sys

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        print(json.dumps(row, ensure_ascii=True))

"""A fleet's day: writes recordings of invented machines, exports them to Parquet, and asks five questions by DuckDB
and, with --spark, by Spark. The answers must be equal, and those that the writer knows must be its own.

python_fleet.py SOURCE_FOLDER [--machines 20] [--snapshots 288] [--processes 40] [--spark] [--keep FOLDER]
"""
import argparse
import pathlib
import random
import sys
import tempfile
import time

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(SOURCE / "resources/integrations/python"), str(SOURCE / "tests/resources")]
import python_streams as streams
from faultline import __main__ as command
from faultline.metrics import PROCESS, SYSTEM

TUESDAY = 1_790_035_200 * 10**9  # 2026-09-22 00:00 UTC
BUILD = "TIMESTAMP '2026-09-22 10:00:00+00:00'"
NAMES = "renderer database indexer compositor shell browser player backup".split()
COUNTED = ("minor_faults", "major_faults", "zeroed_bytes")
MASK = sum(1 << PROCESS.index(name) for name in COUNTED)
QUESTIONS = {
    "whose faults grew on which machines since Tuesday's build":
        f"""WITH halves AS (SELECT machine, name,
              sum(CASE WHEN wall_time < {BUILD} THEN minor_faults_delta ELSE 0 END) / 10 AS before,
              sum(CASE WHEN wall_time >= {BUILD} THEN minor_faults_delta ELSE 0 END) / 14 AS after
            FROM processes GROUP BY machine, name)
            SELECT machine, name, round(before), round(after) FROM halves WHERE after > 1.5 * before AND before > 0
            ORDER BY machine, name""",
    "which programs cost the fleet most":
        """SELECT name, sum(minor_faults_delta), sum(major_faults_delta), sum(zeroed_bytes_delta) FROM processes
           GROUP BY name ORDER BY name""",
    "which machines waited for the disk most":
        """SELECT machine, sum(major_faults_delta) AS major FROM processes GROUP BY machine
           ORDER BY major DESC, machine LIMIT 10""",
    "how much of each machine's faults belongs to no process":
        """SELECT s.machine, s.faults - p.faults FROM
             (SELECT machine, sum(system_faults_delta) AS faults FROM system GROUP BY machine) s JOIN
             (SELECT machine, sum(minor_faults_delta + major_faults_delta) AS faults FROM processes GROUP BY machine) p
             ON s.machine = p.machine ORDER BY s.machine""",
    "which recordings lost what":
        """SELECT machine, snapshots, snapshots_lost, bytes_lost, remark FROM recordings WHERE remark <> ''
           ORDER BY machine""",
}


def write(file, number, snapshots, count, totals):
    """The recording of a machine: long-lived programs, and a compiler in each interval that ends within it."""
    rng, step = random.Random(number), 24 * 3600 * 10**9 // snapshots
    alive = [[(100 + place, place * 10**9), NAMES[place % len(NAMES)], [rng.randrange(10**6), 0, 0]]
             for place in range(count)]
    faults, parts = 5 * 10**6, [streams.PREAMBLE, streams.hello(interval_ns=step)]
    for sequence in range(snapshots):
        now, wall = 10**12 + sequence * step, TUESDAY + sequence * step
        changed = []
        for who, name, values in alive if sequence else ():
            grown = rng.randrange(500, 1500) * (3 if name == "renderer" and number % 5 < 2 and
                                                wall >= TUESDAY + 10 * 3600 * 10**9 else 1)
            deltas = [grown, rng.randrange(3) * (number % 7 == 0), grown * 4096]
            values[:] = map(int.__add__, values, deltas)
            changed += [0, MASK, *deltas]
            totals[name] = [*map(int.__add__, totals.get(name, [0] * 3), deltas)]
            faults += deltas[0] + deltas[1]
        ended = []
        if sequence:
            values = [rng.randrange(2000), 0, 0]
            ended = [[9000 + sequence, now - step // 2, b"cc1plus", MASK, *values]]
            totals["cc1plus"] = [*map(int.__add__, totals.get("cc1plus", [0] * 3), values)]
            faults += values[0] + 7  # which no process has
        key = sequence % 120 == 0
        whole = [[*who, name.encode(), MASK, *values] for who, name, values in alive] if key else []
        parts.append(streams.snapshot(sequence, wall, whole, ended, [faults, 0], step, [] if key else changed, key=key))
    file.write_bytes(b"".join(parts) + streams.end())


def make(folder, options):
    """The totals of each machine that lost nothing."""
    known = {}
    for number in range(options.machines):
        file = folder / f"machine-{number:03}.faultline"
        write(file, number, options.snapshots, options.processes, known.setdefault(file.stem, {}))
        if number % 50 in (3, 4):  # a damaged byte, and an interrupted recording
            data = bytearray(file.read_bytes())
            data[len(data) // 3] ^= 0x55
            file.write_bytes(data if number % 50 == 3 else data[:len(data) // 4])
            del known[file.stem]
    return known


def duckdb_of(place):
    import duckdb
    base = duckdb.connect()
    base.execute("SET TimeZone = 'UTC'")
    for table in ("processes", "system", "recordings"):
        base.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{place}/{table}/**/*.parquet', "
                     "hive_partitioning = true, union_by_name = true)")
    return lambda question: base.execute(question).fetchall()


def spark_of(place):
    from pyspark.sql import SparkSession
    builder = SparkSession.builder.master("local[2]")
    for key, value in (("sql.session.timeZone", "UTC"), ("ui.enabled", "false"), ("ui.showConsoleProgress", "false"),
                       ("sql.shuffle.partitions", "8"), ("driver.memory", "4g")):
        builder = builder.config(f"spark.{key}", value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for table in ("processes", "system", "recordings"):
        spark.read.parquet(f"{place}/{table}").createOrReplaceTempView(table)
    return lambda question: [tuple(row) for row in spark.sql(question).collect()]


def timed(text, act):
    begin = time.monotonic()
    result = act()
    print(f"{time.monotonic() - begin:8.1f} s  {text}", flush=True)
    return result


def plain(rows):
    return [tuple(value if value is None or isinstance(value, str) else float(value) for value in row) for row in rows]


def check(answers, known):
    grown, costs = (answers[question] for question in list(QUESTIONS)[:2])
    machines = {row[0] for row in grown if row[0] in known}
    assert machines == {name for name in known if int(name[-3:]) % 5 < 2}, machines
    assert {row[1] for row in grown if row[0] in known} == {"renderer"}
    assert {row[0] for row in costs} == {*NAMES, "cc1plus"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    for name, usual in (("machines", 20), ("snapshots", 288), ("processes", 40)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        (folder / "recordings").mkdir(parents=True, exist_ok=True)
        known = timed(f"to invent {options.machines} machines", lambda: make(folder / "recordings", options))
        files = sorted(map(str, (folder / "recordings").glob("*.faultline")))
        place = folder / "fleet"
        code = timed("to export their recordings", lambda: command.main(
            ["export", "--format", "parquet", "-o", str(place), *files]))
        assert code == (3 if len(known) < len(files) else 0), code
        sizes = [sum(file.stat().st_size for file in folder.glob(pattern)) >> 20
                 for pattern in ("recordings/*", "fleet/**/*.parquet")]
        ask = duckdb_of(place)
        rows, = ask("SELECT count(*) FROM processes")[0],
        print(f"{rows[0]:10} rows of processes; {sizes[0]} MiB of recordings, {sizes[1]} MiB of Parquet")
        answers = {question: timed(f"DuckDB: {question}", lambda: plain(ask(text)))
                   for question, text in QUESTIONS.items()}
        check(answers, known)
        found = {}
        for machine, name, *sums in ask(f"""SELECT machine, name, {", ".join(f"sum({name}_delta)" for name in COUNTED)}
                                            FROM processes GROUP BY machine, name"""):
            if machine in known:
                found.setdefault(machine, {})[name] = [*map(int, sums)]
        assert found == known
        print(f"the sums of all {len(known)} whole machines are those that were written")
        if options.spark:
            ask_spark = timed("Spark: to start, and read the files' names", lambda: spark_of(place))
            for question, text in QUESTIONS.items():
                found = timed(f"Spark: {question}", lambda: plain(ask_spark(text)))
                assert found == answers[question], question
            print("DuckDB and Spark agree on all five")


if __name__ == "__main__":
    main()

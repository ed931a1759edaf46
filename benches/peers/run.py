"""The product beside Chroma and mem0: the same texts and vectors, on this machine, one after the other.

`python3 benches/peers/run.py --units 10000 --units 100000` sets itself up under target/peers (an environment of its own with
the versions of requirements.txt) and prints a Markdown table. README.md tells what is compared, and what is not.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HOME = ROOT / "target" / "peers"
REQUIREMENTS = HERE / "requirements.txt"
BENCH = ["cargo", "bench", "-q", "-p", "um-bench", "--bench", "scale"]


def main() -> None:
    """Sets up, measures every size, prints."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--units", type=int, action="append", help="how many units are added in bulk; may be said again")
    words.add_argument("--cap", type=float, default=1800.0, help="seconds one row may take (1800)")
    rounds = "so many times every side in turn, and of each figure the least: what else the machine does only adds to it (1)"
    words.add_argument("--rounds", type=int, default=1, help=rounds)
    scratch = "where the sides keep what they are given (target/peers); in memory, waiting for the disk costs nothing"
    words.add_argument("--scratch", type=Path, default=HOME, help=scratch)
    words.add_argument("--profile", default="bench", help="the profile that the product is built with (bench)")
    said = words.parse_args()
    python = environment()
    if Path(sys.prefix).resolve() != python.parent.parent.resolve():
        # Again, where the packages are.
        sys.exit(subprocess.run([python, __file__, *sys.argv[1:]], env=quiet()).returncode)
    bench = [*BENCH, "--profile", said.profile]
    # Built before anything is measured.
    subprocess.run([*bench, "--no-run"], cwd=ROOT, check=True)
    import table

    reports = [(units, size(units, said, bench)) for units in said.units or [10_000, 100_000]]
    (HOME / "reports.json").write_text(json.dumps(reports, indent=1))
    print(table.shown(reports, said.profile, said.rounds))


def environment() -> Path:
    """The Python that has the packages, installed where they are not there as they should be."""
    folder = HOME / "venv"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = folder / REQUIREMENTS.name
    if not (python.exists() and done.exists() and done.read_text() == REQUIREMENTS.read_text()):
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", REQUIREMENTS], check=True)
        shutil.copy(REQUIREMENTS, done)
    return python


def quiet() -> dict[str, str]:
    """No peer tells anybody that it was used, nor leaves anything outside."""
    own = {"MEM0_TELEMETRY": "False", "ANONYMIZED_TELEMETRY": "False", "MEM0_DIR": str(HOME / "mem0")}
    return {**os.environ, **own, "HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def size(units: int, said: argparse.Namespace, bench: list[str]) -> dict[str, dict]:
    """What each side measured with so many units."""
    import data

    folder = HOME / f"data-{units}"
    data.write(folder, data.Plan(units=units, cap=said.cap))
    sides = {name: [sys.executable, HERE / "measure.py", name, folder] for name in ["chromadb", "mem0"]}
    sides["product"] = [*bench, "--", "peers", folder]
    rounds: dict[str, list[dict]] = {name: [] for name in sides}
    for _ in range(said.rounds):
        for name, command in sides.items():
            rounds[name].append(measured(command, name, said.scratch))
    shutil.rmtree(folder)
    return {name: least(reports) for name, reports in rounds.items()}


def least(reports: list[dict]) -> dict:
    """The first report with the least of each figure of all rounds; of adding many, with the round that took least a unit."""
    first = reports[0]
    figures = [key for key, row in first.items() if isinstance(row, dict) and "p50" in row]
    of_all = {key: {rank: min(report[key][rank] for report in reports) for rank in ("p50", "p95")} for key in figures}
    bulk = min((report["bulk"] for report in reports), key=lambda bulk: bulk["seconds"] / max(bulk["units"], 1))
    return {**first, "bulk": bulk, **{key: {**first[key], **least} for key, least in of_all.items()}}


def measured(command: list, name: str, below: Path) -> dict:
    """Runs one side in a process of its own, which writes its report to the last word of its command."""
    print(f"Measuring {name} ...", file=sys.stderr)
    scratch = below.resolve() / "um-peers"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    out = scratch / "report.json"
    subprocess.run([*map(str, command), str(out)], cwd=ROOT, check=True)
    report = json.loads(out.read_text())
    shutil.rmtree(scratch)
    return report


if __name__ == "__main__":
    main()

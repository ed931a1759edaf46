"""The Markdown table of what was measured."""

import os
import sys
from datetime import datetime, timezone
from importlib.metadata import version

# So many times as fast as the faster peer the product is to be.
GOAL = 3.0
PEERS = ("chromadb", "mem0")


def shown(reports: list[tuple[int, dict[str, dict]]], profile: str, rounds: int) -> str:
    """All sizes in one table, under what they were measured on, over what they do not show."""
    lines = [head(profile, rounds), "", "| units | row | chromadb | mem0 | product | faster peer ÷ product |", "|---:|---|---:|---:|---:|---:|"]
    notes = []
    for units, sides in reports:
        lines += rows(units, sides)
        notes += ["", *remarks(units, sides)]
    return "\n".join(lines + notes)


def head(profile: str, rounds: int) -> str:
    """Date, machine, versions, and how often it was measured."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else float("nan")
    packages = ", ".join(f"{name} {version(name)}" for name in ["chromadb", "mem0ai", "qdrant-client"])
    python = ".".join(map(str, sys.version_info[:3]))
    today = datetime.now(timezone.utc).date()
    return f"{today}; {os.cpu_count()} cores, {memory:.0f} GiB; {packages}, Python {python}; product built as `{profile}`; least of {rounds}. Milliseconds."


def rows(units: int, sides: dict[str, dict]) -> list[str]:
    """The lines of one size."""
    each = {name: per_unit(side["bulk"]) for name, side in sides.items()}
    lines = [row(units, "add in bulk, per unit", each)]
    for what, key in [("add one by one", "single"), ("query in one space, top 10", "query")]:
        for rank in ["p50", "p95"]:
            lines.append(row(units, f"{what}, {rank}", {name: side[key][rank] for name, side in sides.items()}))
    return lines


def per_unit(bulk: dict) -> float:
    """Milliseconds a unit."""
    return bulk["seconds"] * 1000.0 / max(bulk["units"], 1)


def row(units: int, what: str, values: dict[str, float]) -> str:
    """A line; what misses the goal is marked."""
    ratio = min(values[name] for name in PEERS) / values["product"]
    mark = f"{ratio:.1f}×" if ratio >= GOAL else f"**{ratio:.1f}×, under {GOAL:.0f}×**"
    cells = " | ".join(f"{values[name]:.2f}" for name in [*PEERS, "product"])
    return f"| {units:,} | {what} | {cells} | {mark} |"


def remarks(units: int, sides: dict[str, dict]) -> list[str]:
    """What was cut off, what was found, and what the product's rows are made of."""
    lines = []
    for name, side in sides.items():
        bulk = side["bulk"]
        if bulk["capped"]:
            there = side.get("there", bulk["units"])
            lines.append(
                f"- {units:,}, {name}: adding took over {bulk['seconds']:.0f} s; its row is of the first {bulk['units']:,} units, "
                f"the rows after it are with {there:,} there."
            )
        for key in ["single", "query"]:
            if side[key]["capped"]:
                lines.append(f"- {units:,}, {name}: `{key}` was cut off after {side[key]['n']}.")
    found = ", ".join(f"{name} {side['found']:.0%}" for name, side in sides.items())
    lines.append(f"- {units:,}: the unit that a question is about is among the ten in {found} of all questions.")
    own, bulk = sides["product"], sides["product"]["bulk"]
    acknowledged = bulk["acknowledged"] * 1000.0 / max(bulk["units"], 1)
    lines.append(
        f"- {units:,}, product: adds count until the vector is found. They are acknowledged, and found by their words, after "
        f"{acknowledged:.2f} ms in bulk, and one by one after {own['acknowledged']['p50']:.2f} (p50) and "
        f"{own['acknowledged']['p95']:.2f} (p95). Claims and personal data of all were read {bulk['all']:.0f} s after the first add in bulk, "
        f"and {own['single_all']:.1f} s after the first one by one."
    )
    return lines

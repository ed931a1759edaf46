"""Measures one of the peers: `python measure.py chromadb|mem0 DATA OUT`, started by run.py in a process of its own. The peer
keeps what it is given beside OUT."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy

from data import Data


def main() -> None:
    """Adds in bulk, adds one by one, asks."""
    name, data, out = sys.argv[1], Data(Path(sys.argv[2])), Path(sys.argv[3])
    if name == "chromadb":
        from chroma_side import Chroma as Side
    else:
        from mem0_side import Mem0 as Side
    side = Side(out.parent / name, data)
    plan = data.plan
    report, there = bulk(side, data)
    report = {"bulk": report, "there": there}
    report["single"], _ = each(plan.cap, 0, data.singles, side.add)
    # What was cut off is not there to be found.
    asked = [question for question in data.questions if question.of < there]
    report["query"], answers = each(plan.cap, plan.warm, asked, side.ask)
    found = [question.of in answer for question, answer in zip(asked, answers)][plan.warm :]
    report["found"] = sum(found) / max(len(found), 1)
    out.write_text(json.dumps(report))


def bulk(side, data: Data) -> tuple[dict, int]:
    """Adds units in the portions that the side wants until the cap, then the others without measuring, for as long again at
    most. Gives what was measured, and how many are there."""
    cap, begun, portions = data.plan.cap, time.perf_counter(), side.add_all(data.bulk)
    units = until(begun + cap, portions)
    report = {"units": units, "seconds": time.perf_counter() - begun, "capped": units < len(data.bulk)}
    if report["capped"]:
        with side.hurry():
            units += until(time.perf_counter() + cap, portions)
    return report, units


def until(end: float, portions) -> int:
    """Adds portions until that time; gives how many units they were."""
    units = 0
    for added in portions:
        units += added
        if time.perf_counter() > end:
            break
    return units


def each(cap: float, warm: int, items: list, act: Callable) -> tuple[dict, list]:
    """Times every item after the first few, until the cap; gives percentiles in ms (nearest rank), and what came back."""
    begun, times, answers = time.perf_counter(), [], []
    for item in items:
        start = time.perf_counter()
        answers.append(act(item))
        times.append((time.perf_counter() - start) * 1000.0)
        if time.perf_counter() - begun > cap:
            break
    counted = times[warm:] or [float("nan")]
    at = {f"p{rank}": float(numpy.percentile(counted, rank, method="inverted_cdf")) for rank in (50, 95)}
    return {"n": len(counted), "capped": len(times) < len(items), **at}, answers


if __name__ == "__main__":
    main()

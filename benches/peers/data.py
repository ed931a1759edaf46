"""What all sides are given: texts in spaces, questions about them, and a vector for each, in one folder.

`plan.json` says how many there are of what; `texts.jsonl` has a line `{"text", "space", "of"}` each, `vectors.bin` a vector
each, in the same order: units that are added in bulk, units that are added one by one, questions that do not count, questions.
`of` is the number of the unit that a question is about. The vectors' file is little-endian: u32 count, u32 dimensions, f32s.
"""

import json
import struct
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy

DIMENSIONS = 384
VOCABULARY = 30_000
# Small words that fill every English text; vectors and questions leave them out.
FILLERS = (
    "the of and to a in is it you that he was for on are with as i his they be at have this from or had by but what "
    "all were we when your can said there an which she do how their if will up other about out many then them these "
    "so some her would like him"
).split()


@dataclass(frozen=True)
class Plan:
    """How many there are of what."""

    units: int
    singles: int = 200
    warm: int = 10
    questions: int = 200
    spaces: int = 10
    # So many seconds one row may take; what is not done by then is left out, and said so.
    cap: float = 1800.0


@dataclass(frozen=True)
class Text:
    """A unit or a question."""

    text: str
    space: str
    of: int | None
    vector: numpy.ndarray


class Data:
    """The folder's content."""

    def __init__(self, folder: Path):
        self.plan = Plan(**json.loads((folder / "plan.json").read_text()))
        raw = (folder / "vectors.bin").read_bytes()
        count, dimensions = struct.unpack_from("<II", raw)
        vectors = numpy.frombuffer(raw, dtype="<f4", offset=8).reshape(count, dimensions)
        lines = (folder / "texts.jsonl").read_text().splitlines()
        self.texts = [Text(**json.loads(line), vector=vector) for line, vector in zip(lines, vectors, strict=True)]
        plan = self.plan
        self.bulk = self.texts[: plan.units]
        self.singles = self.texts[plan.units : plan.units + plan.singles]
        self.questions = self.texts[plan.units + plan.singles :]


def write(folder: Path, plan: Plan) -> None:
    """Makes the folder; the same plan gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(plan.units)
    words = FILLERS + made_up(VOCABULARY - len(FILLERS))
    directions = random.standard_normal((VOCABULARY, DIMENSIONS), dtype=numpy.float32)
    # Word frequencies fall as Zipf found them to.
    shares = 1.0 / numpy.arange(1, VOCABULARY + 1)
    shares /= shares.sum()
    lines, vectors, said = [], [], []

    def keep(chosen, text: str, space: str, of: int | None) -> None:
        content = [word for word in chosen if word >= len(FILLERS)]
        vector = directions[content].sum(axis=0) if content else directions[0]
        vectors.append(vector / numpy.linalg.norm(vector))
        lines.append(json.dumps({"text": text, "space": space, "of": of}))

    for number in range(plan.units + plan.singles):
        chosen = random.choice(VOCABULARY, size=random.integers(24, 37), p=shares)
        # A number of its own, so that no two texts are the same.
        text = f"{' '.join(words[word] for word in chosen).capitalize()}, note {number}."
        keep(chosen, text, f"space-{number % plan.spaces}", None)
        said.append([word for word in chosen if word >= len(FILLERS)])
    for number in range(plan.warm + plan.questions):
        # Spread over all units, by a step that has no factor in common with their number.
        of = number * 7_919 % plan.units
        chosen = said[of][: random.integers(3, 7)]
        keep(chosen, f"What about {' '.join(words[word] for word in chosen)}?", f"space-{of % plan.spaces}", of)
    (folder / "texts.jsonl").write_text("\n".join(lines) + "\n")
    block = numpy.asarray(vectors, dtype="<f4")
    (folder / "vectors.bin").write_bytes(struct.pack("<II", *block.shape) + block.tobytes())
    (folder / "plan.json").write_text(json.dumps(asdict(plan)))


def made_up(count: int) -> list[str]:
    """Words of two syllables or more; each number has its own."""
    found = []
    for number in range(count):
        word, rest = "", number
        while len(word) < 4 or rest > 0:
            word += "bdfghjklmnprstvz"[rest % 16] + "aeiou"[rest // 16 % 5]
            rest //= 80
        found.append(word + "k")
    return found

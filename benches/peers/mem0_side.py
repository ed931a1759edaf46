"""mem0 with its local Qdrant on disk, the space as user. No language model is asked (`infer=False`), and its embedder gives
the vectors that are there already."""

from contextlib import contextmanager
from pathlib import Path

from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase
from mem0.utils.factory import EmbedderFactory

from data import DIMENSIONS, Data, Text

# A call adds the messages of one user, so many at once; mem0 itself stores them one after the other.
MESSAGES = 100


class Given(EmbeddingBase):
    """Knows the vector of every text."""

    vectors: dict[str, list[float]] = {}

    def embed(self, text, memory_action=None):
        """The vector, as a list, which is what models' clients give."""
        return self.vectors[text]


class Mem0:
    """A memory of its own."""

    def __init__(self, folder: Path, data: Data):
        self.spaces = data.plan.spaces
        self.number = {text.text: number for number, text in enumerate(data.texts)}
        Given.vectors = {text.text: text.vector.tolist() for text in data.texts}
        # mem0 takes only embedders that it knows by name: one of the names stands for ours.
        EmbedderFactory.provider_to_class["huggingface"] = f"{__name__}.Given"
        store = {"collection_name": "units", "path": str(folder / "qdrant"), "on_disk": True}
        self.memory = Memory.from_config({
            "vector_store": {"provider": "qdrant", "config": {**store, "embedding_model_dims": DIMENSIONS}},
            "embedder": {"provider": "huggingface", "config": {}},
            # Made, and never asked.
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": str(folder / "history.db"),
        })

    def add_all(self, units: list[Text]):
        """In calls of many messages of one user, all users in turn."""
        turn = MESSAGES * self.spaces
        for start in range(0, len(units), turn):
            by_space: dict[str, list[dict]] = {}
            for unit in units[start : start + turn]:
                by_space.setdefault(unit.space, []).append({"role": "user", "content": unit.text})
            for space, messages in by_space.items():
                self.memory.add(messages, user_id=space, infer=False)
            yield sum(map(len, by_space.values()))

    @contextmanager
    def hurry(self):
        """What is added meanwhile does not wait for the disk; otherwise filling takes hours that no row shows."""
        stores = [self.memory.vector_store.client._client.collections["units"].storage.storage, self.memory.db.connection]
        for pragma in ("OFF", "FULL"):
            for store in stores:
                store.execute(f"PRAGMA synchronous = {pragma}")
            if pragma == "OFF":
                yield

    def add(self, unit: Text) -> None:
        """One unit."""
        self.memory.add(unit.text, user_id=unit.space, infer=False)

    def ask(self, question: Text) -> list[int]:
        """The numbers of the ten best units of the space."""
        found = self.memory.search(question.text, top_k=10, filters={"user_id": question.space})
        return [self.number[hit["memory"]] for hit in found["results"]]

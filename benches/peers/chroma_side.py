"""Chroma, persistent, one collection, the space in the metadata."""

from contextlib import nullcontext
from pathlib import Path

import chromadb
import numpy
from chromadb.config import Settings
from chromadb.utils.batch_utils import create_batches

from data import Data, Text


class Chroma:
    """A collection of its own."""

    def __init__(self, folder: Path, data: Data):
        self.number = {text.text: number for number, text in enumerate(data.texts)}
        self.client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        configuration = {"hnsw": {"space": "cosine"}}
        self.collection = self.client.create_collection("units", configuration=configuration, embedding_function=None)

    def add_all(self, units: list[Text]):
        """In the largest batches that the client takes, as its own cookbook has it."""
        batches = create_batches(self.client, *self._columns(units))
        for ids, embeddings, metadatas, documents in batches:
            self.collection.add(ids=ids, embeddings=embeddings, metadatas=metadatas, documents=documents)
            yield len(ids)

    def hurry(self):
        """Nothing makes it faster."""
        return nullcontext()

    def add(self, unit: Text) -> None:
        """One unit."""
        ids, embeddings, metadatas, documents = self._columns([unit])
        self.collection.add(ids=ids, embeddings=embeddings, metadatas=metadatas, documents=documents)

    def ask(self, question: Text) -> list[int]:
        """The numbers of the ten nearest units of the space."""
        where = {"space": question.space}
        found = self.collection.query(query_embeddings=[question.vector], n_results=10, where=where)
        return [int(unit) for unit in found["ids"][0]]

    def _columns(self, units: list[Text]) -> tuple:
        ids = [str(self.number[unit.text]) for unit in units]
        return ids, [unit.vector for unit in units], [{"space": unit.space} for unit in units], [unit.text for unit in units]

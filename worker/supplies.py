"""What the work of a batch needs on this host: datasets, files, and how a child gets them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from grbcore import datasets
from grbcore.datasets import Dataset, DatasetError
from grbcore.files import lacks_room
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.settings import Settings
from grbcore.store.blobs import Blobs, BlobsAway
from worker.child import Child


class HostTrouble(Exception):
    """This host can't do the work now, through no fault of the work."""


@dataclass(slots=True)
class Store:
    """Datasets, loaded once, and blobs as verified local files."""

    settings: Settings
    blobs: Blobs
    _datasets: dict[str, Dataset | GraphDataset] = field(default_factory=dict)
    _blind: dict[str, Path] = field(default_factory=dict)

    def dataset(self, name: str) -> Dataset | GraphDataset:
        """A dataset, kept in memory.

        Raises:
            HostTrouble: it is not here, or its files are damaged.
        """
        if name not in self._datasets:
            try:
                self._datasets[name] = datasets.prepare(
                    name,
                    data_dir=self.settings.data_dir,
                    cache=self.settings.prepared_dir,
                )
            except DatasetError as error:
                raise HostTrouble(str(error)) from error
        return self._datasets[name]

    def blind(self, name: str) -> Path:
        """The folder of a dataset without test labels, which a child maps into memory.

        Raises:
            HostTrouble: it is not here, or its files are damaged.
        """
        if name not in self._blind:
            try:
                self._blind[name] = datasets.prepare_blind(
                    name,
                    data_dir=self.settings.data_dir,
                    cache=self.settings.prepared_dir,
                    into=self.settings.blind_dir,
                )
            except DatasetError as error:
                raise HostTrouble(str(error)) from error
        return self._blind[name]

    def file(self, sha256: str) -> Path:
        """A verified local file with a blob's bytes.

        Raises:
            BlobError: the blob is missing or damaged.
            HostTrouble: the store does not answer.
        """
        try:
            return self.blobs.local(sha256, self.settings.cache_dir)
        except BlobsAway as away:
            raise HostTrouble(str(away)) from away


def give(child: Child, path: Path) -> str:
    """As `Child.give`.

    Raises:
        HostTrouble: there is no room for it.
    """
    try:
        return child.give(path)
    except OSError as error:
        why = "its disk is full" if lacks_room(error) else str(error)
        raise HostTrouble(f"a child can't be given a file: {why}") from error

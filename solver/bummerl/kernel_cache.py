"""The folder of compiled kernels: what is in it, compiling everything now, and throwing it away."""

from __future__ import annotations

import errno
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bummerl.kernels import cache

UNITS = ("two_handed", "solution", "postponed", "plan", "plan_tree", "four_handed", "layouts", "table_plans")


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What lies in the cache.

    Attributes
    ----------
    folder : Path
        Where the kernels of this version are, or will be.
    writable : bool
        Otherwise every process compiles its own.
    units : dict of str to bool
        The kernel sets, and whether each has been compiled.
    size : int
        Bytes of this version's kernels.
    old : dict of Path to int
        Folders of other versions, and their bytes.
    """

    folder: Path
    writable: bool
    units: dict[str, bool]
    size: int
    old: dict[Path, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "folder": str(self.folder),
            "writable": self.writable,
            "units": self.units,
            "bytes": self.size,
            "old": {str(path): size for path, size in self.old.items()},
        }


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _folders() -> list[Path]:
    """Return the folders that this program made, and nothing that only looks like them."""
    there = cache.root().glob("kernels-*")
    return sorted(
        p for p in there if re.fullmatch(r"kernels-[0-9a-f]{16}", p.name) and p.is_dir() and not p.is_symlink()
    )


def _writable(folder: Path) -> bool:
    """Say whether the folder exists and can be written, or could be made."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK)


def info() -> CacheInfo:
    """Look at the cache without changing it."""
    folder = cache.folder()
    old = {path: _size(path) for path in _folders() if path != folder}
    units = {unit: cache.is_warm(unit) for unit in UNITS}
    return CacheInfo(folder, _writable(folder), units, _size(folder), old)


def warm() -> None:
    """Compile, or load, every kernel set now.

    Raises
    ------
    OSError
        If they could not be kept.
    """
    if not _writable(cache.folder()):
        raise OSError(errno.EACCES, "cannot be written", str(cache.folder()))
    for unit in UNITS:
        cache.load(unit)


def clear(old_only: bool = False) -> int:
    """Delete compiled kernels; they are compiled again when they are needed.

    Parameters
    ----------
    old_only : bool
        Keep those of this version.

    Returns
    -------
    int
        Bytes freed.

    Raises
    ------
    OSError
        If a folder cannot be deleted.
    """
    freed = 0
    for path in _folders():
        if not (old_only and path == cache.folder()):
            freed += _size(path)
            shutil.rmtree(path)
    return freed

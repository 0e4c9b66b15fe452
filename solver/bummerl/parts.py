"""An unfinished run on disk: a folder with a manifest and one file for each chunk of records that is done.

A part appears under its name only when it is complete and on the disk, so a run that was killed at any moment loses
no more than the chunks it was working on. The rows of all parts in order are the result, however often and by
how many workers the run was continued.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bummerl.errors import FileError

_MANIFEST = "manifest.json"


class Parts:
    """The folder of an unfinished run, ``OUTPUT.parts``.

    Parameters
    ----------
    target : Path
        The output.
    manifest : dict
        What is run on what: the same for every part of the run.
    resume : bool
        Continue a run whose manifest says the same.

    Raises
    ------
    FileError
        If there is an unfinished run and `resume` is false, or that run was another one, or somebody else is
        at it.
    """

    def __init__(self, target: Path, manifest: dict[str, Any], resume: bool) -> None:
        self.folder = target.with_name(target.name + ".parts")
        if self.folder.exists() and not resume:
            raise FileError(
                f"{self.folder}: here is an unfinished run; continue it with --resume, or delete the folder"
            )
        self.folder.mkdir(parents=False, exist_ok=True)
        self._lock = self._take_lock()
        try:
            self._compare(manifest)
        except FileError:
            self.close()
            raise

    def _take_lock(self) -> Any:
        handle = (self.folder / "lock").open("a")
        with contextlib.suppress(ImportError):  # not on Windows
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                handle.close()
                raise FileError(f"{self.folder}: another process is working on this run") from None
        return handle

    def _compare(self, manifest: dict[str, Any]) -> None:
        """Write the manifest, or see whether the one that is there says the same."""
        path = self.folder / _MANIFEST
        if not path.exists():
            _write(path, json.dumps(manifest, indent=1).encode())
            return
        try:
            before = json.loads(path.read_bytes())
        except ValueError:
            raise FileError(f"{path}: the manifest is damaged; delete the folder and begin anew") from None
        for name, was, now in _differences(before, json.loads(json.dumps(manifest))):
            raise FileError(
                f"{self.folder}: this run cannot be continued, since {name} was {was} and is {now} now; "
                f"delete the folder to begin anew"
            )

    def path(self, number: int) -> Path:
        """Return the file of a chunk."""
        return self.folder / f"{number:08d}.jsonl"

    def is_done(self, number: int) -> bool:
        """Say whether a chunk is on the disk, as a whole."""
        try:
            read_facts(self.path(number))
        except (OSError, ValueError):
            return False
        return True

    def keep(self, number: int, content: bytes) -> None:
        """Put a chunk on the disk."""
        _write(self.path(number), content)

    def close(self) -> None:
        """Let others continue the run."""
        self._lock.close()

    def remove(self) -> None:
        """Delete all of it."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def pack_part(lines: list[bytes], facts: dict[str, Any]) -> bytes:
    """Return the content of a part: its rows as JSON lines, and a last line with facts about them."""
    facts = {"rows": len(lines), **facts}
    return b"".join(lines) + json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def read_facts(path: Path) -> dict[str, Any]:
    """Return the facts of a part.

    Raises
    ------
    ValueError
        If the part is not whole.
    """
    lines = path.read_bytes().splitlines()
    facts = json.loads(lines[-1]) if lines else {}
    if facts.get("rows") != len(lines) - 1:
        raise ValueError(f"{path} is not whole")
    return dict(facts)


def read_lines(path: Path) -> Iterator[bytes]:
    """Go through the rows of a part, each a line of JSON."""
    yield from path.read_bytes().splitlines(keepends=True)[:-1]


def _write(path: Path, content: bytes) -> None:
    """Write a file that is whole or not there, also after a power cut."""
    waiting = path.with_suffix(".new")
    with waiting.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    waiting.replace(path)


def _differences(before: Any, now: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Go through what differs in two manifests: its name, how it was, how it is."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in [*before, *(key for key in now if key not in before)]:
            yield from _differences(before.get(key), now.get(key), f"{name}.{key}" if name else key)
    elif before != now:
        yield name, before, now

"""Errors about the input: which key, what is wrong, and how to mend it, in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from bummerl.cards import shorten


class RecordError(ValueError):
    """A record that describes no position.

    Attributes
    ----------
    key : str
        The key at fault.
    problem, mend : str
        What is wrong, and what to do about it.
    record_id : str
        The record's id, once a reader knows it.
    line : int
        Its line number, 0 where there is none.
    """

    def __init__(self, key: str, problem: str, mend: str = "") -> None:
        super().__init__(key, problem, mend)
        self.key = key
        self.problem = problem
        self.mend = mend
        self.record_id = ""
        self.line = 0

    def at(self, line: int, record_id: str | None = None) -> RecordError:
        """Say where the record stands, and return the error itself."""
        self.line = line
        self.record_id = record_id or str(line)
        return self

    def __str__(self) -> str:
        """Write the error in one line, without where it stands."""
        text = f"{self.key}: {self.problem}"
        return f"{text}; {self.mend}" if self.mend else text

    def located(self) -> str:
        """Write the error in one line, with the record it is about."""
        if not self.line:
            return str(self)
        name = "" if self.record_id == str(self.line) else f" ({shorten(self.record_id)})"
        return f"record {self.line}{name}: {self}"


class FileError(ValueError):
    """A file that cannot be read as records, or not be written."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that another one is probably a misspelling of, or None.

    Letters in another order count, as do one letter too many, too few or wrong in a word of some length.

    Examples
    --------
    >>> [nearest(word, ("points", "turn", "closed")) for word in ("pionts", "trun", "close", "name")]
    ['points', 'turn', 'closed', None]
    """
    names = list(known)
    for name in names:
        if sorted(word) == sorted(name):
            return name
    found = difflib.get_close_matches(word, names, 1, 0.8)
    return found[0] if found else None

"""Progress on standard error: rate and time left, and nothing where nobody is looking."""

from __future__ import annotations

import sys
from typing import Any

from bummerl_cli import interrupt


class Progress:
    """A progress bar for records; every step looks for a Ctrl-C that got lost."""

    def __enter__(self) -> Progress:
        """Show the bar on a terminal."""
        from tqdm import tqdm

        self._bar: Any = tqdm(desc="bummerl", unit=" records", disable=not sys.stderr.isatty(), leave=False)
        return self

    def __exit__(self, *error: object) -> None:
        """Take the bar away."""
        self._bar.close()

    def total(self, records: int) -> None:
        """Say how many records there are, at most."""
        self._bar.total = records
        self._bar.refresh()

    def advance(self, records: int) -> None:
        """Count records that are done."""
        interrupt.check()
        self._bar.update(records)

"""Bytes in and out of files: gzip and Zstandard, found by content when reading and by name when writing."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from bummerl.errors import FileError

SUFFIXES = {".gz": "gzip", ".zst": "zstd"}
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 16
# More of a line than this is thrown away; a record takes a few hundred bytes.
LONGEST_LINE = 100_000


class DamageError(ValueError):
    """Compressed data that cannot be read any further."""


def split_name(path: Path) -> tuple[str, str | None]:
    """Return the suffix that tells the format, in lower case, and the compression a name promises.

    Examples
    --------
    >>> split_name(Path("deals.csv.gz")), split_name(Path("deals.txt"))
    (('.csv', 'gzip'), ('.txt', None))
    """
    packed = SUFFIXES.get(path.suffix.lower())
    return (Path(path.stem) if packed else path).suffix.lower(), packed


def need_pyarrow(what: str) -> Any:
    """Import pyarrow, or say what it is needed for and how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise FileError(f'{what} needs pyarrow: install it with "pip install bummerl[table]"') from None
    return pyarrow


def byte_blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Go through the bytes of a stream, unpacked if they are gzip or Zstandard.

    Everything before a damaged place is given, then `DamageError` is raised.
    """
    first = stream.read(_BLOCK)
    if first.startswith(_GZIP):
        yield from _gunzip(first, stream)
    elif first.startswith(_ZSTD):
        yield from _unpack_zstd(first, stream)
    else:
        while first:
            yield first
            first = stream.read(_BLOCK)


def _gunzip(block: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(31)
    while block:
        before = unpacker.copy()
        try:
            found = unpacker.decompress(block)
        except zlib.error:
            yield from _until_damage(before, block)
            raise DamageError("the gzip data is damaged here; make the file again") from None
        if found:
            yield found
        if unpacker.eof:
            # Files that were packed one by one and joined.
            block = unpacker.unused_data.lstrip(b"\0") or stream.read(_BLOCK)
            unpacker = zlib.decompressobj(31)
            if not block:
                return
            if not block.startswith(_GZIP[: len(block)]):
                raise DamageError("something follows the end of the gzip data; make the file again")
        else:
            block = stream.read(_BLOCK)
    raise DamageError("the gzip data ends too early; make the file again")


def _until_damage(unpacker: Any, block: bytes) -> Iterator[bytes]:
    """Unpack byte by byte what stands before a damaged place."""
    for i in range(len(block)):
        try:
            found = unpacker.decompress(block[i : i + 1])
        except zlib.error:
            return
        if found:
            yield found


class _Joined(io.RawIOBase):
    """What has been read of a stream, and then the rest."""

    def __init__(self, first: bytes, rest: IO[bytes]) -> None:
        self._first, self._rest = first, rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            first, self._first = self._first, b""
            return first + self._rest.read()
        if self._first:
            first, self._first = self._first[:size], self._first[size:]
            return first
        return self._rest.read(size)


def _unpack_zstd(first: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    pyarrow = need_pyarrow("Zstandard")
    unpacked = pyarrow.CompressedInputStream(pyarrow.PythonFile(_Joined(first, stream), mode="r"), "zstd")
    while True:
        try:
            block = unpacked.read(_BLOCK)
        except OSError:
            raise DamageError("the Zstandard data is damaged or ends too early; make the file again") from None
        if not block:
            return
        yield block


def split_lines(blocks: Iterable[bytes], longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """Cut bytes into lines that keep their ends; of a line that is too long only the beginning is given."""
    rest = b""
    skipping = False
    try:
        for block in blocks:
            parts = (rest + block).split(b"\n")
            rest = parts.pop()
            for part in parts:
                if skipping:
                    skipping = False
                else:
                    yield part[: longest + 1] + b"\n"
            if len(rest) > longest:
                if not skipping:
                    yield rest[: longest + 1]
                rest, skipping = b"", True
    except DamageError:
        # The line that was cut off is lost; it could look like a whole one.
        rest = b""
        raise
    if rest and not skipping:
        yield rest


@contextmanager
def open_output(path: Path, packed: str | None) -> Iterator[IO[bytes]]:
    """Open a file for writing, packing what is written; equal contents give equal files."""
    with path.open("wb") as raw:
        if packed == "gzip":
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as out:
                yield out  # type: ignore[misc]
        elif packed == "zstd":
            pyarrow = need_pyarrow("Zstandard")
            with pyarrow.CompressedOutputStream(pyarrow.PythonFile(raw, mode="w"), "zstd") as out:
                yield out
        else:
            yield raw

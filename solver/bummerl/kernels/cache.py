"""Where compiled kernels are kept.

Numba does not rebuild a cached kernel when a kernel it calls in another file changes: it would silently
answer with old code. So all kernels live in a folder of our own whose name is a hash of every kernel source
and of the versions that produced the machine code. A change of any of them starts a new folder.

Nothing here imports numba until a kernel is wanted.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import os
import platform
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

log = logging.getLogger("bummerl")

# The versions of Numba that `compiling`, which knows its inside, has been tried with; others go the plain way.
TESTED_NUMBA = ((0, 61), (0, 68))
ENVIRONMENT_VARIABLE = "BUMMERL_CACHE_DIR"
_SOURCES = Path(__file__).parent


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Name the compiled kernels: the same text means the same machine code.

    Returns
    -------
    str
        Sixteen hexadecimal digits over every kernel source, where it lies, and the versions of Python,
        numba and llvmlite.
    """
    digest = hashlib.sha256()
    for part in (platform.python_version(), platform.machine(), version("numba"), version("llvmlite")):
        digest.update(part.encode() + b"\0")
    for source in sorted(_SOURCES.glob("*.py")):
        # Numba checks path and time of the file as well, so they are part of "warm".
        digest.update(f"{source.resolve()}\0{source.stat().st_mtime_ns}\0".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def source_fingerprint() -> str:
    """Hash the text of the kernel sources alone: equal on every machine for the same version.

    Returns
    -------
    str
        Sixteen hexadecimal digits, for provenance in results and for the node signature.
    """
    digest = hashlib.sha256()
    for source in sorted(_SOURCES.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def root() -> Path:
    """Return the folder that holds all kernel folders (``BUMMERL_CACHE_DIR`` moves it)."""
    given = os.environ.get(ENVIRONMENT_VARIABLE)
    if given:
        return Path(given).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("bummerl", appauthor=False))


def folder() -> Path:
    """Return the folder of the kernels of exactly this version; it need not exist yet."""
    return root() / f"kernels-{fingerprint()}"


@lru_cache(maxsize=1)
def usable_folder() -> Path | None:
    """Return `folder` after checking that it can be written, else None with one warning."""
    path = folder()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        warnings.warn(
            f"kernels cannot be kept in {path} ({error.strerror}): they are compiled anew in every process. "
            f"Set {ENVIRONMENT_VARIABLE} to a folder that can be written.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return path


def is_warm(unit: str) -> bool:
    """Say whether the kernels of `unit` have been compiled on this machine before.

    Parameters
    ----------
    unit : str
        Name of a kernel module, such as ``"two_handed"``.
    """
    return (folder() / f"{unit}.complete").exists()


def _jit_disabled() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(signature: str, entry: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for one signature, releasing the GIL in it.

    Parameters
    ----------
    signature : str
        Numba signature.
    entry : bool
        Compile it at once and on its own, keep it in our own folder, and let Python call it. Other kernels are
        compiled into the entries that call them, see `compiling`.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if _jit_disabled():
            return function
        if not TESTED_NUMBA[0] <= _numba_version() <= TESTED_NUMBA[1]:
            return plain_kernel(function, signature)
        from bummerl.kernels.compiling import Kernel

        return Kernel(function, signature, entry)

    return decorate


@lru_cache(maxsize=1)
def _numba_version() -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version("numba"))[:2])


@contextlib.contextmanager
def caching() -> Iterator[bool]:
    """Let Numba keep in our folder what is compiled meanwhile; gives False where there is none to write to.

    Numba fixes the place when a function is decorated. Restoring the setting afterwards keeps other people's numba
    functions in the same process where they want to be.
    """
    import numba

    settings: Any = numba.config
    path, before = usable_folder(), settings.CACHE_DIR
    settings.CACHE_DIR = str(path) if path else before
    try:
        yield path is not None
    finally:
        settings.CACHE_DIR = before


def plain_kernel(function: Callable[..., Any], signature: str) -> Any:
    """Compile a kernel as any other function, each into all that call it: slower to compile, equally fast."""
    import numba

    with caching() as kept:
        return numba.njit(signature, cache=kept, nogil=True, error_model="numpy")(function)


def _existing_folder() -> Path:
    """Return the folder, made anew if somebody has deleted it meanwhile."""
    folder().mkdir(parents=True, exist_ok=True)
    return folder()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file: two processes compiling at once would corrupt the cache."""
    with path.open("a+b") as handle:
        if sys.platform == "win32":  # pragma: no cover
            import msvcrt

            handle.seek(0)
            msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


_units: dict[str, ModuleType] = {}


def load(unit: str) -> ModuleType:
    """Import a kernel module, compiling it first where that has not been done before.

    Parameters
    ----------
    unit : str
        Name of a kernel module, such as ``"two_handed"``.

    Returns
    -------
    module
        ``bummerl.kernels.<unit>``.
    """
    found = _units.get(unit)
    if found is None:
        found = _units[unit] = _load(unit)
    return found


def _load(unit: str) -> ModuleType:
    name = f"bummerl.kernels.{unit}"
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "LOADED", False):
        # Another unit needed it, and so it has been compiled.
        if not _jit_disabled() and usable_folder() is not None:
            (_existing_folder() / f"{unit}.complete").touch()
        return loaded
    if _jit_disabled() or usable_folder() is None:
        return importlib.import_module(name)
    if is_warm(unit):
        try:
            return importlib.import_module(name)
        except Exception:  # whatever a damaged file makes of itself
            log.warning("the kernels in %s are damaged and are compiled anew", folder())
            for path in folder().iterdir():
                if path.suffix == ".complete":
                    path.unlink(missing_ok=True)
                elif path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
    with _locked(_existing_folder() / "lock"):
        log.info("compiling the %s kernels into %s", unit, folder())
        module = importlib.import_module(name)
        (folder() / f"{unit}.complete").touch()
    return module

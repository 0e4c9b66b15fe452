"""Who does the work of a batch: threads of this process, or an existing Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any, Protocol

from bummerl.engine import Interrupt
from bummerl.errors import FileError
from bummerl.kernels import cache
from bummerl.kernels.cache import source_fingerprint


class Pool(Protocol):
    """Does calls out of order; used as a context, whose end waits for nothing."""

    window: int

    def __enter__(self) -> Any:
        """Get ready."""

    def __exit__(self, *error: Any) -> None:
        """Drop what is not done."""

    def submit(self, work: Callable[..., bytes], *arguments: Any) -> Any:
        """Begin a call, and return a future."""

    def wait(self, futures: list[Any]) -> Collection[Any]:
        """Wait for some of these to be done, and return them."""

    def result(self, future: Any) -> bytes:
        """Return what a call gave."""


class ThreadPool:
    """Threads of this process: the kernels let go of the interpreter lock.

    Parameters
    ----------
    workers : int
        How many.
    """

    def __init__(self, workers: int) -> None:
        # More chunks than threads, so that none waits for a hard one.
        self.window = 2 * workers + 1
        self._workers = workers

    def __enter__(self) -> ThreadPool:
        """Start the threads."""
        self._interrupt = Interrupt()
        self._pool = ThreadPoolExecutor(self._workers, initializer=self._interrupt.join)
        return self

    def __exit__(self, *error: Any) -> None:
        """End the threads; after an exception such as Ctrl-C, stop their searches first."""
        self._interrupt.__exit__(*error)
        self._pool.shutdown(wait=True, cancel_futures=True)

    def submit(self, work: Callable[..., bytes], *arguments: Any) -> Any:
        """Begin a call."""
        return self._pool.submit(work, *arguments)

    def wait(self, futures: list[Any]) -> Collection[Any]:
        """Wait for the first that is done."""
        return wait(futures, return_when=FIRST_COMPLETED).done

    def result(self, future: Any) -> bytes:
        """Return what a call gave."""
        return bytes(future.result())


class DaskPool:
    """An existing Dask cluster; calls of a worker that is lost are made again by another one.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises
    ------
    FileError
        If Dask is missing, nobody answers, or the workers have another version of the solver.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise FileError('a cluster needs Dask: install it with "pip install bummerl[cluster]"') from None
        self._distributed = distributed
        try:
            self._client = distributed.Client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise FileError(f"--dask {address}: no cluster answers there ({error})") from None
        try:
            self._check_workers(address)
        except BaseException:
            self._client.close()
            raise
        self.window = 2 * sum(self._client.nthreads().values()) + 1

    def _check_workers(self, address: str) -> None:
        try:
            found = self._client.run(cache.source_fingerprint, on_error="return")
        except Exception as error:  # whatever a worker makes of a program it does not have
            raise FileError(f"--dask {address}: the workers cannot run bummerl ({error})") from None
        if not found:
            raise FileError(f"--dask {address}: the cluster has no workers")
        for worker, kernels in found.items():
            if kernels != source_fingerprint():
                raise FileError(
                    f"--dask {address}: worker {worker} has another bummerl ({kernels}); install this version"
                )

    def __enter__(self) -> DaskPool:
        """Nothing to do."""
        return self

    def __exit__(self, *error: Any) -> None:
        """Leave the cluster, which forgets what it was doing for us."""
        self._client.close()

    def submit(self, work: Callable[..., bytes], *arguments: Any) -> Any:
        """Begin a call."""
        return self._client.submit(work, *arguments, pure=False, retries=3)

    def wait(self, futures: list[Any]) -> Collection[Any]:
        """Wait for the first that is done."""
        with self._client.as_current():
            return list(self._distributed.wait(futures, return_when="FIRST_COMPLETED").done)

    def result(self, future: Any) -> bytes:
        """Return what a call gave."""
        try:
            return bytes(future.result())
        except (self._distributed.scheduler.KilledWorker, self._distributed.CancelledError, OSError) as error:
            raise FileError(f"the cluster has given up: {error}; what is done stays, --resume goes on") from None

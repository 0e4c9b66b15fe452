"""Ctrl-C that cannot get lost.

Python raises `KeyboardInterrupt` wherever the main thread happens to be. In a finaliser or a callback of
another library it is printed and forgotten, and the work would go on: so the key press is remembered too.
"""

from __future__ import annotations

import signal

_pressed: list[int] = []


def watch() -> None:
    """Remember Ctrl-C from now on, unless whoever started us has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _remember)


def _remember(number: int, _frame: object) -> None:
    _pressed.append(number)
    raise KeyboardInterrupt


def check() -> None:
    """Raise `KeyboardInterrupt` if Ctrl-C was pressed and the exception got lost."""
    if _pressed:
        raise KeyboardInterrupt

"""Bit operations on hands, for kernels only.

A hand is an integer with six bits a suit: bit ``6 * suit + rank`` with rank 0 to 5 for 9 J Q K T A. The nines
exist in Sixty-Six only. Kernels see every position with the trump suit moved to suit 0, so that ``TRUMPS`` is
a constant and strict endgames of different deals can share their results.
"""

from __future__ import annotations

import os
from typing import Any

TRUMPS = 0x3F
JACKS, QUEENS, KINGS, TENS, ACES = 0x082082, 0x104104, 0x208208, 0x410410, 0x820820
# Card points by rank, four bits each: 9 J Q K T A.
POINTS = 0xBA4320

if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):

    def popcount(x: int) -> int:
        """Count the cards in a hand."""
        return int(x).bit_count()

    def lowest(x: int) -> int:
        """Return the index of the lowest card in a hand that is not empty."""
        return (int(x) & -int(x)).bit_length() - 1

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typingctx: Any, x: Any) -> Any:  # noqa: ARG001
        """Count the cards in a hand."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest(typingctx: Any, x: Any) -> Any:  # noqa: ARG001
        """Return the index of the lowest card in a hand that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

"""Fit `bummerl.reading`: how good players lead while the talon is open, from their play against each other.

``python -m benchmarks.lead_model --deals 2000``
"""

from __future__ import annotations

import argparse
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from random import Random

import numpy as np
from benchmarks.players import make_player
from benchmarks.selfplay import play_deal

from bummerl import Move, Position, random_positions
from bummerl.cards import JACK, rank_of, suit_of

# One feature a rank and kind of suit, and one for each announcement.
_FEATURES = 12


def feature(move: Move, trump: int) -> list[int]:
    """Return which features a lead has."""
    places = [rank_of(move.card) - JACK + (5 if suit_of(move.card) == trump else 0)]
    if move.marriage:
        places.append(10 if move.marriage == 20 else 11)
    return places


Lead = tuple[list[list[int]], int]


def watch(name: str, seed: int, deals: int) -> tuple[list[Lead], int, int]:
    """Play deals and return all leads from an open talon, and how often an exchange was possible and made."""
    leads: list[Lead] = []
    exchanges = [0, 0]
    player = make_player(name)

    def watched(position: Position, rng: Random) -> Move:
        move = player(position, rng)
        if position.led is None and position.talon_left and not move.close:
            if position.may_exchange:
                exchanges[move.exchange] += 1
            moves = [m for m in position.legal_moves() if not m.close and m.exchange == move.exchange]
            leads.append(([feature(m, position.trump) for m in moves], moves.index(move)))
        return move

    for k, deal in enumerate(random_positions(deals, seed=seed)):
        play_deal(deal, (watched, watched), f"{seed} {k}")
    return leads, exchanges[0], exchanges[1]


def fit(leads: list[Lead], rounds: int = 3000, pull: float = 1.0) -> np.ndarray:
    """Return the worths under which the leads are most likely, by gradient ascent; `pull` draws them to 0."""
    width = max(len(options) for options, _ in leads)
    options = np.zeros((len(leads), width, _FEATURES))
    there = np.zeros((len(leads), width), dtype=bool)
    for i, (features, _) in enumerate(leads):
        for j, places in enumerate(features):
            options[i, j, places] = 1
            there[i, j] = True
    chosen = options[np.arange(len(leads)), [made for _, made in leads]]
    worth = np.zeros(_FEATURES)
    for _ in range(rounds):
        utility = np.where(there, options @ worth, -np.inf)
        chances = np.exp(utility - utility.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        expected = np.einsum("ij,ijk->ik", chances, options)
        worth += ((chosen - expected).sum(axis=0) - pull * worth) / (0.25 * len(leads))
    return worth


def main() -> None:
    """Play, fit, and print the constants."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="postponed:50")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    args = parser.parse_args()
    leads: list[Lead] = []
    kept = made = 0
    with ProcessPoolExecutor(args.workers, multiprocessing.get_context("spawn")) as pool:
        parts = [pool.submit(watch, args.player, 1000 * args.seed + k, args.deals // 20) for k in range(20)]
        for part in parts:
            some, not_made, were_made = part.result()
            leads += some
            kept += not_made
            made += were_made
    worth = fit(leads).round(2).tolist()
    print(f"{len(leads)} leads, {kept + made} possible exchanges")
    print("plain, jack to ace:", worth[:5])
    print("trump, jack to ace:", worth[5:10])
    print("announcing 20, 40: ", worth[10:])
    print("not exchanged:     ", round(kept / max(kept + made, 1), 3))


if __name__ == "__main__":
    main()

"""Our players against the bots of the package ``schnapsen``, in its engine, each deck played twice with seats swapped.

``python -m benchmarks.schnapsen_package postponed:50 rdeep --pairs 50``

The package is optional. It asks for an older click and much else that is not needed here, so install it alone:
``pip install --no-deps schnapsen==0.0.5``.

Its bots are called ``rand``, ``bully``, ``rdeep`` (16 samples, depth 4), ``rdeep:SAMPLES:DEPTH``, and
``rdeep+alphabeta``, rdeep while the talon lasts and all cards open after that. A seed always gives the same games.

Its rules, and what we make of them:

* The talon is never closed: `RULES` never allow it. Exchange and marriage are allowed before the first trick.
* A marriage always leads the king: `RULES` say so, too. With the talon used up its reply has to follow the queen, which
  comes to the same since the leader holds both.
* The trump exchange is a move of its own, and the same player then leads. We choose both at once, and keep the lead.
* Points of a marriage count from the announcer's next trick, even if he has taken one before. With us they count at
  once then, so our players think that a marriage which brings 66 wins on the spot, where here it still needs a trick.
  Such points are counted in the positions we build, but as 65 where they would make 66: one more trick wins.
* A win is declared by the engine, after a trick, for whoever took it; nobody claims. It brings 3, 2 or 1 as with us,
  but marriage points of the loser that wait for a trick do not help him to 33.
* The last trick wins one game point if nobody has 66, as with us.

A row gives the players, the deals (with ``--bummerls`` the Bummerls to 7, the lead alternating), the share of them won,
and game points a deal, each with its 95 % interval over the pairs. Players play for game points whatever the score.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import ModuleType

from benchmarks.players import Player, make_player
from benchmarks.selfplay import GOAL
from tqdm import tqdm

from bummerl import Move, Position, Rules
from bummerl.cards import RANKS, SUITS, card, hand_of
from bummerl.checks import check
from bummerl.position import TARGET

try:
    from schnapsen import game as theirs

    if "schnapsen.bots" not in sys.modules:
        # What its own file would do is import every bot, and with them a web server and a learning library.
        sys.modules["schnapsen.bots"] = ModuleType("schnapsen.bots")
        sys.modules["schnapsen.bots"].__path__ = [str(Path(theirs.__file__).parent / "bots")]
    from schnapsen.bots.alphabeta import AlphaBetaBot
    from schnapsen.bots.bully_bot import BullyBot
    from schnapsen.bots.rand import RandBot
    from schnapsen.bots.rdeep import RdeepBot

    MISSING, Bot = "", theirs.Bot
except ModuleNotFoundError as error:
    MISSING, Bot = str(error), object

RULES = Rules.parse("soft+close_min_talon=10+close_before_first_trick=no+marriage_king_only=yes")


def our_card(their_card: theirs.Card) -> int:
    """Return our number of one of their cards."""
    return card(SUITS.index(their_card.suit.name[0]), RANKS.index(their_card.rank.name[0]))


def our_cards(cards: theirs.CardCollection) -> int:
    """Return our hand of a collection of their cards."""
    return hand_of(our_card(c) for c in cards)


def our_move(move: theirs.Move, trump: theirs.Suit) -> Move:
    """Return our move for a lead or reply of theirs, which is not an exchange."""
    if move.is_marriage():
        return Move(our_card(move.king_card), 40 if move.suit is trump else 20)
    return Move(our_card(move.card))


def visible(perspective: theirs.PlayerPerspective, leader_move: theirs.Move | None) -> Position:
    """Return what a player of theirs sees as our hidden position, checked like every other."""
    trump, face_up = perspective.get_trump_suit(), perspective.get_trump_card()
    won = [our_cards(perspective.get_won_cards()), our_cards(perspective.get_opponent_won_cards())]
    known = our_cards(perspective.get_known_cards_of_opponent_hand())
    scores = [perspective.get_my_score(), perspective.get_opponent_score()]
    waiting = [score.pending_points for score in scores]
    led = leader_move and our_move(leader_move, trump)
    if led is not None:
        # The engine counts the marriage and takes the card away only when the trick is complete.
        known = (known | our_cards(leader_move.cards)) & ~(1 << led.card)
        waiting[1] += led.marriage
    shown = None if face_up is None else our_card(face_up)
    position = Position(
        me=our_cards(perspective.get_hand()),
        opp=known,
        trump=SUITS.index(trump.name[0]),
        face_up=shown,
        talon=() if shown is None else (*[None] * (perspective.get_talon_size() - 1), shown),
        gone=won[0] | won[1],
        led=None if led is None else led.card,
        announced=0 if led is None else led.marriage,
        points=(scores[0].direct_points, scores[1].direct_points),
        tricks=(won[0].bit_count() // 2, won[1].bit_count() // 2),
        rules=RULES,
    )
    paired = [(score.direct_points, more) for score, more in zip(scores, waiting, strict=True)]
    counted = [points + more if points else 0 for points, more in paired]
    pending = [0 if points else more for points, more in paired]
    full = {"points": tuple(min(points, TARGET - 1) for points in counted), "pending": tuple(pending)}
    if max(counted) < TARGET:
        return check(position.changed(**full), None)
    # With us the deal would be over, and so the checks are made without what waits for a trick.
    return check(position.changed(announced=0), None).changed(announced=position.announced, **full)


class OurBot(Bot):
    """One of our players as a bot of theirs, for one deal.

    Parameters
    ----------
    player : callable
        Chooses a move in a hidden position.
    seed : str
        Of its chance, which else depends only on how many cards have been played.
    watch : callable, optional
        Told every position first.
    """

    def __init__(self, player: Player, seed: str, watch: Callable[..., object] | None = None) -> None:
        super().__init__(f"ours {seed}")
        self._player, self._seed, self._watch = player, seed, watch
        self._lead: Move | None = None

    def get_move(self, perspective: theirs.PlayerPerspective, leader_move: theirs.Move | None) -> theirs.Move:
        """Ask the player, except for the lead that was chosen together with an exchange."""
        position = visible(perspective, leader_move)
        if self._watch is not None:
            self._watch(position, perspective, leader_move)
        chosen, self._lead = self._lead, None
        if chosen is None:
            plies = position.gone.bit_count() + (leader_move is not None)
            chosen = self._player(position, Random(f"{self._seed} {plies}"))
        moves = perspective.valid_moves()
        if chosen.exchange:
            self._lead = replace(chosen, exchange=False)
            return next(move for move in moves if move.is_trump_exchange())
        trump = perspective.get_trump_suit()
        return next(m for m in moves if not m.is_trump_exchange() and our_move(m, trump) == chosen)


class TwoPhases(Bot):
    """A bot while the talon lasts and another one after that."""

    def __init__(self, first: Bot, second: Bot) -> None:
        super().__init__()
        self._bots = {theirs.GamePhase.ONE: first, theirs.GamePhase.TWO: second}

    def get_move(self, perspective: theirs.PlayerPerspective, leader_move: theirs.Move | None) -> theirs.Move:
        """Ask the bot of this phase."""
        return self._bots[perspective.get_phase()].get_move(perspective, leader_move)


def make_bot(name: str, rng: Random) -> Bot:
    """Return the bot of a name (see the head of this file)."""
    if name.endswith("+alphabeta"):
        return TwoPhases(make_bot(name.removesuffix("+alphabeta"), rng), AlphaBetaBot())
    if name in ("rand", "bully"):
        return RandBot(rng) if name == "rand" else BullyBot(rng)
    kind, *numbers = ("rdeep:16:4" if name == "rdeep" else name).split(":")
    if kind != "rdeep" or len(numbers) != 2 or not all(n.isdigit() and int(n) for n in numbers):
        raise ValueError(f"no bot is called {name!r}; try rand, bully, rdeep, rdeep:16:4 or rdeep+alphabeta")
    return RdeepBot(num_samples=int(numbers[0]), depth=int(numbers[1]), rand=rng)


@dataclass
class Pair:
    """What came of two games with the same decks: games won, game points and deals of our player."""

    won: int = 0
    points: int = 0
    deals: int = 0


def play_pair(names: tuple[str, str], number: int, seed: int, bummerls: bool) -> Pair:
    """Play a deck, or the decks of a Bummerl, twice, each player once in each seat."""
    engine, player, pair = theirs.SchnapsenGamePlayEngine(), make_player(names[0]), Pair()
    for seat in (0, 1):
        have, k = [0, 0], 0  # game points of our player and of the bot; deals
        while k == 0 or (bummerls and max(have) < GOAL):
            deal = f"{seed} {number} {k}"
            ours, bot = OurBot(player, deal), make_bot(names[1], Random(f"bot {deal}"))
            seats = (ours, bot) if k % 2 == seat else (bot, ours)
            winner, points, _ = engine.play_game(*seats, Random(f"deck {deal}"))
            have[winner is not ours], k = have[winner is not ours] + points, k + 1
        pair.won += have[0] > have[1]
        pair.points += have[0] - have[1]
        pair.deals += k
    return pair


def row(names: tuple[str, str], pairs: list[Pair], bummerls: bool) -> str:
    """Write one row of a table."""

    def rate(tops: list[int], bottoms: list[int]) -> tuple[float, float]:
        # A ratio of sums and half its 95 % interval: pairs are independent, the games of a pair are not.
        ratio, n = sum(tops) / sum(bottoms), len(tops)
        spread = sum((top - ratio * bottom) ** 2 for top, bottom in zip(tops, bottoms, strict=True))
        return ratio, 1.96 * math.sqrt(spread * n / max(n - 1, 1)) / sum(bottoms)

    share, margin = rate([pair.won for pair in pairs], [2] * len(pairs))
    points, about = rate([pair.points for pair in pairs], [pair.deals for pair in pairs])
    games = f"{2 * len(pairs):,}" + (" Bummerls" if bummerls else " deals")
    return f"| {names[0]} | {names[1]} | {games} | {100 * share:.1f} % ± {100 * margin:.1f} | {points:+.3f} ± {about:.3f} |"


def main() -> None:
    """Play, and write one row of a table for each bot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player")
    parser.add_argument("bot", nargs="+")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bummerls", action="store_true", help="play whole Bummerls instead of single deals")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    args = parser.parse_args()
    if MISSING:
        print(f"{MISSING}; run: pip install --no-deps schnapsen==0.0.5", file=sys.stderr)
        sys.exit(2)
    try:
        make_player(args.player)
        for bot in args.bot:
            make_bot(bot, Random())
    except ValueError as error:
        parser.error(str(error))
    with ProcessPoolExecutor(args.workers, multiprocessing.get_context("spawn")) as pool:
        for bot in args.bot:
            names = (args.player, bot)
            work = [pool.submit(play_pair, names, k, args.seed, args.bummerls) for k in range(args.pairs)]
            done = tqdm(work, desc=" - ".join(names), unit=" pairs", disable=not sys.stderr.isatty(), leave=False)
            print(row(names, [part.result() for part in done], args.bummerls), flush=True)


if __name__ == "__main__":
    main()

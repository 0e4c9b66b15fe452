"""The match: game points written down deal by deal, who is out, and who gets a Bummerl."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bummerl.cards import shorten
from bummerl.errors import RecordError, nearest

# What each game is played to.
GOALS = {"schnapsen": 7, "mitschreiben": 7, "sixty-six": 7, "bauernschnapsen": 24, "dreierschnapsen": 24}
COUNT_UP = ("sixty-six",)
_PARTIES = {"mitschreiben": 3, "dreierschnapsen": 3}
_KEYS = ("game", "parties", "count", "bummerl3", "schneider")
_CHOICES = {"count": ("down", "up"), "bummerl3": ("all_unfinished", "worst_only"), "schneider": ("1", "2")}


@dataclass(frozen=True, slots=True)
class Match:
    """A match in progress.

    Attributes
    ----------
    parties : tuple of str
        Players, or sides of two.
    goal : int
        Game points to win.
    scored : tuple of int
        What each has scored.
    count : str
        ``down`` from the goal or ``up`` to it: only what is shown.
    bummerl3 : str
        Of three players ``all_unfinished`` get a Bummerl when one or two are out, or the ``worst_only``.
    schneider : int
        What a Bummerl counts for whoever has not scored.

    Examples
    --------
    >>> match = Match(("A", "B", "C"), 7).deal(2, "A", "B")
    >>> match.shown, match.bummerl
    ({'A': 5, 'B': 5, 'C': 7}, None)
    >>> match.deal(6, "B").bummerl
    {'A': 1, 'C': 2}
    """

    parties: tuple[str, ...]
    goal: int
    scored: tuple[int, ...] = field(default=())
    count: str = "down"
    bummerl3: str = "all_unfinished"
    schneider: int = 2

    def __post_init__(self) -> None:
        """Start at nothing."""
        if not self.scored:
            object.__setattr__(self, "scored", (0,) * len(self.parties))

    def deal(self, points: int, *winners: str) -> Match:
        """Return the match after a deal that brings so many points to each of its winners.

        Raises
        ------
        ValueError
            If the match is over, or there is no such party.
        """
        if self.bummerl is not None:
            raise ValueError("the match is over")
        if unknown := set(winners) - set(self.parties):
            raise ValueError(f"there is no {sorted(unknown)[0]}; players are {', '.join(self.parties)}")
        scored = tuple(have + points * (name in winners) for name, have in zip(self.parties, self.scored, strict=True))
        return replace(self, scored=scored)

    @property
    def shown(self) -> dict[str, int]:
        """The score as it is written down."""
        down = self.count == "down"
        return {name: self.goal - have if down else have for name, have in zip(self.parties, self.scored, strict=True)}

    @property
    def bummerl(self) -> dict[str, int] | None:
        """Who gets a Bummerl, and how much it counts; None while nobody is out."""
        if max(self.scored) < self.goal:
            return None
        left = {name: have for name, have in zip(self.parties, self.scored, strict=True) if have < self.goal}
        if self.bummerl3 == "worst_only" and left:
            left = {name: have for name, have in left.items() if have == min(left.values())}
        return {name: self.schneider if have == 0 else 1 for name, have in left.items()}


@dataclass(frozen=True, slots=True)
class Tally:
    """A recorded match: the score after each deal."""

    match: Match
    deals: tuple[tuple[int, tuple[str, ...], dict[str, int]], ...]


def read_tally(lines: Iterable[str]) -> list[Tally]:
    """Read recorded matches: a line of ``key=value`` tokens for each, then a line for each deal.

    A deal is its game points and who scores them: ``2 Anna``, or in Mitschreiben and against a declarer of three
    ``2 Anna,Ben``. ``#`` begins a comment.

    Parameters
    ----------
    lines : iterable of str
        The text.

    Raises
    ------
    RecordError
        Naming the line, what is wrong and how to mend it.

    Examples
    --------
    >>> [found] = read_tally(["game=mitschreiben parties=Anna,Ben,Cora", "2 Anna,Ben", "3 Ben"])
    >>> found.match.shown
    {'Anna': 5, 'Ben': 2, 'Cora': 7}
    """
    found: list[Tally] = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        try:
            if not text:
                continue
            if "=" in text.split()[0]:
                found.append(Tally(_begin(text), ()))
            elif not found:
                raise RecordError("game", "is missing", "begin with a line like game=schnapsen parties=Anna,Ben")
            else:
                found[-1] = _deal(found[-1], text)
        except RecordError as error:
            raise error.at(number) from None
    return found


def _begin(text: str) -> Match:
    given: dict[str, str] = {}
    for token in text.split():
        key, equals, value = token.partition("=")
        if not equals or key not in _KEYS:
            near = nearest(key, _KEYS)
            raise RecordError(
                shorten(key),
                "is not a key of a match",
                f"did you mean {near}?" if near else f"keys are {' '.join(_KEYS)}",
            )
        given[key] = value
    game = given.get("game", "schnapsen").lower()
    if game not in GOALS:
        raise RecordError("game", f"{shorten(game)!r} is not played in matches", f"games are {', '.join(GOALS)}")
    size = _PARTIES.get(game, 2)
    parties = tuple(name for name in given.get("parties", "").split(",") if name)
    if len(parties) != size or len(set(parties)) != size:
        names = "Anna,Ben,Cora"[: 8 if size == 2 else None]
        raise RecordError("parties", f"{game} has {size}, each with another name", f"write them like parties={names}")
    for key, choices in _CHOICES.items():
        if given.get(key, choices[0]) not in choices:
            raise RecordError(key, f"{shorten(given[key])!r} is not {' or '.join(choices)}")
    count = given.get("count", "up" if game in COUNT_UP else "down")
    return Match(
        parties,
        GOALS[game],
        count=count,
        bummerl3=given.get("bummerl3", "all_unfinished"),
        schneider=int(given.get("schneider", "2")),
    )


def _deal(tally: Tally, text: str) -> Tally:
    number, _, names = text.partition(" ")
    if not number.isdigit() or not 0 <= int(number) <= 192:
        raise RecordError("deal", f"{shorten(text)!r} does not begin with game points", "write a deal like: 2 Anna")
    winners = tuple(name for name in names.replace(",", " ").split() if name)
    if not winners and number != "0":
        raise RecordError("deal", "nobody scores", "write who does behind the points, such as 2 Anna")
    try:
        match = tally.match.deal(int(number), *winners)
    except ValueError as error:
        raise RecordError("deal", str(error)) from None
    return Tally(match, (*tally.deals, (int(number), winners, match.shown)))

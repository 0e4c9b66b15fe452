"""The options on which players and rule books differ, and the presets that name whole sets of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from bummerl.cards import DECK, JACK, NINE, card, shorten

# A frozen dataclass of options, for one game or several.
Options = TypeVar("Options", bound="Any")


class RulesError(ValueError):
    """An unknown preset or option, or a value an option cannot have."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What differs between the two-handed games besides the options: facts that no table changes.

    Attributes
    ----------
    pack : int
        All cards, as a hand.
    hand_size, talon : int
        Cards of a full hand, and in the talon after the deal.
    lowest_rank : int
        Of the trump that is exchanged.
    marriages_open : bool
        Marriages are announced only while the talon is open and not used up.
    last_ten : bool
        With the talon used up the last trick brings 10 card points, and a deal can be drawn; otherwise it wins
        the deal.
    close_undrawn : bool
        The winner of a trick may close before he draws.
    """

    pack: int
    hand_size: int
    talon: int
    lowest_rank: int
    marriages_open: bool = False
    last_ten: bool = False
    close_undrawn: bool = False

    @property
    def size(self) -> int:
        """How many cards there are."""
        return self.pack.bit_count()

    @property
    def least_trick(self) -> int:
        """Return the fewest card points a trick has."""
        return 4 if self.lowest_rank == JACK else 0

    def lowest(self, trump: int) -> int:
        """Return the card that is exchanged."""
        return card(trump, self.lowest_rank)


GAMES = {
    "schnapsen": Deck(DECK, 5, 10, JACK),
    "sixty-six": Deck(0xFFFFFF, 6, 12, NINE, marriages_open=True, last_ten=True, close_undrawn=True),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """Options of two-handed Schnapsen; the defaults are the preset ``soft``.

    Attributes
    ----------
    close_before_first_trick : bool
        The talon may be closed at the very first lead.
    close_min_talon : int
        Fewest talon cards, the face-up one included, with which one may close: 2, 4, 6, 8 or 10.
    exchange_before_first_trick : bool
        The trump jack may be exchanged before having won a trick.
    exchange_min_talon : int
        Fewest talon cards with which one may exchange.
    marriage_before_first_trick : bool
        A marriage may be announced before having won a trick; its points are pending until then.
    marriage_king_only : bool
        A marriage is announced by leading the king.
    closed_count : str
        ``frozen``: the winner of a closed deal who closed scores by what the other had at the close;
        ``end``: by what the other has at the end.
    false_claim : str
        ``fixed``: 2, or 3 if the opponent had no trick; ``claimed``: what the claimer would have scored.
    revoke_penalty : int
        Game points for a revoke.
    game : str
        ``schnapsen`` or ``sixty-six``; not an option, so it is not part of the text.

    Examples
    --------
    >>> str(Rules.parse("sharp+closed_count=end"))
    'sharp+closed_count=end'
    """

    close_before_first_trick: bool = True
    close_min_talon: int = 2
    exchange_before_first_trick: bool = True
    exchange_min_talon: int = 2
    marriage_before_first_trick: bool = True
    marriage_king_only: bool = False
    closed_count: str = "frozen"
    false_claim: str = "fixed"
    revoke_penalty: int = 3
    game: str = "schnapsen"

    def __post_init__(self) -> None:
        """Refuse values that no option can have."""
        for name in ("close_min_talon", "exchange_min_talon"):
            if getattr(self, name) not in (2, 4, 6, 8, 10):
                raise RulesError(f"{name} is 2, 4, 6, 8 or 10 cards, not {getattr(self, name)}")
        if self.closed_count not in ("frozen", "end"):
            raise RulesError(f"closed_count is frozen or end, not {shorten(self.closed_count)!r}")
        if self.false_claim not in ("fixed", "claimed"):
            raise RulesError(f"false_claim is fixed or claimed, not {shorten(self.false_claim)!r}")
        if self.revoke_penalty not in (1, 2, 3):
            raise RulesError(f"revoke_penalty is 1, 2 or 3, not {self.revoke_penalty}")

    @classmethod
    def parse(cls, text: str, game: str = "schnapsen") -> Rules:
        """Read a preset name with any ``+option=value`` after it.

        Parameters
        ----------
        text : str
            Such as ``rulebook`` or ``sharp+closed_count=end``.
        game : str
            One of `GAMES`.

        Raises
        ------
        RulesError
            For an unknown preset, option or value.
        """
        return replace(read_options(text, PRESETS), game=game)

    @property
    def deck(self) -> Deck:
        """The facts of the game."""
        return GAMES[self.game]

    def false_claim_cost(self, opponent_has_trick: bool, claimed: int) -> int:
        """Return the game points a false claim costs.

        Parameters
        ----------
        opponent_has_trick : bool
            When the claim was made.
        claimed : int
            What the claimer would have scored.

        Examples
        --------
        >>> Rules().false_claim_cost(opponent_has_trick=False, claimed=1)
        3
        """
        if self.false_claim == "claimed":
            return claimed
        return 2 if opponent_has_trick else 3

    def __str__(self) -> str:
        """Write the nearest preset and the options that differ from it."""
        return options_text(self, PRESETS)


PRESETS: dict[str, Rules] = {
    "soft": Rules(),
    "rulebook": Rules(close_before_first_trick=False, false_claim="claimed"),
    "sharp": Rules(
        close_min_talon=4,
        exchange_before_first_trick=False,
        exchange_min_talon=4,
        marriage_before_first_trick=False,
        marriage_king_only=True,
    ),
}
_WORDS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def read_options(text: str, presets: Mapping[str, Options]) -> Options:
    """Read a preset name with any ``+option=value`` after it; the first preset is the default.

    Raises
    ------
    RulesError
        For an unknown preset, option or value.
    """
    name, *options = text.strip().split("+")
    default = next(iter(presets))
    if "=" in name:
        raise RulesError(f"{shorten(name)!r} needs a preset before it, such as {default}+{shorten(name)}")
    if name.strip().lower() not in presets:
        raise RulesError(f"there are no rules called {shorten(name)!r}; choose {', '.join(presets)}")
    rules = presets[name.strip().lower()]
    values = {name: getattr(presets[default], name) for name in _options(rules)}
    changes: dict[str, Any] = {}
    for option in options:
        key, equals, value = option.strip().partition("=")
        if key in values and not equals:
            raise RulesError(f"option {key} needs a value, such as {key}={_value_text(values[key])}")
        if key not in values or not equals:
            raise RulesError(f"there is no rule option {shorten(option)!r}; options are {', '.join(values)}")
        if key in changes:
            raise RulesError(f"option {key} is given twice")
        changes[key] = _parse_value(key, type(values[key]), value.strip().lower())
    return replace(rules, **changes)


def options_text(rules: Options, presets: Mapping[str, Options]) -> str:
    """Write the nearest preset and the options that differ from it."""

    def differences(preset: Options) -> list[str]:
        return [
            f"+{name}={_value_text(getattr(rules, name))}"
            for name in _options(rules)
            if getattr(rules, name) != getattr(preset, name)
        ]

    name = min(presets, key=lambda n: len(differences(presets[n])))
    return name + "".join(differences(presets[name]))


def _options(rules: Options) -> list[str]:
    """Return the names of the options; the game is none."""
    return [field.name for field in fields(rules) if field.name != "game"]


def _parse_value(key: str, kind: type, text: str) -> Any:
    if kind is bool:
        if text not in _WORDS:
            raise RulesError(f"{key} is yes or no, not {shorten(text)!r}")
        return _WORDS[text]
    if kind is int:
        if not (text.isascii() and text.isdigit() and len(text) < 3):
            raise RulesError(f"{key} is a small whole number, not {shorten(text)!r}")
        return int(text)
    return text


def _value_text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)

"""The options on which tables differ in the games for three and four players."""

from __future__ import annotations

from dataclasses import dataclass

from bummerl.cards import shorten
from bummerl.rules import RulesError, options_text, read_options

_CHOICES = {
    "gang_duty": ("strict", "follow"),
    "last_trick": ("points", "one"),
    "schnapser_end": ("at66", "three"),
    "bettler_partner": ("out", "in"),
    "nt_lead": ("declarer", "F"),
}


@dataclass(frozen=True, slots=True)
class TableRules:
    """Options of Bauernschnapsen; the defaults are the preset ``mixed``.

    Attributes
    ----------
    last_trick : str
        A race that nobody ends by claiming: ``points``: the winner of the last trick scores by what the others have;
        ``one``: always 1.
    schnapser_end : str
        ``at66``: a Schnapser is won the moment its declarer has 66; ``three``: he must win all three tricks.
    gang_duty : str
        ``strict``: beat where you can, in every contract; ``follow``: in Durchmarsch only the suit counts.
    nt_lead : str
        Who leads without trumps: ``declarer``, or forehand, ``F``.
    leader_twenty : bool
        Forehand's marriages count in a Schnapser of his partner.
    bettler_partner : str
        The partner of whoever plays a Bettler lays his cards down (``out``) or plays (``in``).
    bettler_value, assbettler_value : int
        Game points of these contracts.

    Examples
    --------
    >>> str(TableRules.parse("guide+bettler_value=4"))
    'guide+bettler_value=4'
    """

    last_trick: str = "points"
    schnapser_end: str = "at66"
    gang_duty: str = "strict"
    nt_lead: str = "declarer"
    leader_twenty: bool = False
    bettler_partner: str = "out"
    bettler_value: int = 5
    assbettler_value: int = 6

    def __post_init__(self) -> None:
        """Refuse values that no option can have."""
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            found = next((choice for choice in choices if choice.lower() == str(value).lower()), None)
            if found is None:
                raise RulesError(f"{name} is {' or '.join(choices)}, not {shorten(str(value))!r}")
            object.__setattr__(self, name, found)
        for name in ("bettler_value", "assbettler_value"):
            if not 1 <= getattr(self, name) <= 24:
                raise RulesError(f"{name} is 1 to 24, not {getattr(self, name)}")

    @classmethod
    def parse(cls, text: str) -> TableRules:
        """Read a preset name with any ``+option=value`` after it.

        Raises
        ------
        RulesError
            For an unknown preset, option or value.
        """
        return read_options(text, PRESETS)

    def __str__(self) -> str:
        """Write the nearest preset and the options that differ from it."""
        return options_text(self, PRESETS)


PRESETS: dict[str, TableRules] = {
    "mixed": TableRules(),
    # Only "follow suit" is said of the Durchmarsch; forehand's twenty is not excluded.
    "rulebook": TableRules(gang_duty="follow", leader_twenty=True),
    "guide": TableRules(last_trick="one", schnapser_end="three"),
}

"""The options on which tables differ in the games for three and four players."""

from __future__ import annotations

from dataclasses import dataclass

from bummerl.cards import shorten
from bummerl.games.contracts import CONTRACTS, Contract
from bummerl.rules import RulesError, options_text, read_options

_CHOICES = {
    "gang_duty": ("strict", "follow"),
    "last_trick": ("points", "one"),
    "schnapser_end": ("at66", "three"),
    "bettler_partner": ("out", "in"),
    "nt_lead": ("declarer", "F"),
    "auction": ("guide", "rulebook"),
    "six": ("listed", "first"),
    "twelve": ("listed", "equal", "h_below_g"),
    "double_top": ("none", "j", "all"),
    "dreier_rufer_duty": ("strict", "follow", "free"),
    "discards": ("lost", "defenders"),
    "claim": ("won", "on_lead"),
    "false_claim": ("would_have", "two_three"),
}
_ORDER = {name: place for place, name in enumerate(CONTRACTS)}


@dataclass(frozen=True, slots=True)
class TableRules:
    """Options of Bauernschnapsen and Dreierschnapsen; the defaults are the preset ``mixed``.

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
    auction : str
        ``guide``: a pass is final, an equal bid goes to the earlier seat, doubling comes afterwards;
        ``rulebook``: three passes in a row end it, and doublings are calls that raise what must be exceeded.
    six : str
        Different contracts worth 6 or 24: ``listed``: in the order of the list; ``first``: the first bid stays.
    twelve : str
        Kontraschnapser is below Bauernschnapser (``listed``), ``equal`` to it, or above it (``h_below_g``).
    double_top : str
        Which of the three highest contracts can be doubled: ``none``, Kontrabauernschnapser (``j``), or ``all``.
    redeal : bool
        Forehand may demand a new deal when his first three cards are jacks.
    dreier_rufer_duty : str
        In the Rufer of Dreierschnapsen: ``strict``; ``follow``: follow suit, else trump, without having to beat;
        ``free``: any card.
    discards : str
        What the declarer of Dreierschnapsen lays away is ``lost``, or counts for the ``defenders``.
    claim : str
        Who may say that his side has 66: anyone of the side that has just ``won`` a trick or announced, or only the
        player who is ``on_lead``.
    false_claim : str
        ``would_have``: the others score what the claim would have won; ``two_three``: 2, or 3 without a trick.
    revoke_penalty : int
        Game points for a revoke in a race; in other contracts it costs their value.

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
    auction: str = "guide"
    six: str = "listed"
    twelve: str = "listed"
    double_top: str = "j"
    redeal: bool = True
    dreier_rufer_duty: str = "strict"
    discards: str = "lost"
    claim: str = "won"
    false_claim: str = "would_have"
    revoke_penalty: int = 3

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

        if self.revoke_penalty not in (1, 2, 3):
            raise RulesError(f"revoke_penalty is 1, 2 or 3, not {self.revoke_penalty}")

    def value_of(self, contract: Contract) -> int:
        """Return the game points of a contract."""
        values = {"bettler": self.bettler_value, "assbettler": self.assbettler_value}
        return values.get(contract.name, contract.value)

    def rank(self, contract: Contract) -> tuple[int, int]:
        """Return what bids are compared by: the value, then the place among equal values."""
        place, value = _ORDER[contract.name], self.value_of(contract)
        if value in (6, 24) and self.six == "first":
            place = 0
        if value == 12 and self.twelve != "listed":
            place = 0 if self.twelve == "equal" else -place
        return value, place

    def doubles(self, contract: Contract) -> bool:
        """Say whether a contract can be doubled."""
        if contract.name in ("herrengangl", "kontrabauernschnapser", "herrenschnapser"):
            return self.double_top == "all" or (self.double_top == "j" and contract.doubled)
        return True

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
    "rulebook": TableRules(
        gang_duty="follow", leader_twenty=True, auction="rulebook", six="first", twelve="equal", claim="on_lead"
    ),
    "guide": TableRules(last_trick="one", schnapser_end="three", double_top="all", redeal=False),
}

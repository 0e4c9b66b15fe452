"""Records: one vocabulary of keys, read from text lines, JSON Lines and CSV, and written to them.

Whatever the format, a record becomes a mapping of keys to text; `position_of` turns that into a position and
`position_fields` turns a position back. `parse_line(str(position)).position == position` for every position.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bummerl.cards import (
    UNKNOWN,
    CardError,
    card_text,
    hand_text,
    parse_cards,
    parse_hand,
    parse_suit,
    shorten,
    suit_of,
)
from bummerl.checks import check, derive_talon_size, derived_gone, derived_tricks
from bummerl.errors import RecordError, nearest
from bummerl.games.hand import TableHand
from bummerl.games.table import TablePosition
from bummerl.games.table_records import TABLE_GAMES, TABLE_KEYS, TABLE_ORDER, hand_fields, table_fields, table_record_of
from bummerl.position import PLAYERS, Closure, Position
from bummerl.rules import GAMES, Rules, RulesError

KEYS = (
    "id",
    "game",
    "rules",
    "trump",
    "me",
    "opp",
    "talon",
    "unseen",
    "gone",
    "turn",
    "led",
    "announced",
    "points",
    "tricks",
    "pending",
    "closed",
    "score",
)
# Results that a record of a suite may expect; they stand beside the position.
EXPECTATIONS = (
    "value",
    "winner",
    "best",
    "winning",
    "losing",
    "moves",
    "nodes",
    "hands",
    "first_move",
    "plan.won",
    "plan.upper",
    "plan.probability",
    "plan.expected",
    "open_cards.won",
    "open_cards.probability",
    "open_cards.expected",
    "advice.best",
    "advice.expected",
    "advice.moves",
)
ALL_GAMES = (*GAMES, *TABLE_GAMES)
ALL_KEYS = (*KEYS, *TABLE_KEYS)
# The keys of the games for four and three, in the order they are written.
GAME_KEYS = ("id", "game", *TABLE_ORDER)
_LONGEST_VALUE = 2000
_TALONS = {10: "ten", 12: "twelve"}
_PAIRS = {"points": "14:9", "tricks": "2:1", "pending": "20:0", "score": "7:5"}

AnyPosition = Position | TablePosition | TableHand


@dataclass(frozen=True, slots=True)
class Record:
    """A position with its name, and what else stood beside it in a file.

    Attributes
    ----------
    id : str
        The ``id`` key, or the line number.
    position : Position, TablePosition or TableHand
        The position, or a hand to bid on.
    extra : dict
        Keys of a JSON or CSV record that are not part of a position, such as expected results.
    line : int
        Where it stood in its file.
    """

    id: str
    position: AnyPosition
    extra: dict[str, Any] = field(default_factory=dict)
    line: int = field(default=1, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as a JSON object: its id, the keys of the position, then the extra keys."""
        return {"id": self.id, **fields_of(self.position), **self.extra}

    def to_line(self) -> str:
        """Return the record as a text line; extra keys have no place there."""
        name = self.id if re.fullmatch(r'[^\s#="\\]+', self.id) else json.dumps(self.id, ensure_ascii=False)
        return f"id={name} {self.position}"


def two_handed(position: AnyPosition, command: str) -> Position:
    """Return a position of a game for two, or raise a `RecordError`: others are not what a command answers."""
    if isinstance(position, Position):
        return position
    other = "solve" if isinstance(position, TablePosition) else "bid"
    raise RecordError("game", f"{command} answers games for two", f"use {other}")


def split_line(line: str) -> dict[str, str]:
    """Split a text line into its keys and values.

    Parameters
    ----------
    line : str
        ``key=value`` tokens; ``#`` at the start of a token begins a comment; a value with blanks stands in
        double quotes.

    Raises
    ------
    RecordError
        For a token without ``=``, an unknown key or a key given twice.
    """
    fields: dict[str, str] = {}
    for token in re.findall(r'#.*|[^\s=#"]+="(?:[^"\\]|\\.)*"|\S+', line):
        if token.startswith("#"):
            break
        key, equals, value = token.partition("=")
        key = key.strip().lower()
        if not equals or not key:
            raise RecordError(
                "record",
                f"{shorten(token)!r} is not key=value",
                "write tokens like trump=DJ, without blanks inside a hand",
            )
        if key not in ALL_KEYS and key not in EXPECTATIONS:
            raise unknown_key(key)
        if key in fields:
            raise RecordError(key, "is given twice", "keep one of them")
        if len(value) > 1 and value[0] == value[-1] == '"':
            try:
                value = str(json.loads(value))
            except ValueError:
                raise RecordError(key, f"{shorten(value)} is not a quoted text", "close the quotes") from None
        fields[key] = value
    # An empty value is no value, as in CSV and JSON.
    return {key: value for key, value in fields.items() if value}


def unknown_key(key: str) -> RecordError:
    """Return the error for a key that no record has, with the nearest one that exists."""
    near = nearest(key, ALL_KEYS)
    mend = f"did you mean {near}?" if near else f"keys are {' '.join(KEYS)}"
    return RecordError(shorten(key), "is not a key of a record", mend)


def parse_line(line: str, number: int = 1) -> Record:
    """Read one text line.

    Parameters
    ----------
    line : str
        ``key=value`` tokens.
    number : int
        The line number, the id of a record that has none.

    Returns
    -------
    Record

    Raises
    ------
    RecordError
        Naming the key, what is wrong and how to mend it.

    Examples
    --------
    >>> parse_line("trump=C me=STJ,CQ opp=SAQ,CJ points=55:34").position.points
    (55, 34)
    """
    fields = split_line(line)
    expected = {key: fields.pop(key) for key in EXPECTATIONS if key in fields}
    return Record(fields.pop("id", "") or str(number), record_of(fields), expected, number)


def parse_mapping(given: Mapping[str, Any], number: int = 1) -> Record:
    """Read a JSON object or a CSV row; other keys are kept as `Record.extra`.

    Parameters
    ----------
    given : mapping
        Keys to text, whole numbers or lists; empty text and None mean that a key is absent.
    number : int
        The line number, the id of a record that has none.

    Raises
    ------
    RecordError
        Naming the key, what is wrong and how to mend it. A misspelt key is an error, not an extra one.
    """
    fields: dict[str, str] = {}
    extra: dict[str, Any] = {}
    seen: set[str] = set()
    for key, value in given.items():
        name = key.strip().lower() if isinstance(key, str) else ""
        if name in ALL_KEYS:
            if name in seen:
                raise RecordError(name, "is given twice", "keep one of them")
            seen.add(name)
            text = _as_text(name, value)
            if text:
                fields[name] = text
        elif nearest(name, ALL_KEYS):
            raise unknown_key(name)
        else:
            extra[key] = value
    return Record(fields.pop("id", "") or str(number), record_of(fields), extra, number)


def _as_text(key: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        # Half of a surrogate pair is no character and could not be written again.
        return value.strip().encode("utf-8", "replace").decode()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) >= 10**18:
            raise RecordError(key, "is a number of more than 18 digits", "write it as text in quotes")
        return str(value)
    if isinstance(value, (list, tuple)) and all(isinstance(part, (str, int, float)) for part in value):
        joint = ":" if key in _PAIRS else ","
        return joint.join(_as_text(key, part) for part in value)
    raise RecordError(key, f"{shorten(str(value))} is neither text nor a whole number", "write it as text in quotes")


# From text to a position.


def record_of(fields: Mapping[str, str]) -> AnyPosition:
    """Build the position of any game from the text of its keys; see `position_of`."""
    for key, value in fields.items():
        if len(value) > _LONGEST_VALUE:
            raise RecordError(key, f"is {len(value):,} characters long", "a position is far shorter")
    game = fields.get("game", Rules().game).lower()
    if game in TABLE_GAMES:
        return table_record_of(fields)
    if game not in GAMES:
        raise RecordError(
            "game", f"{shorten(game)!r} cannot be read by this version", f"games are {', '.join(ALL_GAMES)}"
        )
    for key in TABLE_KEYS:
        if key in fields:
            raise RecordError(key, "is not a key of a game for two", f"add game={' or game='.join(TABLE_GAMES)}")
    return position_of(fields)


def fields_of(position: AnyPosition) -> dict[str, str]:
    """Return the keys of a position of any game, see `position_fields`."""
    if isinstance(position, Position):
        return position_fields(position)
    return table_fields(position) if isinstance(position, TablePosition) else hand_fields(position)


def position_of(fields: Mapping[str, str]) -> Position:
    """Build a two-handed position from the text of its keys, derive what is absent, and check all of it.

    Parameters
    ----------
    fields : mapping
        Keys to text, without ``id``.

    Raises
    ------
    RecordError
        For the first contradiction.
    """
    game = fields.get("game", Rules().game).lower()
    try:
        rules = Rules.parse(fields.get("rules", "soft"), game)
    except RulesError as error:
        raise RecordError("rules", str(error)) from None
    # Whoever has led the last card holds none.
    last_led = (
        "led" in fields and fields.get("turn", "").lower() == "opp" and len(_partial_cards(fields.get("opp", ""))) <= 1
    )
    for key, example in (("trump", "trump=DJ"), ("me", "me=SAT,HK,DQJ")):
        if not fields.get(key) and not (key == "me" and last_led):
            raise RecordError(key, "is missing", f"add {example}")
    trump, face_up = _trump(fields["trump"])
    led = None
    if "led" in fields:
        cards = _cards("led", fields["led"])
        if len(cards) != 1 or cards[0] is None:
            raise RecordError("led", f"{shorten(fields['led'])!r} is not one card", "write the led card like HA")
        led = cards[0]
    me = _hand("me", fields.get("me", ""))
    turn = _turn(fields.get("turn", "me"))
    points = _pair("points", fields.get("points", "0:0"))
    known_tricks = _pair("tricks", fields["tricks"]) if "tricks" in fields else None
    closed = _closure(fields["closed"]) if fields.get("closed", "open").lower() not in ("open", "no") else None
    held = _partial_cards(fields.get("opp", ""))
    opp, opp_unknown = _hand("opp", fields.get("opp", "").replace(UNKNOWN, "")), held.count(None)
    size = me.bit_count() + (0 if led is None else 1 if turn else -1)
    if opp_unknown and opp.bit_count() + opp_unknown != size:
        raise RecordError(
            "opp",
            f"has {opp.bit_count() + opp_unknown} cards with the unknown ones, but must have {size}",
            "count them",
        )
    gone = _hand("gone", fields["gone"]) if "gone" in fields else None
    unseen = _hand("unseen", fields["unseen"]) if "unseen" in fields else None

    # Cards in both hands and on the table, at the lead to this trick.
    in_play = me.bit_count() + size + (led is not None)
    deck = rules.deck
    talon: tuple[int | None, ...] | None
    if "talon" in fields:
        talon = _talon(fields["talon"], deck.talon)
    else:
        unknown = size - opp.bit_count()
        count = derive_talon_size(face_up, closed, in_play, gone, unseen, unknown, known_tricks, points, deck)
        talon = None if count is None else (None,) * count
    if talon:
        if talon[-1] is None:
            talon = (*talon[:-1], face_up)
        elif face_up is None:
            face_up = talon[-1]
        if talon[-1] != face_up:
            raise RecordError("talon", "does not end with the face-up trump card", "write it last, as in trump")
        if face_up is not None and suit_of(face_up) != trump:
            raise RecordError("talon", "ends with a card that is not a trump", "the face-up card comes last")
    elif talon == ():
        face_up = None
    draft = Position(
        me=me,
        opp=opp,
        trump=trump,
        face_up=face_up,
        talon=talon,
        gone=gone,
        turn=turn,
        led=led,
        announced=_announced(fields.get("announced", "0")),
        points=points,
        tricks=known_tricks,
        pending=_pair("pending", fields.get("pending", "0:0")),
        closed=closed,
        score=_pair("score", fields.get("score", "7:7")),
        rules=rules,
    )
    return check(draft, unseen)


def _cards(key: str, text: str) -> list[int | None]:
    """Read an ordered list of cards, ``?`` for an unknown one."""
    cards: list[int | None] = []
    try:
        if UNKNOWN not in text:
            return list(parse_cards(text))
        for part in re.split(r"(\?)", text):
            cards += [None] if part == UNKNOWN else list(parse_cards(part))
    except CardError as error:
        raise RecordError(key, str(error)) from None
    return cards


def _hand(key: str, text: str) -> int:
    try:
        return parse_hand(text)
    except CardError as error:
        raise RecordError(key, str(error), "every card exists once" if "twice" in str(error) else "") from None


def _partial_cards(text: str) -> list[int | None]:
    return _cards("opp", text)


@lru_cache(maxsize=256)
def _trump(text: str) -> tuple[int, int | None]:
    try:
        return parse_suit(text), None
    except CardError:
        pass
    try:
        cards = parse_cards(text)
    except CardError:
        cards = []
    if len(cards) != 1:
        raise RecordError(
            "trump",
            f"{shorten(text)!r} is neither a card nor a suit",
            "write the face-up card like DJ, or the suit like D",
        )
    return suit_of(cards[0]), cards[0]


def _talon(text: str, most: int) -> tuple[int | None, ...]:
    if re.fullmatch(r"[0-9]{1,3}", text):
        count = int(text)
        if count > most:
            raise RecordError("talon", f"{count} cards are too many", f"it has {_TALONS[most]} cards after the deal")
        return (None,) * count
    cards = tuple(_cards("talon", text))
    if len(cards) > most:
        raise RecordError("talon", f"{len(cards)} cards are too many", f"it has {_TALONS[most]} cards after the deal")
    return cards


def _turn(text: str) -> int:
    if text.lower() not in PLAYERS:
        raise RecordError("turn", f"{shorten(text)!r} is nobody", "write me or opp")
    return PLAYERS.index(text.lower())


@lru_cache(maxsize=8192)
def _pair(key: str, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})\s*:\s*([0-9]{1,3})", text)
    if not found:
        problem = f"{shorten(text)!r} is not mine:theirs"
        raise RecordError(key, problem, f"write two small whole numbers, such as {key}={_PAIRS[key]}")
    return int(found[1]), int(found[2])


def _announced(text: str) -> int:
    if text not in ("0", "20", "40"):
        raise RecordError(
            "announced", f"{shorten(text)!r} is not 20 or 40", "write what was announced with the led card"
        )
    return int(text)


def _closure(text: str) -> Closure:
    found = re.fullmatch(r"(me|opp)@([0-9]{1,3})(\+trick)?", text.lower())
    if not found:
        raise RecordError(
            "closed",
            f"{shorten(text)!r} is not who@points",
            "write who closed and the other's points then, such as me@19",
        )
    return Closure(PLAYERS.index(found[1]), int(found[2]), bool(found[3]) and int(found[2]) == 0)


# From a position to text.


def position_fields(position: Position) -> dict[str, str]:
    """Return the keys of a position that do not have their default, as canonical text in canonical order.

    Examples
    --------
    >>> position_fields(Position.parse("trump=c me=js10s,oc opp=♠AO,♣J points=55:34"))
    {'trump': 'C', 'me': 'STJ,CQ', 'opp': 'SAQ,CJ', 'points': '55:34'}
    """
    p = position
    fields: dict[str, str] = {}
    if p.rules.game != Rules().game:
        fields["game"] = p.rules.game
    if p.rules != Rules(game=p.rules.game):
        fields["rules"] = str(p.rules)
    fields["trump"] = "SHDC"[p.trump] if p.face_up is None else card_text(p.face_up)
    fields["me"] = hand_text(p.me)
    if p.opp:
        fields["opp"] = hand_text(p.opp)
    if p.talon is not None and (p.talon or p.closed):
        unknown_from = all(c is None for c in p.talon[:-1]) and p.talon[-1:] in ((None,), (p.face_up,))
        fields["talon"] = (
            str(len(p.talon)) if unknown_from else ",".join(UNKNOWN if c is None else card_text(c) for c in p.talon)
        )
    if p.gone is not None and p.gone != derived_gone(p):
        hidden = p.opp.bit_count() != p.opp_size or None in (p.talon or ())
        key, cards = ("unseen", p.unseen) if hidden and p.unseen else ("gone", p.gone)
        fields[key] = hand_text(cards)
    if p.turn:
        fields["turn"] = PLAYERS[p.turn]
    if p.led is not None:
        fields["led"] = card_text(p.led)
    if p.announced:
        fields["announced"] = str(p.announced)
    for key, pair, default in (
        ("points", p.points, (0, 0)),
        ("tricks", p.tricks, derived_tricks(p)),
        ("pending", p.pending, (0, 0)),
    ):
        if pair is not None and pair != default:
            fields[key] = f"{pair[0]}:{pair[1]}"
    if p.closed:
        fields["closed"] = str(p.closed)
    if p.score != (7, 7):
        fields["score"] = f"{p.score[0]}:{p.score[1]}"
    return fields


def position_text(position: Position) -> str:
    """Return the canonical text line of a position."""
    return " ".join(f"{key}={value}" for key, value in position_fields(position).items())

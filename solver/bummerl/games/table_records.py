"""Records of the games for four and three: from keys to a position or to what one player sees, checked, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bummerl.cards import (
    DECK,
    SUITS,
    CardError,
    card_symbol,
    card_text,
    hand_points,
    hand_text,
    parse_cards,
    parse_hand,
    parse_suit,
    rank_of,
    shorten,
    suit_mask,
)
from bummerl.errors import RecordError
from bummerl.games.contracts import Aim, ContractError, parse_contract
from bummerl.games.hand import TableHand
from bummerl.games.table import SEATS, TablePosition
from bummerl.games.table_rules import TableRules
from bummerl.games.tricks import legal_cards
from bummerl.moves import MoveError
from bummerl.rules import RulesError

# How many play.
TABLE_GAMES = {"bauernschnapsen": 4, "dreierschnapsen": 3}
TABLE_KEYS = ("p1", "p2", "p3", "p4", "contract", "declarer", "kontra", "trick", "seat", "discard")
_WHOLE = ("rules", "contract", "declarer", "trump", *SEATS, "kontra", "turn", "trick", "points", "tricks")
_SEEN = ("rules", "trump", "me", "seat", "score")
_OF_THREE = ("talon", "discard")
TABLE_ORDER = (*_WHOLE[:3], *_SEEN[1:], *_WHOLE[4:], *_OF_THREE)
_ACE = 5


def table_record_of(fields: Mapping[str, str]) -> TablePosition | TableHand:
    """Build a position, or with ``me`` or ``seat`` what one player sees, from the text of its keys.

    Raises
    ------
    RecordError
        For the first contradiction.
    """
    game = fields["game"].lower()
    players = TABLE_GAMES[game]
    seen = "me" in fields or "seat" in fields
    allowed = _SEEN if seen else _WHOLE if players == 4 else tuple(k for k in (*_WHOLE, *_OF_THREE) if k != "p4")
    for key in fields:
        if key not in ("game", *allowed):
            what = "a hand to bid on" if seen else f"a position of {game.capitalize()}"
            raise RecordError(key, f"is not a key of {what}", f"keys are {' '.join(allowed)}")
    try:
        rules = TableRules.parse(fields["rules"]) if "rules" in fields else TableRules()
    except RulesError as error:
        raise RecordError("rules", str(error)) from None
    trump = _trump(fields["trump"]) if "trump" in fields else None
    return _seen(fields, rules, trump, players) if seen else _position(fields, rules, trump, players)


def _seen(fields: Mapping[str, str], rules: TableRules, trump: int | None, players: int) -> TableHand:
    for key, example in (("me", "me=HAT,SA,DKJ"), ("seat", "seat=p1")):
        if key not in fields:
            raise RecordError(key, "is missing", f"add {example}")
    me, seat = _hand("me", fields["me"]), _seat("seat", fields["seat"], players)
    count = me.bit_count()
    sizes, words = ((5,), "five") if players == 4 else ((6, 8), "six, or eight with the talon,")
    # Which suit to name is not worked out for three players.
    if trump is None and (count != 3 or seat or players == 3):
        three = ", or forehand's first three cards" if players == 4 else ""
        mend = "add trump=H" if count in sizes else f"give {words} and trump=H{three}"
        raise RecordError("trump", "is missing", mend)
    if trump is not None and count not in sizes:
        raise RecordError("me", f"has {count} cards", f"give {words}{' or three and no trump' if players == 4 else ''}")
    if trump is not None and seat == 0 and not me & suit_mask(trump):
        raise RecordError("me", "holds no trump, but forehand named the suit or turned it up", "check trump")
    if players == 3 and "score" in fields:
        raise RecordError("score", "is not used with three players, who are no two sides", "leave it out")
    score = _pair("score", fields.get("score", "24:24"))
    if not all(1 <= part <= 24 for part in score):
        raise RecordError("score", f"{score[0]}:{score[1]} is not possible", "both sides still need 1 to 24 points")
    return TableHand(me, seat, trump, score, rules, players)


def _position(fields: Mapping[str, str], rules: TableRules, trump: int | None, players: int) -> TablePosition:
    for key, example in (("contract", "contract=rufer"), ("p1", "p1=HAT,SA,DKJ")):
        if key not in fields:
            raise RecordError(key, "is missing", f"add {example}")
    try:
        contract = parse_contract(fields["contract"])
    except ContractError as error:
        raise RecordError("contract", str(error)) from None
    if contract.has_trump and trump is None:
        raise RecordError("trump", f"is missing; {contract.german} is played with trumps", "add trump=H")
    seats = contract.seats_among(players)
    if not seats:
        raise RecordError(
            "contract", f"there is no {contract.german} in Dreierschnapsen", "it needs a hand of five cards"
        )
    if "declarer" not in fields and len(seats) > 1:
        raise RecordError("declarer", "is missing", "add declarer=p1")
    declarer = _seat("declarer", fields["declarer"], players) if "declarer" in fields else seats[0]
    if declarer not in seats:
        may = " or ".join(SEATS[seat] for seat in seats)
        raise RecordError("declarer", f"{SEATS[declarer]} cannot play {contract.german}", f"only {may} can bid it")
    kontra = fields.get("kontra", "1")
    if kontra not in ("1", "2", "4", "8"):
        raise RecordError(
            "kontra", f"{shorten(kontra)!r} is not 1, 2, 4 or 8", "write what the contract is multiplied by"
        )
    if kontra != "1" and not rules.doubles(contract):
        raise RecordError("kontra", f"{contract.german} cannot be doubled", "leave it out")
    trick = _trick(fields.get("trick", ""))
    draft = TablePosition(contract, declarer, trump, (0,) * players, 0, trick, kontra=int(kontra), rules=rules)
    draft = draft.changed(hands=_hands(fields, draft))
    draft = _check_play(fields, draft.changed(**_laid(fields, draft)))
    if "talon" in fields and "discard" in fields and draft.talon:
        laid = _two("discard", fields["discard"])
        try:
            return draft.lay_away(laid)
        except MoveError as error:
            raise RecordError("discard", str(error), "take the talon and lay two cards away") from None
    return draft


def _two(key: str, text: str) -> int:
    hand = _hand(key, text)
    if hand.bit_count() != 2:
        raise RecordError(key, f"has {hand.bit_count()} cards", "it has two")
    return hand


def _laid(fields: Mapping[str, str], draft: TablePosition) -> dict[str, int]:
    """Return the talon and the cards laid away, of three players."""
    if not draft.is_dreier:
        return {}
    known = sum(1 << index for index in draft.trick)
    for hand in draft.hands:
        known |= hand
    found = {}
    for key in _OF_THREE:
        if key in fields:
            found[key] = _two(key, fields[key])
            # What is laid away lies in the hand or in the talon as long as that is given.
            twice = found[key] & known if key == "talon" or "talon" not in fields else 0
            if twice:
                raise RecordError(key, f"{_some(twice)} stands twice", "every card exists once")
    if not draft.contract.takes_talon:
        if "discard" in fields:
            raise RecordError("discard", f"nothing is laid away in a {draft.contract.german}", "leave it out")
        return {}
    rest = DECK & ~known
    if "talon" in fields:
        return {"talon": found["talon"]}
    if "discard" not in fields and rest.bit_count() == 2:
        return {"discard": rest}
    return {"discard": found.get("discard", 0)}


def _hands(fields: Mapping[str, str], draft: TablePosition) -> tuple[int, ...]:
    players = len(draft.hands)
    hands = [_hand(key, fields[key]) if key in fields else None for key in SEATS[:players]]
    missing = [seat for seat in range(players) if hands[seat] is None]
    known = sum(1 << index for index in draft.trick)
    for seat, hand in enumerate(hands):
        twice = known & (hand or 0)
        if twice:
            raise RecordError(SEATS[seat], f"{_some(twice)} stands twice", "every card exists once")
        known |= hand or 0
    rest = DECK & ~known
    if players == 4 and len(missing) == 1 and rest.bit_count() == 5 - ("trick" in fields and len(draft.trick) > 3):
        hands[missing[0]] = rest
    elif missing and [seat for seat in missing if seat in draft.players or rest.bit_count() > draft.dealt]:
        raise RecordError(SEATS[missing[0]], "is missing", f"add {SEATS[missing[0]]}=SAT,HK,DQJ")
    return tuple(hand or 0 for hand in hands)


def _check_play(fields: Mapping[str, str], draft: TablePosition) -> TablePosition:
    """Find out who is on turn, and check hand sizes, tricks, points and the trick on the table."""
    sizes = [draft.hands[seat].bit_count() for seat in draft.players]
    most = max(sizes)
    if most > draft.dealt or (most == 0 and not draft.trick):
        words = f"a hand has one to {'six' if draft.is_dreier else 'five'}"
        raise RecordError(SEATS[draft.players[sizes.index(most)]], f"has {most} cards", words)
    if len(draft.trick) >= len(draft.players):
        raise RecordError("trick", f"{len(draft.trick)} cards are a whole trick", "write the position after it")
    held = most if draft.trick and sizes.count(most) == len(sizes) - len(draft.trick) else most + bool(draft.trick)
    if not draft.trick:
        held = most
    done = draft.dealt - held
    if draft.talon and (done or draft.trick):
        raise RecordError("talon", "is taken before the first card is played", "write discard, and the hand after it")
    turn = _turn(fields, draft, done)
    draft = draft.changed(turn=turn)
    for place, seat in enumerate(_from(draft, draft.leader)):
        wanted = held - (place < len(draft.trick))
        have = draft.hands[seat].bit_count()
        if have != wanted:
            raise RecordError(SEATS[seat], f"has {have} cards, but must have {wanted}", "count the hands and the trick")
    draft = _counted(fields, draft, done)
    _check_trick(draft)
    _check_special(draft, done)
    if draft.outcome is not None:
        raise RecordError(
            "points" if draft.contract.aim is Aim.RACE else "tricks",
            "the deal is over",
            "there is nothing left to solve",
        )
    return draft


def _from(position: TablePosition, leader: int) -> list[int]:
    return [position.after(leader, places) for places in range(len(position.players))]


def _turn(fields: Mapping[str, str], draft: TablePosition, done: int) -> int:
    first = done == 0
    fixed: int | None = None
    if first:
        fixed = draft.first_leader
    elif draft.contract.aim in (Aim.ALL_TRICKS, Aim.THREE_TRICKS):
        fixed = draft.declarer
    derived = None if fixed is None else draft.after(fixed, len(draft.trick)) if fixed in draft.players else fixed
    if "turn" not in fields:
        if derived is None:
            raise RecordError("turn", "is missing", "say who plays next, such as turn=p2")
        return derived
    turn = _seat("turn", fields["turn"], len(draft.hands))
    if turn not in draft.players:
        raise RecordError("turn", f"{SEATS[turn]} sits out", "his partner plays a Bettler")
    if derived is not None and turn != derived:
        leader = SEATS[fixed or 0]
        raise RecordError(
            "turn", f"{SEATS[turn]} cannot be next", f"{leader} has led or leads to this trick: turn={SEATS[derived]}"
        )
    return turn


def _counted(fields: Mapping[str, str], draft: TablePosition, done: int) -> TablePosition:
    """Add points and tricks."""
    aim = draft.contract.aim
    tricks: tuple[int, int] | None = _pair("tricks", fields["tricks"]) if "tricks" in fields else None
    points = _pair("points", fields["points"]) if "points" in fields else (0, 0)
    if tricks is None:
        if aim is Aim.RACE and done:
            raise RecordError(
                "tricks", "is missing", "write the tricks of the declarer's side and the other one, such as tricks=1:0"
            )
        tricks = (0, done) if aim is Aim.NO_TRICK else (done, 0)
    if sum(tricks) != done:
        raise RecordError(
            "tricks", f"{tricks[0]}:{tricks[1]} are not the {done} tricks played", "count them, or the hands"
        )
    if aim not in (Aim.RACE, Aim.THREE_TRICKS):
        if points != (0, 0):
            raise RecordError("points", f"do not count in a {draft.contract.german}", "leave them out")
        return draft.changed(tricks=tricks)
    if draft.is_dreier and done and not draft.discard:
        raise RecordError("discard", "is missing", "write the two cards that were laid away, such as discard=DQJ")
    gone = draft.gone_points
    extra = hand_points(draft.discard) if draft.rules.discards == "defenders" and aim is Aim.RACE else 0
    if "points" not in fields:
        points = (0, extra)
    bonus = sum(points) - gone - extra
    if "points" not in fields and done:
        raise RecordError("points", "is missing", f"write both sides' points, such as points={gone}:0")
    if bonus < 0 or bonus % 20 or bonus > 100 or (bonus and aim is Aim.THREE_TRICKS and points[1]):
        raise RecordError(
            "points",
            f"{points[0]}:{points[1]} is impossible: the cards gone hold {gone}, and marriages add 20 or 40",
            "check points against the cards",
        )
    for side in (0, 1):
        alone = points[side] - extra * side
        if alone and not tricks[side] and not (alone in (20, 40) and draft.trick and not done):
            raise RecordError(
                "points", f"{points[0]}:{points[1]} gives points to a side without a trick", "check tricks"
            )
    return draft.changed(points=points, tricks=tricks)


def _check_trick(draft: TablePosition) -> None:
    """Refuse a card on the table that its player could not play."""
    c = draft.contract
    for place, (seat, index) in enumerate(zip(_from(draft, draft.leader), draft.trick, strict=False)):
        hand = draft.hands[seat] | 1 << index
        legal = legal_cards(
            hand, draft.trick[:place], draft.suit, must_beat=draft.must_beat, ten_hole=c.ten_hole, free=draft.is_free
        )
        if not legal >> index & 1:
            raise RecordError(
                "trick",
                f"{SEATS[seat]} could not play {card_symbol(index)}, holding {_some(legal)}",
                "follow and beat, else trump, else play anything",
            )


def _check_special(draft: TablePosition, done: int) -> None:
    """Refuse a hand with which the contract cannot be bid."""
    hand = draft.hands[draft.declarer]
    name = draft.contract.german
    place = _from(draft, draft.leader).index(draft.declarer)
    if place < len(draft.trick):
        hand |= 1 << draft.trick[place]
    if draft.contract.hand == "one ace" and done == 0:
        aces = sum(rank_of(index) == _ACE for index in range(24) if hand >> index & 1)
        if aces != 1:
            raise RecordError(SEATS[draft.declarer], f"holds {aces} aces", f"{name} is played with exactly one")
    suits = [suit for suit in range(4) if not hand & ~suit_mask(suit)]
    if draft.contract.hand == "one suit" and (not suits or suits[0] == draft.trump):
        raise RecordError(SEATS[draft.declarer], "does not hold one suit that is not trumps", f"{name} needs all five")
    if draft.contract.hand == "all trumps" and suits != [draft.trump]:
        raise RecordError(SEATS[draft.declarer], "does not hold all trumps", f"{name} needs them")
    # Of three players forehand may have laid it away.
    if draft.trump is not None and done == 0 and not draft.discard and not _had_trump(draft):
        raise RecordError("p1", "holds no trump, but forehand named the suit or turned it up", "check trump")


def _had_trump(draft: TablePosition) -> bool:
    if 0 not in draft.players and not draft.hands[0]:
        return True
    hand = draft.hands[0]
    seats = _from(draft, draft.leader)
    if 0 in seats and seats.index(0) < len(draft.trick):
        hand |= 1 << draft.trick[seats.index(0)]
    return bool(hand & suit_mask(draft.trump or 0))


def _some(hand: int) -> str:
    return " ".join(card_symbol(index) for index in range(24) if hand >> index & 1)


def _hand(key: str, text: str) -> int:
    try:
        hand = parse_hand(text)
    except CardError as error:
        raise RecordError(key, str(error), "every card exists once" if "twice" in str(error) else "") from None
    if hand & ~DECK:
        raise RecordError(key, "holds a nine", "Bauernschnapsen has none")
    return hand


def _trick(text: str) -> tuple[int, ...]:
    try:
        cards = tuple(parse_cards(text)) if text else ()
    except CardError as error:
        raise RecordError("trick", str(error)) from None
    if len(set(cards)) < len(cards):
        raise RecordError("trick", "has a card twice", "every card exists once")
    return cards


def _trump(text: str) -> int:
    try:
        return parse_suit(text)
    except CardError as error:
        raise RecordError("trump", str(error), "write the suit like H") from None


def _seat(key: str, text: str, players: int) -> int:
    if text.lower() not in SEATS[:players]:
        raise RecordError(key, f"{shorten(text)!r} is no player", f"write p1 (forehand) to p{players} (dealer)")
    return SEATS.index(text.lower())


def _pair(key: str, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})\s*:\s*([0-9]{1,3})", text)
    if not found:
        raise RecordError(key, f"{shorten(text)!r} is not two numbers", f"write them like {key}=14:9")
    return int(found[1]), int(found[2])


def game_of(players: int) -> str:
    """Return the game that so many play."""
    return next(game for game, count in TABLE_GAMES.items() if count == players)


def table_fields(position: TablePosition) -> dict[str, str]:
    """Return the keys of a position that do not have their default, as canonical text in canonical order."""
    p = position
    fields = {"game": game_of(len(p.hands))}
    if p.rules != TableRules():
        fields["rules"] = str(p.rules)
    fields["contract"] = p.contract.name
    if len(p.contract.seats_among(len(p.hands))) > 1:
        fields["declarer"] = SEATS[p.declarer]
    if p.trump is not None:
        fields["trump"] = SUITS[p.trump]
    fields.update({SEATS[seat]: hand_text(hand) for seat, hand in enumerate(p.hands) if hand})
    if p.kontra != 1:
        fields["kontra"] = str(p.kontra)
    done = p.dealt - p.cards_left
    if done or p.trick:
        fields["turn"] = SEATS[p.turn]
    if p.trick:
        fields["trick"] = ",".join(map(card_text, p.trick))
    if p.points != (0, 0) or (done and p.contract.aim in (Aim.RACE, Aim.THREE_TRICKS)):
        fields["points"] = f"{p.points[0]}:{p.points[1]}"
    if done:
        fields["tricks"] = f"{p.tricks[0]}:{p.tricks[1]}"
    if p.talon:
        fields["talon"] = hand_text(p.talon)
    if p.discard and done:
        fields["discard"] = hand_text(p.discard)
    return fields


def hand_fields(hand: TableHand) -> dict[str, str]:
    """Return the keys of what one player sees."""
    fields = {"game": game_of(hand.players)}
    if hand.rules != TableRules():
        fields["rules"] = str(hand.rules)
    if hand.trump is not None:
        fields["trump"] = SUITS[hand.trump]
    fields.update(me=hand_text(hand.me), seat=SEATS[hand.seat])
    if hand.score != (24, 24):
        fields["score"] = f"{hand.score[0]}:{hand.score[1]}"
    return fields

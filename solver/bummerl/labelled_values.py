"""Values of the labelled form, as players write them, put into the spelling of records."""

from __future__ import annotations

import re

from bummerl.cards import SUITS, SYMBOLS, UNKNOWN, CardError, card_text, parse_cards, parse_suit, shorten
from bummerl.errors import RecordError

MINE = {"you", "me", "i", "du", "ich"}
THEIRS = {"opponent", "the opponent", "opp", "gegner", "der gegner", "he", "she"}
_RANK_WORDS = {"ace": "A", "ass": "A", "ten": "T", "zehner": "T", "zehn": "T", "king": "K", "könig": "K", "queen": "Q"}
_RANK_WORDS |= {"dame": "Q", "ober": "Q", "jack": "J", "bube": "J", "bub": "J", "unter": "J", "of": "", "and": ""}
DASHES = "-–—−"
NOTHING = re.compile(rf"[{DASHES}]+|none|void|keine", re.IGNORECASE)
_LONGEST_VALUE = 2000
_LONGEST_WORD = 20


def is_suit(text: str) -> bool:
    """Say whether a text names a suit."""
    try:
        parse_suit(text)
    except CardError:
        return False
    return True


def record_fields(lines: dict[str, list[str]], opponents: set[str]) -> dict[str, str]:
    """Put the values of a problem into the spelling of records.

    Parameters
    ----------
    lines : dict
        Lines of the value of each key; ``leader`` is who leads to the trick, and may name the led card too;
        ``points of me`` and ``points of opp`` are what stands beside the players' names.
    opponents : set of str
        Names the opponent is known by, in lower case.

    Raises
    ------
    RecordError
        For a value that cannot be read.

    Examples
    --------
    >>> record_fields({"me": ["10 of Spades, King of Hearts"], "leader": ["Anna"], "points": ["Anna 4, you 11"]}, set())
    {'points': '11:4', 'me': 'ST,HK', 'closed': 'open', 'turn': 'opp'}
    """
    values = {key: " ".join(parts).strip() for key, parts in lines.items()}
    for key, value in values.items():
        if len(value) > _LONGEST_VALUE:
            raise RecordError(key, f"is {len(value):,} characters long", "a position is far shorter")
    fields = {key: values[key] for key in ("rules", "game") if values.get(key)}
    halves = [values.get(f"points of {who}") for who in ("me", "opp")]
    if halves != [None, None]:
        if None in halves or "points" in values:
            raise RecordError("points", "are not given once for both", "write Trick points: You 15, opponent 32")
        values["points"] = f"{halves[0]}:{halves[1]}"
    names = set(opponents)
    # These tell the opponent's name, which other values may use.
    for key in ("points", "score", "tricks", "pending"):
        if values.get(key):
            fields[key] = _pair(key, values[key], names)
    if len(names - THEIRS) > 1:
        raise RecordError("opp", f"has several names: {shorten(', '.join(sorted(names)))}", "write opponent")
    names |= THEIRS
    for key in ("me", "opp", "unseen", "gone"):
        if key in values:
            fields[key] = _cards(key, lines[key])
    _trump_and_talon(values, fields, names)
    if values.get("announced"):
        announced = re.sub(r"\s*(points|punkte)$", "", values["announced"], flags=re.IGNORECASE)
        fields["announced"] = "0" if NOTHING.fullmatch(announced) else announced
    _lead(values, fields, names)
    return fields


def with_letters(text: str) -> str:
    """Write suits and ranks as letters, whatever they are called."""

    def letter(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in _RANK_WORDS:
            return f" {_RANK_WORDS[word]} "
        for end in range(min(len(word), _LONGEST_WORD), 2, -1):
            rank = _RANK_WORDS.get(word[end:], "" if end == len(word) else None)
            if rank is not None and is_suit(word[:end]):
                return f" {SUITS[parse_suit(word[:end])]}{rank} "
        return match[0]

    # The hyphen of "Karo-Bub" is no dash for a void suit.
    text = re.sub(r"(?<=[^\W\d_]{3})-(?=\w)", " ", text)
    text = re.sub(r"[♠♥♦♣]", lambda match: SUITS[SYMBOLS.index(match[0])], text)
    return re.sub(r"[^\W\d_]{2,}", letter, text)


def _cards(key: str, lines: list[str]) -> str:
    """Read the lines of a hand: suit by suit, card by card, or as columns below the suits; ``?`` stays."""
    lines = [with_letters(line) for line in lines if line.strip()]
    if len(lines) == 1 and NOTHING.fullmatch(lines[0].strip()):
        return ""
    suits = re.findall(r"[SHDC]", lines[0].upper()) if lines else []
    if len(lines) > 1 and len(suits) > 1 and not re.sub(r"[SHDC\s|,:]", "", lines[0].upper()):
        rows = [_cells(key, row, len(suits)) for row in lines[1:] if re.sub(r"[-|:\s]{7,}", "", row)]
        lines = [f"{suit} {cell}" for row in rows for suit, cell in zip(suits, row, strict=True)]
    return ",".join(piece for line in lines for piece in _pieces(key, line))


def _cells(key: str, row: str, count: int) -> list[str]:
    for separator in ("\t", r"\|", r"\s{2,}", r"\s+"):
        cells = [cell.strip() or "-" for cell in re.split(separator, row.strip("| "))]
        if len(cells) == count:
            return cells
    raise RecordError(key, f"{shorten(row)!r} does not have {count} columns", "write — where there is no card")


def _pieces(key: str, line: str) -> list[str]:
    """Read a line of cards in order. Ranks belong to the suit before them in the line, or to that after them."""
    text = re.sub(r"(?<=[SHDC])\s*[:=]", " ", line.upper())
    # Nothing but another suit can follow a void one: a rank would go to the suit before.
    text = re.sub(rf"[SHDC]\s*(?:[{DASHES}]+|NONE|VOID|KEINE)(?=[\s,/;|\"]*(?:[SHDC]|$))", " ", text)
    text = re.sub(rf"(?<=[SHDC])[{DASHES}](?=[ATKQJOU1])", "", text)
    text = re.sub(r"[/;|\"]", ",", text)
    pieces: list[str] = []
    for part in re.split(r"(\?)", text):
        try:
            pieces += [UNKNOWN] if part == UNKNOWN else [card_text(index) for index in _in_order(part)]
        except CardError as error:
            mend = "" if "write" in str(error) else "write cards like ♠A ♥10, and — for a void suit"
            raise RecordError(key, str(error), mend) from None
    return pieces


def _in_order(text: str) -> list[int]:
    try:
        return parse_cards(text.strip(" ,."))
    except CardError:
        groups = re.split(r"[\s,.]+", text)
        orders = {
            group[0] in SUITS for group in groups if len(group) > 1 and (group[0] in SUITS) != (group[-1] in SUITS)
        }
        if len(orders) > 1:
            raise CardError(f"{shorten(text)!r} has suits before ranks and behind them") from None
        if orders == {False} and any(group and not set(group) & set(SUITS) for group in groups):
            raise CardError(f"{shorten(text)!r} has a rank without a suit") from None
        return parse_cards("".join(groups))


def _pair(key: str, text: str, opponents: set[str]) -> str:
    """Read ``15:32`` or ``You 15, opponent 32``; who is not "you" in the latter is the opponent, by any name."""
    plain = re.sub(r"\s*\b(points|punkte)\b", "", text, flags=re.IGNORECASE).strip(" .")
    if numbers := re.fullmatch(rf"(\d{{1,3}})\s*(?:[{DASHES}:/]|to|zu)\s*(\d{{1,3}})", plain):
        return f"{numbers[1]}:{numbers[2]}"
    found: dict[bool, str] = {}
    parts = re.split(r"\s*(?:[,;/]|\band\b|\bund\b)\s*", plain)
    for part in parts:
        entry = re.fullmatch(r"((?:the |der )?[^\W\d_]+)[\s:=]+\(?(\d{1,3})\)?", part, re.IGNORECASE)
        if entry:
            name = entry[1].lower()
            found[name in MINE] = entry[2]
            if name not in MINE:
                opponents.add(name)
    if len(parts) != 2 or len(found) != 2:
        raise RecordError(key, f"{shorten(text)!r} does not say both numbers", "write 15:32 or You 15, opponent 32")
    return f"{found[True]}:{found[False]}"


_FACE_UP = re.compile(
    r"[,;(]?\s*(?:and )?(?:the )?(?:face[- ]?up(?: card)?|aufgedeckte?(?: karte)?)\s*[:=]?", re.IGNORECASE
)
_SHUT = re.compile(r"(?:closed|geschlossen|gesperrt|zugedreht)\b(?:\s+(?:by|von)\s+(.+))?[\s,;]*", re.IGNORECASE)
_COUNT = re.compile(r"(\d{1,3})\s*(face[- ]?down|verdeckte?)?\s*(?:cards?|karten?)?(?: left)?", re.IGNORECASE)
_LEADS = re.compile(r"\b(?:the|der|to lead|has led|leads?|led|spielt|aus)\b|[:,()]", re.IGNORECASE)
_USED_UP = re.compile(r"exhausted|empty|used up|gone|aufgebraucht|leer", re.IGNORECASE)


def _trump_and_talon(values: dict[str, str], fields: dict[str, str], theirs: set[str]) -> None:
    said = [_FACE_UP.split(values.get(key, ""), maxsplit=1) for key in ("trump", "talon")]
    trumps = [part.strip(" ,;.)") for part in (said[0][0], *(more for _, *rest in said for more in rest))]
    for text in filter(None, trumps):
        plain = with_letters(text).strip()
        trump = plain.upper() if is_suit(plain) else "".join(_pieces("trump", plain)) or plain
        before = fields.get("trump", trump)
        if len({before, trump}) > 1 and (before[0] != trump[0] or len(before) == len(trump)):
            raise RecordError(
                "trump", f"{shorten(text)!r} is not what is said before", "say once which card lies face up"
            )
        fields["trump"] = max(before, trump, key=len)
    talon, said_open = re.subn(r"^(?:open|offen)\b[\s,;]*", "", said[1][0].strip(), flags=re.IGNORECASE)
    closed = _closed(values["closed"], theirs) if values.get("closed") else "open"
    if shut := _SHUT.search(talon):
        talon = talon.replace(shut[0], "")
        if shut[1] and closed != "open":
            raise RecordError("closed", "is given twice", "say once who closed")
        closed = _closed(shut[1], theirs) if shut[1] else closed
        if closed == "open":
            raise RecordError("closed", "is missing", "add who closed, such as Closed by: You, opponent had 19")
    elif said_open and closed != "open":
        raise RecordError("talon", "is said to be open, and closed", "remove one of the two")
    fields["closed"] = closed
    talon = talon.strip(" ,;")
    if count := _COUNT.fullmatch(talon):
        # The stock is even at every lead: an odd number of face-down cards leaves out the one that lies face up.
        number = int(count[1])
        fields["talon"] = str(number + 1 if count[2] and (number % 2 or not shut) else number)
    elif _USED_UP.fullmatch(talon) or NOTHING.fullmatch(talon):
        fields["talon"] = "0"
    elif talon:
        fields["talon"] = _cards("talon", [talon])


def _who(text: str, theirs: set[str]) -> str | None:
    name = text.strip(" ,.:").lower()
    return "me" if name in MINE else "opp" if name in theirs else None


def _closed(text: str, theirs: set[str]) -> str:
    """Read ``You, opponent had 19``; the number is that of the player who did not close."""
    text = re.sub(r"(no|kein(?:en)?) (?:tricks?|stich|points|punkte)", "0", text.strip(), flags=re.IGNORECASE)
    found = re.fullmatch(
        r"([^\d,@(;]+?)\s*[,@(;]\s*([^\d]*?)\s*(\d{1,3})\s*(?:points|punkte)?\s*\)?", text, re.IGNORECASE
    )
    if found:
        other = re.sub(r"\b(at|with|had|has|hatte|hattest|bei|mit)\b", "", found[2].lower()).strip()
        who, whose = _who(found[1], theirs), _who(other, theirs)
        if who and who != whose and (whose or not other):
            return f"{who}@{found[3]}"
    if text.lower() in ("open", "no") or NOTHING.fullmatch(text):
        return "open"
    mend = "write who closed and the other's points then, such as You, opponent had 19"
    raise RecordError("closed", f"{shorten(text)!r} is not who and the other's points", mend)


def _lead(values: dict[str, str], fields: dict[str, str], theirs: set[str]) -> None:
    """Work out who plays next from who leads and what is led."""
    leader, led = None, values.get("led", "")
    if text := values.get("leader"):
        name, card = [*_LEADS.sub(" ", text).split(maxsplit=1), "", ""][:2]
        leader = _who(name, theirs)
        if leader is None:
            # A card alone is one the opponent has led.
            leader, card = "opp", text
        if led and card:
            raise RecordError("led", "is given twice", "keep one of them")
        led = led or card
    if led:
        try:
            fields["led"] = _cards("led", [led])
        except RecordError as error:
            if "led" in values:
                raise
            raise RecordError("turn", f"{shorten(text or '')!r} is nobody", "write You or Opponent leads CA") from error
    if values.get("turn"):
        fields["turn"] = _who(values["turn"], theirs) or values["turn"]
    if leader:
        turn = "me" if (leader == "me") != bool(fields.get("led")) else "opp"
        if fields.get("turn", turn) != turn:
            raise RecordError("turn", "contradicts who leads", "keep one of them")
        fields["turn"] = turn

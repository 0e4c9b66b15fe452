"""Problems as they are published: blocks of ``Label: value`` lines, hands with suit symbols, pasted web text.

Each label stands for a key of a record; its value is put into the spelling of records, and `records.parse_mapping`
does the rest, so what follows from the rest may be left out here too and contradictions meet the same checks.
Game points are those still needed, as in records.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bummerl.cards import SYMBOLS, UNKNOWN, card_symbol, cards_in, parse_hand, printable, shorten
from bummerl.errors import RecordError, nearest
from bummerl.labelled_values import DASHES, MINE, THEIRS, is_suit, record_fields, with_letters
from bummerl.records import KEYS, Record, parse_mapping, position_fields, split_line, two_handed

# A label without apostrophes; "leader" is no key of a record, since a record says who plays next.
_LABELS = {
    "me": "your cards,my cards,your hand,my hand,hand,you,deine karten,meine karten,deine hand,meine hand,dein blatt",
    "opp": "opponents cards,opponent cards,opponents hand,opponent,gegner,karten des gegners,gegnerische karten",
    "unseen": "concealed cards,concealed,unseen cards,hidden cards,verdeckte karten,unbekannte karten,ungesehene karten",
    "trump": "trumps,trump card,trump suit,face-up card,face up card,atout,trumpf,trumpfkarte,aufgedeckte karte",
    "talon": "stock,stapel",
    "gone": "cards gone,cards played,played cards,gespielte karten",
    "leader": "on lead,lead,leader,to lead,am ausspiel,ausspiel",
    "turn": "on turn,am zug",
    "led": "led card,card led,opponent led,opponent leads,ausgespielte karte,ausgespielt,gegner spielt aus",
    "announced": "marriage announced,marriage,ansage,angesagt",
    "points": "trick points,punkte,stichpunkte,augen",
    "tricks": "tricks taken,stiche",
    "pending": "pending points,pending marriage points",
    "closed": "closed by,stock closed by,talon closed by,geschlossen von,gesperrt von,zugedreht von",
    "score": "match score,game points,spielpunkte,spielstand",
    "rules": "regeln",
    "id": "problem,aufgabe",
}
_KEY_OF = {name: key for key, names in _LABELS.items() for name in names.split(",")} | {key: key for key in KEYS}
_CARD_KEYS = {"me", "opp", "unseen", "gone", "talon", "led"}
_HEADING = re.compile(r"#|(problem|aufgabe|position|puzzle|rätsel|example|beispiel|no\.|nr\.)\s*#?\s*\d", re.IGNORECASE)
# What a browser shows as a title, as a paragraph, on a line of its own, and as a cell.
_SPACING = [
    (re.compile(rf"<(?:{names})\b[^<>]*>", re.IGNORECASE), shown)
    for names, shown in (
        ("h[1-3]", "\n\n# "),
        ("/?(?:p|hr|[uo]l|table|blockquote|h[1-6])", "\n\n"),
        ("/?(?:br|div|li|tr)", "\n"),
        ("td|th", "\t"),
    )
]
_TAG = re.compile(r"<!--(?:(?!-->|<!--).)*-->|</?[a-z][^<>]*>", re.IGNORECASE)
_GLYPHS = str.maketrans("♤♡♢♧’‘ʼ`“”", "♠♥♦♣''''\"\"", "*\ufe0e\ufe0f")
_POINTS_ONLY = re.compile(r"\(?\s*(\d{1,3})\s*(?:points?|punkte)\s*\)?", re.IGNORECASE)
_LONGEST_LABEL = 40
_MEND_LINE = "write 'Label: value', or # before a heading"


_WRITTEN = {
    "rules": "Rules",
    "trump": "Trump",
    "me": "Your cards",
    "opp": "Opponent's cards",
    "talon": "Stock",
    "unseen": "Concealed cards",
    "gone": "Cards played",
    "leader": "On lead",
    "led": "Led card",
    "announced": "Marriage announced",
    "points": "Trick points",
    "tricks": "Tricks",
    "pending": "Pending",
    "closed": "Closed by",
    "score": "Game points",
}


@dataclass
class _Label:
    """A label with its value: the key it stands for, the opponent's name if it tells it, what is wrong with it."""

    key: str
    value: str
    opponent: str = ""
    error: RecordError | None = None


@dataclass
class _Problem:
    """The lines of one problem: values by key, and the first thing wrong with them."""

    line: int
    name: str = ""
    values: dict[str, list[str]] = field(default_factory=dict)
    opponents: set[str] = field(default_factory=set)
    key: str = ""  # the last one, which takes further lines
    paragraph: set[str] = field(default_factory=set)  # keys since the last blank line
    titled: bool = False  # the name is a heading for certain
    loose: bool = False  # began after a blank line alone
    apart: bool = False  # may belong elsewhere
    error: RecordError | None = None

    def fail(self, key: str, problem: str, mend: str) -> None:
        """Remember what is wrong, the first time."""
        self.error = self.error or RecordError(shorten(key), problem, mend)

    @property
    def is_whole(self) -> bool:
        """Say whether a blank line ends it: it has a hand and the trump, or cannot be told from its neighbours."""
        return self.apart or {"me", "trump"} <= self.values.keys()

    def add(self, label: _Label, after_blank: bool) -> None:
        """Take another label; the same one twice is an error."""
        if after_blank:
            self.paragraph = set()
        if label.error:
            self.error = self.error or label.error
        elif label.key in self.values:
            self.fail(label.key, "is given twice", "keep one of them, or put a heading between two problems")
        self.values.setdefault(label.key, []).append(label.value)
        self.paragraph.add(label.key)
        self.key = label.key
        if label.opponent:
            self.opponents.add(label.opponent)

    def end_paragraph(self) -> None:
        """Refuse a part between two blank lines that may go with the problem above or with the one below."""
        if self.loose and self.values and not self.is_whole:
            mend = "delete the blank line, or write a heading over each problem"
            self.fail(self.key, "may belong to the problem above or below", mend)
            self.apart = True

    def is_over(self, key: str, after_blank: bool) -> bool:
        """Say whether a label begins another problem, which is an error where blank lines say otherwise."""
        first = next(iter(self.values), None)
        if first is None:
            return False
        if key == first and not after_blank and self.paragraph != self.values.keys():
            self.fail(key, "stands twice around a blank line", "write a heading over each problem")
        return key == first or (after_blank and (key in self.values or (self.is_whole and not self.name)))


def read_labelled(lines: Iterable[str]) -> Iterator[Record | RecordError]:
    """Read problems in the labelled form; a problem that cannot be read is an error, not the end.

    A heading line, or the first label of a problem once more, begins another problem. So does a blank line once
    the cards of ``me`` and the trump are known, except under a heading.

    Parameters
    ----------
    lines : iterable of str
        ``Label: value`` lines; labels in English or German, or keys of records. A line without a label continues
        a hand, or is a heading, which becomes the id.

    Yields
    ------
    Record or RecordError
        In order, with the number of the first line of the problem.

    Examples
    --------
    >>> text = "Trump: ♠ | Your cards: ♠10 ♥— ♣Q J | Opponent's cards: ♠K ♥A ♣10 | Trick points: You 42, opponent 38"
    >>> [str(record.position) for record in read_labelled(text.split(" | "))]
    ['trump=S me=ST,CQJ opp=SK,HA,CT points=42:38']
    """
    problem, after_blank, found, number = _Problem(1), False, False, 0
    for number, text in _plain_lines(lines):
        if not text:
            after_blank = True
            problem.end_paragraph()
            continue
        is_heading = bool(_HEADING.match(text))
        labels = [] if is_heading else _labels_of(text)
        for label in labels:
            if problem.is_over(label.key, after_blank):
                found = True
                yield _finished(problem)
                problem = _Problem(number, loose=label.key not in problem.values)
            elif not problem.values and not problem.name:
                problem.line = number
            problem.add(label, after_blank)
            after_blank = False
        if labels:
            continue
        if not is_heading and problem.key and _continues(problem, text):
            problem.values[problem.key].append(text)
        elif not is_heading and ((problem.values and not after_blank) or _must_be_read(text)):
            if not problem.values and not problem.name and not problem.error:
                problem.line = number
            problem.fail("line", f"{shorten(text)!r} is neither a label with a value nor a heading", _MEND_LINE)
        else:
            if problem.values or problem.error:
                found = True
                yield _finished(problem)
                problem = _Problem(number)
            # Of several lines of a heading the first counts; other text between it and the problem is passed over.
            if is_heading or not problem.name or (after_blank and not problem.titled):
                problem.titled = is_heading
                problem.name, problem.line = text.lstrip("# ").strip() or str(number), number
        after_blank = False
    if problem.values or problem.error:
        problem.end_paragraph()
        yield _finished(problem)
    elif number and not found:
        yield RecordError("record", "there is no problem in this text", _MEND_LINE).at(1)


def _plain_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Go through the lines as plain text, "" for a blank one; a line of tags alone is none."""
    for number, raw in enumerate(lines, 1):
        line = raw
        for tag, shown in _SPACING:
            line = tag.sub(shown, line)
        for part in line.splitlines() or [""]:
            text = _plain(part)
            if text or "<" not in part:
                yield number, text


def _plain(text: str) -> str:
    text = html.unescape(_TAG.sub("", text))
    # Half of a surrogate pair could not be written again, and is no card.
    text = unicodedata.normalize("NFKC", re.sub("[\ud800-\udfff]", "\ufffd", text)).translate(_GLYPHS)
    text = "".join(c for c in text if unicodedata.category(c) != "Cf").strip()
    # A dash is a bullet only before a label or a suit; elsewhere it can be a void suit.
    text = re.sub(rf"^(?:[•·▪‣◦●○>]\s*|[{DASHES}]\s+(?=[^:=]{{0,40}}[:=]|[{SYMBOLS}]))+", "", text)
    return text.strip("| \t") if "|" in text else text


def _labels_of(text: str) -> list[_Label]:
    """Return the labels of a line with their values; none for a line without a label."""
    if len(re.findall(r"(?<!\S)\w+=", text)) > 1:
        try:
            return [_Label(key, value) for key, value in split_line(text).items()]
        except RecordError as error:
            return [_Label(f"unknown {text}", text, error=error)]
    label, *values = (part.strip() for part in re.split("[:=]", text, maxsplit=1))
    # What is longer is a sentence; a number is half of a pair.
    if not values or len(label) > _LONGEST_LABEL or not re.search(r"[^\W\d_]", label):
        return []
    value = values[0]
    name = re.sub(r"\s*\(.*?\)|'", "", " ".join(label.lower().split()))
    if is_suit(name):
        return []
    key = "me" if name in MINE else "opp" if name in THEIRS else _KEY_OF.get(name)
    if key in ("me", "opp", None) and name.isalpha() and (points := _POINTS_ONLY.fullmatch(value)):
        # A hand below a name with points: "Anna: (41 points)".
        who = key or "opp"
        return [_Label(f"points of {who}", points[1]), _Label(who, "", "" if key else name)]
    if key:
        return [_Label(key, value)]
    if owner := re.fullmatch(r"(\w+?)'s? (?:cards|hand)", label):
        return [_Label("opp", value, owner[1].lower())]
    near = nearest(name, _KEY_OF)
    mend = f"did you mean {near}?" if near else "labels are such as Your cards, Trump, Stock, Trick points, On lead"
    return [_Label(f"unknown {name}", value, error=RecordError(shorten(label), "is not a known label", mend))]


def _continues(problem: _Problem, text: str) -> bool:
    """Say whether a line without a label goes on with the value above: its first line, or more of a hand."""
    if not any(problem.values[problem.key]):
        return True
    written = re.sub(rf"\b(none|void|keine)\b|10|[{DASHES}\s,/|;?:=]", "", with_letters(text), flags=re.IGNORECASE)
    return problem.key in _CARD_KEYS and not re.search(r"[^SHDCATKQJOU]", written.upper())


def _must_be_read(text: str) -> bool:
    """Say whether a line names a suit or begins with a label: it must not be passed over as a heading."""
    names = tuple(name for name in _KEY_OF if len(name) > 4 and name not in ("problem", "aufgabe"))
    return any(c in SYMBOLS for c in text) or text.lower().replace("'", "").startswith(names)


def _finished(problem: _Problem) -> Record | RecordError:
    name = printable(problem.name or " ".join(problem.values.get("id", [])))
    try:
        if problem.error:
            raise problem.error
        return parse_mapping({**record_fields(problem.values, problem.opponents), "id": name}, problem.line)
    except RecordError as error:
        return error.at(problem.line, name or None)


def write_labelled(record: Record) -> str:
    """Write a record in the labelled form; extra keys have no place there.

    Examples
    --------
    >>> from bummerl.records import parse_line
    >>> print(write_labelled(parse_line("id=end trump=C me=STJ,CQ opp=SAQ,CJ points=55:34")))
    # end
    Trump: ♣
    Your cards: ♠ 10 J  ♥ —  ♦ —  ♣ Q
    Opponent's cards: ♠ A Q  ♥ —  ♦ —  ♣ J
    Stock: exhausted
    On lead: You
    Trick points: You 55, opponent 34
    <BLANKLINE>
    """
    position = two_handed(record.position, "this text")
    fields = position_fields(position)
    for key in ("me", "opp", "unseen", "gone"):
        if key in fields or key == "me":
            fields[key] = _by_suit(parse_hand(fields.get(key, "")))
    if position.face_up is not None:
        fields["trump"] = card_symbol(position.face_up)
    else:
        fields["trump"] = SYMBOLS[position.trump]
    talon = fields.get("talon", "")
    if talon and not talon.isdigit():
        talon = " ".join(UNKNOWN if c is None else card_symbol(c) for c in position.talon or ())
    elif talon:
        talon = f"{talon} cards"
    closed = position.closed
    fields["talon"] = ("closed, " + talon).strip(" ,") if closed else talon or "exhausted"
    if closed:
        fields["closed"] = (
            f"You, opponent had {closed.points}" if closed.by == 0 else f"Opponent, you had {closed.points}"
        )
    led = position.led
    fields["leader"] = "You" if (led is None) == (position.turn == 0) else "Opponent"
    if led is not None:
        fields["led"] = card_symbol(led)
    for key in ("points", "tricks", "pending", "score"):
        if key in fields:
            fields[key] = "You {}, opponent {}".format(*fields[key].split(":"))
    name = html.escape(" ".join(printable(record.id).split()), quote=False)
    return "".join([f"# {name}\n", *(f"{label}: {fields[key]}\n" for key, label in _WRITTEN.items() if key in fields)])


def _by_suit(hand: int) -> str:
    held = [[card_symbol(index)[1:] for index in cards_in(hand) if index // 6 == suit] for suit in range(4)]
    return "  ".join(f"{SYMBOLS[suit]} {' '.join(ranks) or '—'}" for suit, ranks in enumerate(held))

import csv
import io
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bummerl.cards import hand_text, parse_hand
from bummerl.errors import RecordError
from bummerl.files import FileError, read_stream
from bummerl.position import Position
from bummerl.records import KEYS, Record, parse_line, parse_mapping, position_fields
from bummerl.worlds import hide
from tests.conftest import sample
from tests.malformed import GOOD, MALFORMED

HIDDEN = "trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2"
PUBLISHED = [
    HIDDEN,
    "trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@28",
    "trump=DJ me=SA,HT,DAK,CQ opp=DTQ,CATK points=41:38 closed=me@38",
    "trump=HJ me=DTQ,CKJ opp=DAK,CQ led=HT points=54:26 closed=opp@54",
    "trump=CQ me=SAKJ,HK unseen=STQ,HQ,DT led=CT points=15:45 closed=opp@15",
    "trump=HQ me=ST,HAT,DA,CA talon=10",
    "trump=HQ me=ST,HAT,DA,CA",
    "trump=H me=SA,HTKJ opp=HAQ,CA led=CQ points=45:40",
]
POSITIONS = sample(400, seed=5, tricks=(0, 1, 2, 3, 4, 5, 7, 9))


@pytest.mark.parametrize("text", PUBLISHED)
def test_published_positions_round_trip(text):
    position = Position.parse(text)
    assert Position.parse(str(position)) == position


def test_complete_and_hidden_positions_round_trip_in_every_format():
    everything = POSITIONS + [hide(p) for p in POSITIONS]
    records = [Record(f"r {i}", p, line=i) for i, p in enumerate(everything, 1)]
    text = "\n".join(record.to_line() for record in records)
    objects = "\n".join(json.dumps(record.to_dict()) for record in records)
    table = io.StringIO()
    writer = csv.DictWriter(table, KEYS, restval="")
    writer.writeheader()
    writer.writerows(record.to_dict() for record in records)
    for written in (text, objects, table.getvalue()):
        found = list(read_stream(written.encode().splitlines(keepends=True)))
        assert [r.position for r in found] == everything
        assert [r.id for r in found] == [r.id for r in records]


def test_legal_records_may_leave_out_what_follows_and_add_what_is_known():
    for number, full in enumerate(POSITIONS):
        for position in (full, hide(full)):
            fields = position_fields(position)
            assert parse_mapping({**fields, "tricks": None}).position.points == position.points
            if position.gone is not None:
                explicit = {**fields, "gone": hand_text(position.gone)}
                if position.unseen:
                    explicit["unseen"] = hand_text(position.unseen)
                assert parse_mapping(explicit).position == position, number
                assert parse_mapping({**explicit, "talon": None, "turn": ("me", "opp")[position.turn]})


def test_records_a_tester_found_refused():
    for text in (
        "trump=C talon=0 me= unseen=SK turn=OPP led=CT points=54:52 tricks=4:5",
        "trump=DJ me=SATKQ,HA closed=me@0",
        f"{GOOD} led= tricks= closed= gone=",
    ):
        position = Position.parse(text)
        assert Position.parse(str(position)) == position


def test_hidden_play_on_round_trips():
    position = Position.parse("trump=HQ me=DT talon=8 unseen=STKQ,HA,DAJ,CTK points=47:5 tricks=4:1 closed=me@0")
    after = position.play("DT")
    assert Position.parse(str(after)) == after


def test_hiding_round_trips_where_one_card_is_face_down():
    known = "trump=SJ me=DT talon=SA,SJ gone=STKQ,HTKQJ,DAKQJ,CATKQJ led=HA points=47:39 tricks=4:4 closed=me@14"
    seen = hide(Position.parse(known))
    assert Position.parse(str(seen)) == seen


def test_keys_in_the_wrong_order_of_letters_are_errors():
    for key in ("clsoed", "trun", "ponits", "pionts", "rulse"):
        with pytest.raises(RecordError, match="did you mean"):
            parse_mapping({**split(GOOD), key: "x"})
    with pytest.raises(RecordError, match="twice"):
        parse_mapping({**split(GOOD), "TRUMP": "H"})
    assert isinstance(next(iter(read_stream([b'{"trump": "C", "trump": "H"}']))), RecordError)


def test_odd_ids_round_trip():
    for name in ('"ab"', "two words", "a=b", "#1", "back\\slash", "é♠"):
        record = parse_mapping({**split(GOOD), "id": name})
        assert parse_line(record.to_line()) == record


def test_hiding_leaves_what_the_player_sees():
    for position in POSITIONS:
        seen = hide(position)
        hand = position.opp if position.turn else position.me
        other = position.me if position.turn else position.opp
        assert seen.turn == 0
        assert seen.me == hand
        assert other & ~(seen.opp | seen.unseen) == 0


def test_what_is_derived():
    position = Position.parse(HIDDEN)
    assert not position.is_complete
    assert position.opp_size == 5
    assert position.unseen == parse_hand("HJ,DTQ,CATK")
    assert position.talon_left == 2
    assert position.tricks is None
    assert Position.parse("trump=HQ me=ST,HAT,DA,CA") == Position.parse("trump=HQ me=ST,HAT,DA,CA talon=10")
    # The last unknown card of the talon, and a hand of which nothing else is left.
    known = Position.parse("trump=DJ me=SA,HT,DAK,CQ opp=DTQ,CATK unseen=HJ points=41:38 talon=2")
    assert known.is_complete
    assert Position.parse("trump=C me=STJ,DQ,CAQ unseen=SAQ,DAK,CJ points=40:20").is_complete


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_records_name_the_key_and_the_reason(name):
    text, key, word = MALFORMED[name]
    with pytest.raises(RecordError) as caught:
        parse_line(text)
    assert caught.value.key == key
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 260


def test_the_good_record_is_good():
    assert parse_line(GOOD).position.is_complete


def test_json_values_may_be_numbers_and_lists():
    given_record = {
        "id": 7,
        "trump": "DJ",
        "me": ["SA", "HT", "DA", "DK", "CQ"],
        "unseen": "HJ,DTQ,CATK",
        "points": [41, 38],
    }
    record = parse_mapping({**given_record, "talon": 2, "note": "kept"})
    assert record.id == "7"
    assert record.position == Position.parse(HIDDEN)
    assert record.extra == {"note": "kept"}


@pytest.mark.parametrize("value", [True, 1.5, {"a": 1}, [[1]], 10**30])
def test_json_values_that_are_no_text(value):
    with pytest.raises(RecordError):
        parse_mapping({"trump": "C", "me": value})


def test_misspelt_json_keys_are_errors_and_other_keys_are_kept():
    with pytest.raises(RecordError, match="points"):
        parse_mapping({"trump": "C", "me": "SA", "opp": "ST", "pionts": "1:1"})
    assert parse_mapping({**split(GOOD), "comment": "x"}).extra == {"comment": "x"}


def split(text: str) -> dict[str, str]:
    return dict(token.split("=", 1) for token in text.split())


def test_comments_quotes_and_blank_lines():
    lines = [b"# nothing\n", b"\n", f'id="two words" {GOOD} # why\r\n'.encode(), GOOD.encode()]
    found = list(read_stream(lines))
    assert [r.id for r in found] == ["two words", "4"]


def test_byte_order_mark_and_wrong_encoding():
    found = list(read_stream([b"\xef\xbb\xbf" + GOOD.encode() + b"\n", b"trump=\xff me=SA\n", GOOD.encode()]))
    assert [isinstance(r, RecordError) for r in found] == [False, True, False]
    assert "UTF-8" in str(found[1])
    assert found[1].line == 2


def test_binary_files_are_refused_as_a_whole():
    with pytest.raises(FileError):
        list(read_stream([b"\x00\x01\x02PNG"]))


def test_csv_columns_are_checked():
    with pytest.raises(FileError, match="column me"):
        list(read_stream([b"trump,opp\n", b"C,SA\n"], "csv"))
    with pytest.raises(FileError, match="twice"):
        list(read_stream([b"trump,me,me\n"], "csv"))
    found = list(read_stream([b"trump,me,opp,note,points\n", b"C,SA,ST\n", b'C,"STJ,CQ","SAQ,CJ",n,55:34\n'], "csv"))
    assert "3 cells" in str(found[0])
    assert isinstance(found[1], Record)
    assert found[1].extra == {"note": "n"}


def test_empty_input_has_no_records():
    for kind in (None, "text", "jsonl", "csv"):
        assert list(read_stream([], kind)) == []


def test_mutated_records_never_escape_as_another_exception():
    rng = random.Random(3)
    lines = [str(p) for p in POSITIONS[:60]] + [str(hide(p)) for p in POSITIONS[:60]] + PUBLISHED
    alphabet = "SHDCATKQJ0123456789=:,@?# meopurnt♥é"
    for _ in range(6000):
        text = list(rng.choice(lines))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text) + 1)
            kind = rng.randrange(3)
            if kind == 0:
                text.insert(at, rng.choice(alphabet))
            elif kind == 1 and at < len(text):
                text[at] = rng.choice(alphabet)
            elif at < len(text):
                del text[at : at + rng.randint(1, 8)]
        try:
            position = parse_line("".join(text)).position
        except RecordError as error:
            assert "\n" not in error.located()
        else:
            assert Position.parse(str(position)) == position


@given(
    st.dictionaries(
        st.sampled_from(KEYS), st.text(max_size=20) | st.integers() | st.none() | st.lists(st.text(max_size=3))
    )
)
def test_any_mapping_is_a_record_or_an_error(mapping):
    try:
        record = parse_mapping(mapping)
    except RecordError as error:
        assert "\n" not in error.located()
    else:
        assert parse_mapping(position_fields(record.position)).position == record.position

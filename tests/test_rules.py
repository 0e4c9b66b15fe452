from dataclasses import asdict, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bummerl.rules import PRESETS, Rules, RulesError
from tests import naive


def test_presets_are_those_of_the_contract():
    assert set(PRESETS) == {"soft", "rulebook", "sharp"}
    assert Rules() == PRESETS["soft"]
    for name, rules in PRESETS.items():
        assert asdict(rules) == {**naive.PRESETS[name], "game": "schnapsen"}


RULES = st.builds(
    Rules,
    close_before_first_trick=st.booleans(),
    close_min_talon=st.sampled_from([2, 4, 6, 8, 10]),
    exchange_before_first_trick=st.booleans(),
    exchange_min_talon=st.sampled_from([2, 4, 6, 8, 10]),
    marriage_before_first_trick=st.booleans(),
    marriage_king_only=st.booleans(),
    closed_count=st.sampled_from(["frozen", "end"]),
    false_claim=st.sampled_from(["fixed", "claimed"]),
    revoke_penalty=st.sampled_from([1, 2, 3]),
)


@given(RULES)
def test_round_trip(rules):
    assert Rules.parse(str(rules)) == rules


def test_every_option_changes_the_text():
    for field in fields(Rules):
        if field.name == "game":
            continue  # a key of its own
        value = getattr(Rules(), field.name)
        other = {
            bool: not value,
            int: 4 if value == 2 else 2,
            str: {"frozen": "end", "fixed": "claimed"}.get(str(value)),
        }
        assert str(replace(Rules(), **{field.name: other[type(value)]})) != "soft"


def test_false_claim_costs_what_the_rules_say():
    assert Rules().false_claim_cost(opponent_has_trick=True, claimed=1) == 2
    assert Rules().false_claim_cost(opponent_has_trick=False, claimed=1) == 3
    assert PRESETS["rulebook"].false_claim_cost(opponent_has_trick=True, claimed=1) == 1


@pytest.mark.parametrize(
    "text",
    ["hard", "", "soft+", "soft+speed=1", "soft+closed_count", "soft+closed_count=later", "soft+close_min_talon=3",
     "soft+close_min_talon=x", "soft+marriage_king_only=perhaps", "soft+revoke_penalty=9", "soft+false_claim=none",
     "soft+close_min_talon=2+close_min_talon=4"],
)  # fmt: skip
def test_what_are_not_rules(text):
    with pytest.raises(RulesError) as caught:
        Rules.parse(text)
    assert "\n" not in str(caught.value)

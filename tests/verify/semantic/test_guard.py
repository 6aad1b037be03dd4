"""The guard: what is the same written differently, and what only looks alike."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify.semantic.guard import MOST_CHARACTERS, differences
from creel_inspect.verify.semantic.guard_numbers import MOST_MENTIONS
from creel_inspect.verify.semantic.guard_phrases import is_english

SAME = [
    ("The yield was 85%, up from 70%", "Yield increased from 70 % to 85 %"),
    ("set up the pump", "the pump was let down"),
    ("Temperatures must never exceed 40 °C", "Temperature may not rise above 40 °C"),
    ("The budget is EUR 1.5 million over three years", "Over 3 years, €1,500,000 is budgeted"),
    ("A 5-year follow-up of 1,200 patients", "1200 patients were followed for five years"),
    ("3 million users", "3,000,000 users"),
    ("rose by 10 percent", "rose by 10 %"),
    ("five reactors", "5 reactors"),
    ("It isn't approved", "It is not approved"),
    ("Signed on 2024-05-01", "Signed on 1 May 2024"),
    ("Signed on May 1, 2024.", "signed 2024-05-01"),
    ("5 kg of salt", "5000 g of salt"),
    ("a share of 0.1", "a share of 10 %"),
    ("$5 million", "USD 5,000,000"),
    ("€3m", "3 million EUR"),
    ("no fewer than 5 samples", "at least 5 samples"),
    ("no more than 5", "at most five"),
    ("stirred for 2 hours", "stirred for 120 minutes"),
    ("zero defects", "no defects"),
    ("0 defects", "no defects were found"),
    ("The proposal was rejected", "The proposal was not approved"),
    ("the plan was not approved by the board", "the board did not approve the plan"),
    ("did not receive approval", "was not approved"),
    ("neither A nor B was approved", "A was not approved and B was not approved"),
    ("it was not uncommon", "it was common"),
    ("it never fails to work", "it works"),
    ("After heating, the mixture was cooled", "The mixture was heated before cooling"),
    ("The report came before the meeting", "The meeting came after the report"),
    ("10-20 mg daily", "10 mg to 20 mg daily"),
    ("half of the samples", "50 % of the samples"),
    ("two and a half hours", "2.5 h"),
    ("one reactor exploded", "a reactor exploded"),
    ("the second phase", "phase 2"),
    ("1. heat\n2. cool", "heat, then cool"),
    ("-5 °C", "minus 5 °C"),
    ("25 °C", "298.15 K"),
    ("1.2e5 cells", "120,000 cells"),
    ("10⁵ cells", "100000 cells"),
    ("1½ cups", "1.5 cups"),
    ("twenty-five dollars", "$25"),
    ("the meeting is at 5 pm", "the meeting is at 17:00"),
    ("5 mg/mL", "5 mg per mL"),
    ("CO2 was released", "carbon dioxide was released"),
    ("not only fast but also cheap", "fast and cheap"),
    ("Heated to 80 °C, then cooled", "heated to 80°C and then cooled"),
    ("5M users", "5 million users"),
    ("٥ mg", "5 mg"),
    ("He didnt agree", "He did not agree"),
    ("non-compliant", "not compliant"),
    ("X is larger than Y", "Y is smaller than X"),
    ("room No. 5", "room number 5"),
    ("unapproved drug", "drug that is not approved"),
    ("1 000 kg", "1000 kg"),
    ("1'000 kg", "1000 kg"),
    ("3k steps", "3,000 steps"),
    ("a dozen eggs", "12 eggs"),
    ("5 pounds", "5 lb"),
]

DIFFERENT = [
    ("Costs went up by 5 %", "Costs went down by 5 %"),
    ("The drug hardly works", "The drug works"),
    ("Revenue rose by 10 %", "Revenue rose by 90 %"),
    ("was approved", "was not approved"),
    ("It wasn't approved", "It was approved"),
    ("5 mg", "5 g"),
    ("5 km", "5 miles"),
    ("Revenue rose", "Revenue fell"),
    ("increased yield", "decreased yield"),
    ("before lunch we met", "after lunch we met"),
    ("more than 5", "less than 5"),
    ("above 5 bar", "below 5 bar"),
    ("at least 5", "at most 5"),
    ("approved", "rejected"),
    ("approved", "unapproved"),
    ("it never rains", "it rains"),
    ("with no additives", "with additives"),
    ("without catalyst", "with catalyst"),
    ("failed to converge", "converged"),
    ("3 million USD", "3 million EUR"),
    ("3 million", "3 billion"),
    ("five", "six"),
    ("1 May 2024", "2 May 2024"),
    ("2024-05-01", "2024-06-01"),
    ("in May 2024", "in June 2024"),
    ("Q3 results", "Q4 results"),
    ("the first phase", "the second phase"),
    ("-5 °C", "5 °C"),
    ("5 °C", "5 K"),
    ("1,234 kg", "1.234 kg"),
    ("rose by 10 %", "rose"),
    ("The report came before the meeting", "The meeting came before the report"),
    ("X is larger than Y", "Y is larger than X"),
    ("from 5 to 10", "from 10 to 50"),
    ("X was approved, Y was not allowed in", "X was approved and Y was allowed in"),
    ("rose 10 percentage points", "rose 10 percent"),
    ("10", "10 %"),
    ("on Monday", "on Tuesday"),
    ("5 April", "5 June"),
    ("0 defects", "defects"),
    ("sales doubled", "sales tripled"),
    ("complete data", "incomplete data"),
    ("at 10:30", "at 11:30"),
    ("not approved", "never rejected"),
    ("10 mg to 20 mg", "10-20 g"),
    ("all samples passed", "some samples passed"),
    ("01/05/2024", "1 May 2024"),
    ("twenty", "thirty"),
    ("5 mg", "5"),
    ("is soluble in water", "is insoluble in water"),
    ("The drug is safe", "The drug is not safe"),
    ("no longer active", "still active"),
    ("cannot swim", "can swim"),
    (
        "99999999999999999999999999999999999999999999999",
        "99999999999999999999999999999999999999999999998",
    ),
    ("1e401", "1e402"),
    ("did not rise", "fell"),
    ("1/2 of it", "1/3 of it"),
    ("heated for 2 h", "heated for 2 min"),
    ("pH 7", "pH 9"),
    ("lacks funding", "has funding"),
]


SAME += [
    # bounds, periods, multiples, order, ambiguous units, false vetoes of numbers
    ("The audit took place before the vote", "The vote took place after the audit"),
    ("Under-five mortality", "Under-5 mortality"),
    ("Phase 2 trial", "Phase II trial"),
    ("cut by half", "halved"),
    ("twice a week", "two times a week"),
    ("twofold", "2-fold"),
    ("5 patients per day", "5 patients a day"),
    ("daily dose of 5 mg", "5 mg each day"),
    ("10 men and 20 women", "20 women and 10 men"),
    ("10, 20 and 30", "30, 20 and 10"),
    ("over 500 users", "more than 500 users"),
    ("500 or more users", "at least 500 users"),
    ("up to 30 days", "within 30 days"),
    ("within 30 days of delivery", "no later than 30 days after delivery"),
    ("$5 million", "$5,000,000"),
    ("$5 million", "5 million USD"),
    ("5 tons", "5 tons"),
    ("not guilty", "innocent"),
    ("There is no doubt that it works", "Without doubt it works"),
    ("It is false that the plan was approved", "The plan was not approved"),
    ("refused to not pay", "paid"),
    ("may not exceed 5 bar", "must not exceed 5 bar"),
    ("from 10 to 20", "from 10 up to 20"),
    ("5% per year", "5 % annually"),
    ("not reached", "missed"),
    ("The contract is void", "The contract is not valid"),
    ("Oxygen was present, but nitrogen was not", "Nitrogen was not present and oxygen was present"),
    ("sales doubled", "sales rose twofold"),
    ("within 30 days", "in 30 days"),
    ("Alice scored 5, Bob scored 7", "Bob scored 7, Alice scored 5"),
    ("kept until 2030", "kept up to 2030"),
    ("Type I error", "type 1 error"),
    ("5 mg/min", "300 mg/h"),
    ("may be used in May 2024", "can be used in May 2024"),
    ("The plan was completed as planned", "completed as planned"),
]

DIFFERENT += [
    ("5 patients per day", "5 patients per week"),
    ("5% per year", "5% per month"),
    ("twice a week", "once a week"),
    ("grew twofold", "grew fivefold"),
    ("The budget is 5 million", "The budget is under 5 million"),
    ("reached at least 500", "reached 500"),
    ("valid until 2030", "valid from 2030"),
    ("within 30 days of delivery", "30 days before delivery"),
    ("Phase II", "Phase III"),
    ("There is doubt that it works", "There is no doubt that it works"),
    ("There is doubt", "There is no doubt that"),
    ("It is false that the plan was approved", "The plan was approved"),
    ("refused to pay", "refused to not pay"),
    (
        "Nitrogen was not present and oxygen was present",
        "Oxygen was not present and nitrogen was present",
    ),
    ("10 men and 20 women", "20 men and 10 women"),
    ("Six of ten", "Ten of six"),
    ("10 to 20", "20 to 10"),
    ("The budget is $5 million", "The budget is 5 million CAD"),
    ("5 tons of steel", "5 tonnes of steel"),
    ("The audit took place before the vote", "The vote took place before the audit"),
    ("The target was reached", "The target was missed"),
    ("on track", "off track"),
    ("partially funded", "fully funded"),
    ("The work is planned", "The work is completed"),
    ("The board shall meet", "The board may meet"),
    ("The contract is valid", "The contract is void"),
    ("found guilty", "found innocent"),
    ("net income", "gross income"),
    ("all samples", "most samples"),
    ("cis-2-butene", "trans-2-butene"),
    ("refused the offer", "agreed to the offer"),
    ("Alice scored 5, Bob scored 7", "Alice scored 7, Bob scored 5"),
    ("500 or more users", "500 users"),
    ("5 or more", "at most 5"),
    ("Fe(II) salt", "Fe(III) salt"),
    ("paid weekly", "paid monthly"),
    ("sales doubled", "sales halved"),
    ("rose threefold", "rose twofold"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_written_differently_is_no_difference_either_way_round(one, other):
    assert differences(one, other) == []
    assert differences(other, one) == []


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_number_unit_polarity_or_direction_is_a_difference_either_way_round(one, other):
    assert differences(one, other)
    assert differences(other, one)


def test_a_difference_names_what_either_text_says():
    [found] = differences("Revenue rose by 90 %", "Revenue rose by 10 %")
    assert (found.kind, found.candidate, found.reference) == ("number", "'90 %'", "'10 %'")
    assert str(found) == "the candidate says '90 %', the reference '10 %'"


def test_a_negation_is_named_with_what_it_negates():
    [found] = differences("The drug is not safe", "The drug is safe")
    assert (found.kind, found.candidate, found.reference) == (
        "negation",
        "'not safe'",
        "no negation",
    )


def test_a_number_that_one_text_leaves_out_is_a_difference():
    [found] = differences("Revenue rose", "Revenue rose by 10 %")
    assert found.reference == "'10 %'"


def test_an_exact_conversion_is_the_same_and_a_rounded_one_is_not():
    assert differences("5 miles", "8.04672 km") == []
    assert differences("5 miles", "8 km")


def test_a_currency_is_never_converted():
    assert differences("3 million USD", "3 million EUR")


def test_texts_with_more_numbers_than_are_compared_count_as_different():
    text = "7, " * MOST_MENTIONS
    [found] = differences(text, text)
    assert str(MOST_MENTIONS) in found.candidate


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="longer than 20,000"):
        differences("a" * (MOST_CHARACTERS + 1), "a")
    with pytest.raises(ValueError, match="longer than 20,000"):
        differences("a", "\ufdfa" * 2000)  # one character, eighteen when spelt out


HOSTILE = [
    "1 ", "1 a ", "not ", "one ", "five hundred ", "9", "1,", "1,111", "a-1", "5 mg ", "un",
    "before ", "May ", "12/12/2024 ", "$", "$1 ", "1e9", "\n1. ", "x", "minus ", "1/", "e1",
    "1.2.3.4.", "more than 5 ", "not unapproved ", "5 mg/kg ", "neither nor ", "\u200b", "\ud800",
    "10^", "1e999999", "\u0661", "at least 5 ", "at least 5 mg ", "per day ", "5 per day ", "II ",
    "5 times ", "twofold ", "no doubt ", "may ", "5 men and ", "from 5 up to ", "refused to not ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_texts_end_soon(piece):
    text = (piece * MOST_CHARACTERS)[: MOST_CHARACTERS - 10]
    began = time.process_time()
    differences(text, text[:-5] + " 7 ")
    assert time.process_time() - began < 2  # half a second on an idle machine


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_compared_without_an_error(one, other):
    differences(one, other)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_no_text_differs_from_itself(text):
    assert differences(text, text) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 999_999), st.integers(2, 999_999))
def test_two_different_whole_numbers_differ_and_grouping_changes_nothing(one, other):
    assert differences(f"{one:,} units sold", f"{one} units sold") == []
    assert bool(differences(f"{one} units sold", f"{other} units sold")) == (one != other)


def test_numbers_that_changed_places_are_named_as_such():
    [found] = differences("20 men and 10 women", "10 men and 20 women")
    assert found.kind == "order"
    assert found.candidate == "'20' before '10'"


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The plan was approved", True),
        ("Revenue is up", True),
        ("Der Plan wurde nicht genehmigt", False),
        ("Das Werk ist in Berlin", False),
        ("Le plan n'a pas été approuvé", False),
        ("El plan no fue aprobado por la junta", False),
        ("計画は承認されなかった", False),
        ("", False),
    ],
)
def test_a_text_without_a_common_english_word_is_not_taken_for_english(text, english):
    assert is_english(text) is english

"""schema_constraint: what must hold of any right answer."""

import json
from datetime import date
from typing import Any

import pytest

from creel_inspect.verify import VerdictScore, VerifierError, build_verifier
from creel_inspect.verify.protocol import Code, VerifierConfigError


def verdict(value: Any, expected: Any = None, **config: Any) -> VerdictScore:
    return build_verifier("schema_constraint", **config).verify(value, expected)


PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}


def test_a_value_that_keeps_its_schema_passes_and_what_is_expected_does_not_matter() -> None:
    for expected in (None, 5, {"name": "other"}):
        result = verdict({"name": "Ada", "age": 36}, expected, schema=PERSON)
        assert (result.passed, result.score) == (True, 1)


def test_every_violation_is_reported_with_its_path() -> None:
    result = verdict({"age": -1, "phone": 1}, schema=PERSON)
    assert (result.passed, result.score) == (False, 0)
    assert [(one["path"], one["rule"]) for one in result.details["violations"]] == [
        ("$.age", "minimum"),
        ("$", "required"),
        ("$.phone", "additionalProperties"),
    ]
    assert result.reason.startswith("3 violations: $.age: -1 is less than the minimum of 0; ")


def test_twenty_are_listed_and_the_rest_counted() -> None:
    result = verdict(["x"] * 1_000, schema={"items": {"type": "integer"}})
    assert len(result.details["violations"]) == 20
    assert result.details["violations_more"] == 980
    assert result.details["by_rule"] == {"type": 1_000}
    assert result.reason.startswith("1,000 violations: $[0]: 'x' is not of type 'integer'")
    assert result.reason.endswith("and 980 more")


def test_true_is_no_integer_and_text_is_no_number() -> None:
    for value in (True, "1", None, [1]):
        assert not verdict(value, schema={"type": "integer"}).passed


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_nan_and_infinity_fail_wherever_they_stand(number: float) -> None:
    # NaN is not below any minimum, so a plain comparison lets it pass.
    assert not verdict(number, schema={"type": "number", "minimum": 0}).passed
    assert not verdict(number, schema={}).passed
    assert not verdict({"a": [1, number]}, schema=True).passed
    assert not verdict({"a": number}, where="has(a)").passed
    result = verdict({"a": [1, number], "b": 2}, where="b == 2")
    assert result.details["violations"][0]["path"] == "$.a[1]"


def test_schema_and_expression_must_both_hold() -> None:
    config = {"schema": {"required": ["start"]}, "where": "start <= end"}
    assert verdict({"start": 1, "end": 2}, **config).passed
    assert verdict({"start": 3, "end": 2}, **config).details["by_rule"] == {"where": 1}
    assert verdict({}, **config).details["by_rule"] == {"required": 1, "where": 1}


def test_dates_and_sets_of_python_are_read_as_json() -> None:
    assert verdict(date(2024, 5, 1), schema={"format": "date"}, where="value > '2024-01-31'").passed
    assert verdict({3, 1}, schema={"uniqueItems": True}, where="value == [1, 3]").passed


def test_a_name_outside_a_closed_schema_is_refused() -> None:
    with pytest.raises(VerifierConfigError, match="there is no field `nmae`"):
        build_verifier("schema_constraint", schema=PERSON, where='nmae != ""')
    build_verifier("schema_constraint", schema={"properties": {"a": {}}}, where="b == 1")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({}, "needs `schema`, `where` or `graph`"),
        ({"schema": None, "where": None}, "needs `schema`, `where` or `graph`"),
        ({"schema": []}, "JSON Schema"),
        ({"schema": {"type": "text"}}, "the schema is not valid"),
        ({"where": 3}, "where"),
        ({"where": "a =="}, "column 5"),
        ({"where": "size(value)"}, "not true or false"),
        ({"rules": {}}, "no key 'rules'"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused(config: Any, said: str) -> None:
    with pytest.raises(VerifierConfigError) as raised:
        build_verifier("schema_constraint", **config)
    assert said in str(raised.value)


def test_what_is_too_costly_is_not_measured_but_what_is_broken_fails() -> None:
    where = "value.all(a, value.all(b, a == b))"
    with pytest.raises(VerifierError) as raised:
        verdict([0] * 3_000, where=where)
    assert raised.value.code == Code.TOO_LARGE
    result = verdict([0] * 3_000, schema={"maxItems": 10}, where=where)
    assert not result.passed and result.details["unfinished"]


def test_each_of_very_many_items_can_be_looked_at_once() -> None:
    items = list(range(200_000))
    assert verdict(items, where="value.all(x, x >= 0)").passed


@pytest.mark.parametrize(
    "value",
    [
        None,
        "x" * 10_000_000,
        "\ud800\udfff\u202e\u200b" * 1_000,
        list(range(1_000_000)),
        {str(n): n for n in range(100_000)},
        [[[[[]]]]] * 1_000,
        10**4_000,
        -0.0,
        {"": {"": ""}},
    ],
)
@pytest.mark.parametrize(
    "config",
    [
        {"schema": {"type": "object", "required": ["a"]}},
        {"schema": {"items": {"type": "string"}, "uniqueItems": True}},
        {"where": "a > 1"},
        {"where": "size(value) > 3 && value.all(x, x > 5)"},
        {"graph": {}},
    ],
)
def test_hostile_candidates_never_pass_and_end(value: Any, config: Any) -> None:
    checker = build_verifier("schema_constraint", **config)
    try:
        result = checker.verify(value)
    except VerifierError as error:
        assert error.code == Code.TOO_LARGE
    else:
        if "items" not in config.get("schema", {}):
            assert not result.passed
        assert len(json.dumps(result.model_dump())) < 20_000


@pytest.mark.parametrize("value", ["I could not find a project", None, [], 5, True])
def test_an_answer_of_another_type_never_passes(value: Any) -> None:
    schema = {"required": ["budget"], "properties": {"budget": {"minimum": 0}}}
    assert not verdict(value, schema=schema).passed
    assert not verdict({"budget": value if value != 5 else [-5]}, schema=schema).passed


def test_an_end_that_is_no_date_is_not_after_the_start() -> None:
    result = verdict({"start": "2024-12-01", "end": "unknown"}, where="start <= end")
    assert not result.passed
    assert "'unknown' is none" in result.reason

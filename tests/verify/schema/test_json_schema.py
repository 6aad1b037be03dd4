"""JSON Schema by the standard's own rules, offline and bounded, whoever wrote the schema."""

import socket
import urllib.request
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from creel_inspect.verify import VerifierError
from creel_inspect.verify.protocol import Code, VerifierConfigError
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.json_schema import JsonSchema, Violation
from creel_inspect.verify.schema.json_values import json_copy

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"


def violations(schema: Any, value: Any) -> list[Violation]:
    return list(JsonSchema(schema).violations(json_copy(value), budget=Budget()))


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        (True, [1, None], []),
        (False, [], [1, None]),
        ({}, [1], []),
        ({"type": "integer"}, [1, 1.0, 10**40], [True, 1.5, "1", None]),
        ({"type": "number"}, [1, 1.5, Decimal("0.1")], [True, "1"]),
        ({"type": ["string", "null"]}, ["", None], [0, False]),
        ({"type": "boolean"}, [True], [1, 0, "true"]),
        ({"type": "array"}, [[], (1,), {1, 2}], [{}, "a"]),
        ({"minimum": 0.1}, [0.1, Decimal("0.1"), 1], [0, Decimal("0.0999"), "1"]),
        ({"maximum": 3}, [3, 3.0, -1], [3.0000001, 10**400]),
        ({"exclusiveMinimum": 0}, [0.5, 1], [0, 0.0, -1]),
        ({"exclusiveMaximum": 1}, [0.999], [1, 1.0]),
        ({"multipleOf": 0.01}, [19.99, 0.07, 1e308, 10**300], [19.995, 0.001]),
        ({"multipleOf": 1e-300}, [1e308, 0], []),
        ({"multipleOf": 7}, [14, 14.0, -7], [1, 7.5]),
        ({"enum": [1, "a", None, [1]]}, [1, 1.0, "a", None, [1.0]], [True, "b", [True], {}]),
        ({"const": {"a": [0]}}, [{"a": [0]}, {"a": [0.0]}], [{"a": [False]}, {"a": []}]),
        ({"const": False}, [False], [0, "", None]),
        ({"pattern": "^[a-z]+$"}, ["abc"], ["abc\n", "aBc", "", 1]),
        ({"pattern": "b"}, ["abc"], ["ac"]),
        ({"pattern": "\\u00e9$"}, ["café"], ["cafe"]),
        ({"minLength": 2, "maxLength": 3}, ["éé", "abc"], ["a", "abcd", 5]),
        ({"format": "date"}, ["2024-02-29"], ["2023-02-29", "2024-2-9", "20240229", "", 3]),
        (
            {"format": "date-time"},
            ["2024-02-29T12:00:00Z", "2016-12-31T23:59:60Z", "2016-12-31T15:59:60-08:00"],
            ["2024-02-29T12:00:00", "2024-02-30T12:00:00Z", "2024-02-29T12:00:60Z", "2024-02-29"],
        ),
        ({"format": "time"}, ["12:00:00+01:00"], ["12:00:00", "24:00:00Z"]),
        ({"format": "email"}, ["a.b@c.org"], ["a", "a@", ".a@c.org", "a..b@c.org"]),
        ({"format": "uuid"}, ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08"]),
        ({"format": "uri"}, ["https://a.org/x?y#z", "urn:isbn:1"], ["//a.org", "a b"]),
        ({"format": "ipv4"}, ["127.0.0.1"], ["127.0.0.256", "127.1"]),
        ({"format": "ipv6"}, ["::1"], ["::1%eth0", "12345::"]),
        ({"format": "duration"}, ["P1Y2M", "PT1H", "P2W"], ["P", "P1H", "1D"]),
        ({"required": ["a"]}, [{"a": None}], [{}, {"b": 1}, []]),
        ({"properties": {"a": {"type": "string"}}}, [{"a": ""}, {}, {"b": 1}], [{"a": 1}]),
        (
            {"properties": {"a": {}}, "patternProperties": {"^x": {"type": "integer"}},
             "additionalProperties": False},
            [{"a": 1, "xy": 2}],
            [{"b": 1}, {"xy": "2"}],
        ),
        ({"additionalProperties": {"type": "integer"}}, [{"a": 1}], [{"a": "1"}]),
        ({"propertyNames": {"maxLength": 2}}, [{"ab": 1}], [{"abc": 1}]),
        ({"minProperties": 1, "maxProperties": 2}, [{"a": 1}], [{}, {"a": 1, "b": 2, "c": 3}]),
        ({"dependentRequired": {"a": ["b"]}}, [{"a": 1, "b": 2}, {}], [{"a": 1}]),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, [{"b": 1}], [{"a": 1}]),
        ({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}, [["a", 1], []],
         [[1], ["a", "b"]]),
        ({"prefixItems": [{}], "items": False}, [[1]], [[1, 2]]),
        ({"contains": {"type": "string"}, "maxContains": 1}, [["a", 1]], [[1], ["a", "b"]]),
        ({"minItems": 1, "maxItems": 2}, [[1]], [[], [1, 2, 3]]),
        ({"uniqueItems": True}, [[1, True, "1"], [[1], [True]]],
         [[1, 1.0], [{"a": 1, "b": 2}, {"b": 2, "a": 1}], [[1], [1.0]]]),
        ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, [1.5], [0, 3]),
        ({"anyOf": [{"type": "string"}, {"minimum": 2}]}, ["a", 2], [1]),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, [1, 2.5], [3, 1.5]),
        ({"not": {"type": "null"}}, [1], [None]),
        ({"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"multipleOf": 1}},
         [20, 3], [15, 2.5]),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, ["x"], [1]),
        ({"$ref": "#here", "$defs": {"a": {"$anchor": "here", "const": 1}}}, [1], [2]),
        ({"$ref": "inner", "$id": "http://a.org/top", "$defs": {"a": {"$id": "inner", "const": 1}}},
         [1], [2]),
        ({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
         [{"a": 1}, {}], [{"b": 1}]),
        ({"anyOf": [{"required": ["a"], "properties": {"a": {}}}, {"properties": {"b": {}}}],
          "patternProperties": {"^x": {}}, "unevaluatedProperties": False},
         [{"a": 1, "b": 2, "xx": 3}, {"b": 1}], [{"a": 1, "c": 1}]),
        ({"$ref": "#/$defs/p", "$defs": {"p": {"prefixItems": [{}]}}, "unevaluatedItems": False},
         [[1]], [[1, 2]]),
        ({"$schema": DRAFT_4, "minimum": 1, "exclusiveMinimum": True}, [1.1], [1, 0]),
        ({"$schema": DRAFT_7, "items": [{"type": "string"}], "additionalItems": False},
         [["a"]], [[1], ["a", 1]]),
        ({"$schema": DRAFT_7, "dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
         [{"a": 1, "b": 1}], [{"a": 1}, {"c": 1}]),
        ({"$schema": DRAFT_2019, "items": [{}], "unevaluatedItems": False}, [[1]], [[1, 2]]),
        ({"$schema": DRAFT_2019, "$recursiveAnchor": True, "type": "object",
          "additionalProperties": {"$recursiveRef": "#"}}, [{"a": {}}], [{"a": {"b": 1}}]),
        ({"$dynamicAnchor": "n", "type": "object", "additionalProperties": {"$dynamicRef": "#n"}},
         [{"a": {}}], [{"a": {"b": 1}}]),
        # An attribute may be called like a keyword.
        ({"properties": {"pattern": {"type": "integer"}, "$ref": {}}}, [{"pattern": 1, "$ref": 2}],
         [{"pattern": "("}]),
    ],
)  # fmt: skip
def test_a_schema_accepts_what_the_standard_does_of_the_types_it_speaks_of(
    schema: Any, right: list[Any], wrong: list[Any]
) -> None:
    checked = JsonSchema(schema)
    for value in right:
        assert not list(checked.violations(json_copy(value), budget=Budget())), value
    for value in wrong:
        assert list(checked.violations(json_copy(value), budget=Budget())), value


def test_a_violation_names_the_path_the_rule_and_what_came() -> None:
    schema = {
        "properties": {"a": {"items": {"properties": {"b": {"minimum": 3}}}}},
        "additionalProperties": False,
    }
    value = {"a": [{"b": 3}, {"b": 2}], "two words": 1}
    assert [one.as_dict() for one in violations(schema, value)] == [
        {"path": "$.a[1].b", "rule": "minimum", "message": "2 is less than the minimum of 3"},
        {
            "path": "$['two words']",
            "rule": "additionalProperties",
            "message": "is not declared in the schema",
        },
    ]


def test_of_several_branches_the_nearest_is_named() -> None:
    schema = {"anyOf": [{"type": "string"}, {"properties": {"a": {"type": "integer"}}}]}
    (one,) = violations(schema, {"a": "x"})
    assert one.rule == "anyOf"
    assert "nearest: $.a: 'x' is not of type 'integer'" in one.message


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ([], "an object, or true or false"),
        ("string", "an object, or true or false"),
        ({"type": "text"}, r"the schema is not valid: \$\.type"),
        ({"minimum": "3"}, r"\$\.minimum"),
        ({"minimum": float("nan")}, "no JSON numbers"),
        ({"properties": {"a": {"required": "b"}}}, r"\$\.properties\.a\.required"),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "expected one of"),
        ({"$schema": ["x"]}, "expected one of"),
        ({"properties": {"a": {"$schema": DRAFT_7}}}, "only the top may name a draft"),
        ({"pattern": "(?=a)"}, "no lookaround"),
        ({"pattern": "(?<!a)b"}, "no lookaround"),
        ({"patternProperties": {"(a)\\1": {}}}, "no backreferences"),
        ({"pattern": "("}, "cannot be used"),
        ({"pattern": "a{5000}"}, "1,000 repetitions"),
        ({"pattern": "((a{900}){900}){900}"}, "cannot be used"),
        ({"pattern": "a" * 2_001}, "longer than 2,000"),
        ({"pattern": "\ud800"}, "cannot be used"),
        ({"format": "postcode"}, "would hold for anything"),
        ({"$ref": "#/$defs/none"}, "is not in this schema"),
        ({"$ref": "#"}, "refers to itself without end"),
        ({"allOf": [{"$ref": "#"}]}, "refers to itself without end"),
        ({"$dynamicAnchor": "a", "$dynamicRef": "#a"}, "refers to itself without end"),
        ({"$ref": "#/enum/0", "enum": [1]}, "leads to no schema"),
        ({"enum": list(range(10_001))}, "more than 10,000 values"),
        ({"description": "a" * 3_000_000}, "more than 10,000 values"),
        ({"const": object()}, "no JSON"),
        ({"prefixItems": [True] * 9_000}, "too large"),
        ({"$id": "https://json-schema.org/draft/2020-12/schema", "$ref": "#meta"}, "not in this"),
        ({"$id": "https://json-schema.org/draft/2020-12/schema", "$ref": "meta/core"}, "not in"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: Any, said: str) -> None:
    with pytest.raises(VerifierConfigError, match=said):
        JsonSchema(schema)


@pytest.mark.parametrize(
    "reference",
    [
        "http://example.com/schema.json",
        "https://json-schema.org/draft/2020-12/schema",
        "file:///etc/passwd",
        "other.json",
        "ftp://example.com/x#/a",
        "urn:example:schema",
        "http://[",
    ],
)
def test_nothing_is_fetched(reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("something was fetched")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    for schema in (
        {"$ref": reference},
        {"$dynamicRef": reference},
        {"properties": {"a": {"$ref": reference}}},
        {"$id": "file:///etc/", "items": {"$ref": reference}},
    ):
        with pytest.raises(VerifierConfigError, match="nothing is fetched"):
            JsonSchema(schema)


def test_circles_through_definitions_are_refused_and_recursion_into_the_value_is_not() -> None:
    circle = {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/a"}]}}
    with pytest.raises(VerifierConfigError, match="without end"):
        JsonSchema({"$defs": circle})
    tree = {"type": "object", "properties": {"child": {"$ref": "#"}}, "additionalProperties": False}
    assert not violations(tree, {"child": {"child": {}}})
    assert [one.path for one in violations(tree, {"child": {"child": 1}})] == ["$.child.child"]


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_a_deep_value_against_a_recursive_schema_ends() -> None:
    schema = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}]}
    assert not violations(schema, nested(50))
    try:
        assert not violations(schema, nested(99))
    except VerifierError as error:
        assert error.code == Code.TOO_LARGE


def test_a_deep_schema_is_refused() -> None:
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"not": schema}
    with pytest.raises(VerifierConfigError, match="50 levels"):
        JsonSchema(schema)
    schema = {}
    for _ in range(49):
        schema = {"not": schema}
    try:
        JsonSchema(schema)
    except VerifierConfigError as error:
        assert "deep" in str(error)


def laughs(word: str, levels: int) -> dict[str, Any]:
    """Each definition applies the one below it twice: 2 ** levels in all."""
    defs: dict[str, Any] = {"a0": {"type": "string"}}
    for n in range(1, levels):
        below = {"$ref": f"#/$defs/a{n - 1}"}
        defs[f"a{n}"] = {word: [below, below]}
    return {"$defs": defs, "$ref": f"#/$defs/a{levels - 1}"}


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("value", [1, "text"])
def test_a_schema_that_multiplies_is_stopped(word: str, value: Any) -> None:
    schema = JsonSchema(laughs(word, 40))
    try:
        list(schema.violations(value, budget=Budget()))
    except VerifierError as error:
        assert error.code == Code.TOO_LARGE


def test_an_aliased_schema_that_multiplies_is_refused() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(40):
        schema = {"allOf": [schema, schema]}
    with pytest.raises(VerifierConfigError):
        JsonSchema(schema)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "(a+)+$"}, "a" * 3_000_000 + "b"),
        ({"patternProperties": {"^(a|a)*$": False}}, {"a" * 500_000 + "b": 1}),
        ({"uniqueItems": True}, list(range(30_000))),
        # One hash for all: a set of these numbers takes quadratic time.
        ({"uniqueItems": True}, [n * (2**61 - 1) for n in range(30_000)]),
        ({"uniqueItems": True}, [{"a": n} for n in range(10_000)]),
        ({"unevaluatedItems": False, "prefixItems": [True] * 1_500}, list(range(9_000))),
        ({"unevaluatedProperties": False}, {f"k{n}": n for n in range(9_000)}),
        ({"additionalProperties": False}, {f"k{n}": n for n in range(9_000)}),
        ({"enum": [[n] for n in range(4_500)]}, [-1]),
        ({"allOf": [{"type": "object"}] * 1_500}, ["x" * 1_000_000] * 50),
        ({"items": {"enum": [[n] for n in range(4_500)]}}, [[-1]] * 20_000),
        ({"items": {"required": [f"k{n}" for n in range(9_000)]}}, [{}] * 2_000),
    ],
)
def test_hostile_pairs_end_soon(schema: Any, value: Any) -> None:
    checked = JsonSchema(schema)
    copied = json_copy(value)
    try:
        list(checked.violations(copied, budget=Budget()))
    except VerifierError as error:
        assert error.code == Code.TOO_LARGE


def test_messages_are_bounded() -> None:
    for value in ("x" * 1_000_000, ["x" * 1_000] * 1_000, {"k" * 100_000: 1}, 10**4_000):
        (one,) = violations({"type": "null"}, value)
        assert len(one.message) <= 300
    (one,) = violations({"additionalProperties": False}, {"k" * 100_000: 1})
    assert len(one.path) <= 200


def test_a_schema_that_takes_the_name_of_a_metaschema_is_only_itself() -> None:
    schema = {
        "$id": "https://json-schema.org/draft/2020-12/schema",
        "$dynamicAnchor": "meta",
        "properties": {"a": {"$dynamicRef": "#meta"}},
        "pattern": "^(a+)+$",
    }
    assert not violations(schema, {"type": "nonsense", "a": {"a": "aa"}})
    assert [one.path for one in violations(schema, {"a": {"a": "b"}})] == ["$.a.a"]


def test_the_library_and_its_own_classes_are_left_as_they_were() -> None:
    violations({"pattern": "a", "items": {"minimum": 1}}, [2])
    assert list(Draft202012Validator({"pattern": "(?=a)"}).iter_errors("b"))


def test_a_schema_is_read_once_and_later_changes_do_not_matter() -> None:
    schema = {"minimum": 1}
    checked = JsonSchema(schema)
    schema["minimum"] = 100
    assert not list(checked.violations(5, budget=Budget()))


ANYTHING = [None, True, 5, -5, 0.5, "I could not find a project", "", [], [1], {}, {"b": 1}]
OBJECTS, ARRAYS, NUMBERS, TEXTS = (dict,), (list,), (int, float), (str,)
SPOKEN_OF = [
    ({"properties": {"budget": {}}}, OBJECTS),
    ({"required": []}, OBJECTS),
    ({"additionalProperties": True}, OBJECTS),
    ({"patternProperties": {"^x": {}}}, OBJECTS),
    ({"propertyNames": True}, OBJECTS),
    ({"minProperties": 0}, OBJECTS),
    ({"maxProperties": 9}, OBJECTS),
    ({"dependentRequired": {}}, OBJECTS),
    ({"dependentSchemas": {}}, OBJECTS),
    ({"unevaluatedProperties": True}, OBJECTS),
    ({"items": True}, ARRAYS),
    ({"prefixItems": [True]}, ARRAYS),
    ({"minItems": 0}, ARRAYS),
    ({"maxItems": 9}, ARRAYS),
    ({"uniqueItems": True}, ARRAYS),
    ({"contains": True, "minContains": 0}, ARRAYS),
    ({"unevaluatedItems": True}, ARRAYS),
    ({"minimum": -9}, NUMBERS),
    ({"maximum": 9}, NUMBERS),
    ({"exclusiveMinimum": -9}, NUMBERS),
    ({"exclusiveMaximum": 9}, NUMBERS),
    ({"multipleOf": 0.5}, NUMBERS),
    ({"minLength": 0}, TEXTS),
    ({"maxLength": 99}, TEXTS),
    ({"pattern": ""}, TEXTS),
    ({"minimum": -9, "maxLength": 99}, (*NUMBERS, *TEXTS)),
    ({"minItems": 0, "description": "a list", "x-own": 1}, ARRAYS),
    ({"minLength": 0, "not": {"type": "null"}}, TEXTS),
    ({"required": [], "anyOf": [{"required": []}, {"required": ["b"]}]}, OBJECTS),
    ({"required": [], "if": {"required": ["b"]}, "then": {"minProperties": 1}}, OBJECTS),
    ({"anyOf": [{"type": "null"}, {"required": []}]}, (type(None), *OBJECTS)),
    ({"enum": ANYTHING, "minLength": 0}, None),
    ({"type": ["string", "null"], "allOf": [{"minLength": 0}]}, (type(None), *TEXTS)),
]


@pytest.mark.parametrize(("schema", "types"), SPOKEN_OF)
@pytest.mark.parametrize(
    ("wrapped", "value_of"),
    [
        (lambda schema: schema, lambda value: value),
        (lambda schema: {"properties": {"k": schema}}, lambda value: {"k": value}),
        (lambda schema: {"additionalProperties": schema}, lambda value: {"k": value}),
        (lambda schema: {"items": schema}, lambda value: [value]),
        (lambda schema: {"prefixItems": [schema]}, lambda value: [value]),
        (lambda schema: {"contains": schema}, lambda value: [value]),
        (lambda schema: {"allOf": [schema]}, lambda value: value),
        (lambda schema: {"$ref": "#/$defs/k", "$defs": {"k": schema}}, lambda value: value),
        (
            lambda schema: {"items": {"allOf": [{"$ref": "#/$defs/k"}]}, "$defs": {"k": schema}},
            lambda value: [value],
        ),
    ],
)
def test_keywords_imply_their_type(schema: Any, types: Any, wrapped: Any, value_of: Any) -> None:
    checked = JsonSchema(wrapped(schema))
    for value in ANYTHING:
        right = types is None or (
            isinstance(value, types) and (not isinstance(value, bool) or bool in types)
        )
        found = list(checked.violations(json_copy(value_of(value)), budget=Budget()))
        assert bool(found) != right, (value, found)


def test_a_value_of_another_type_is_told_so() -> None:
    (one,) = violations({"required": ["budget"]}, "I could not find a project")
    assert (one.path, one.rule) == ("$", "type")
    assert one.message.endswith("is not of type 'object', which the schema speaks of")
    (one,) = violations({"properties": {"budget": {"minimum": 0}}}, {"budget": [-5]})
    assert (one.path, one.rule) == ("$.budget", "type")


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        # With a type implied within `not`, a text would be let through.
        ({"not": {"required": ["a"]}}, [{}], [{"a": 1}, "text", 5]),
        ({"$defs": {"k": {"minLength": 1}}, "not": {"$ref": "#/$defs/k"}}, [""], [5, "a"]),
        (
            {"$defs": {"k": {"minLength": 1}}, "properties": {
                "a": {"$ref": "#/$defs/k"}, "b": {"not": {"$ref": "#/$defs/k"}}}},
            [{"a": "x", "b": ""}],
            [{"a": 5}, {"b": 5}],
        ),
        ({"if": {"type": "string"}, "then": {"minLength": 1}}, ["a", 5, None], [""]),
        ({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"minimum": 1}},
         ["a", 5, None], ["", 0]),
        ({"anyOf": [{"minimum": 1}, {}]}, [None, 0], []),
        ({"contains": {"minimum": 5}, "maxContains": 1}, [[5], ["a"]], [[5, 6], [5, "a"]]),
        ({"contains": {"minimum": 5}}, [[5, "a"]], [["a"], []]),
    ],
)  # fmt: skip
def test_where_a_schema_need_not_hold_it_means_what_the_standard_says(
    schema: Any, right: list[Any], wrong: list[Any]
) -> None:
    test_a_schema_accepts_what_the_standard_does_of_the_types_it_speaks_of(schema, right, wrong)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"propertie": {}}, r"^\$\.propertie: .*is it `properties`\?"),
        ({"requred": ["a"]}, "is it `required`"),
        ({"properties": {"a": {"minimun": 1}}}, r"\$\.properties\.a\.minimun: .*is it `minimum`"),
        ({"items": {"maxlength": 1}}, "is it `maxLength`"),
        ({"$defs": {"a": {"enun": [1]}}}, "is it `enum`"),
        ({"anyOf": [{"additonalProperties": False}]}, "is it `additionalProperties`"),
        ({"type": "string", "nullable": True}, "null"),
        ({"then": {"required": ["a"]}}, "`then` does nothing without `if`"),
        ({"else": {"required": ["a"]}}, "`else` does nothing without `if`"),
        ({"minContains": 2}, "without `contains`"),
        ({"dependencies": {"a": ["b"]}}, "dependentRequired"),
        ({"additionalItems": False}, "prefixItems"),
        ({"$recursiveRef": "#"}, "no keyword of this draft"),
        ({"zzz": 1}, "x-…"),
        ({"$schema": DRAFT_4, "const": 1}, "no keyword of this draft"),
        ({"$schema": DRAFT_7, "dependentRequired": {}}, "no keyword of this draft"),
        ({"$schema": DRAFT_7, "items": {}, "additionalItems": False}, "unless `items` is a list"),
        ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "minimum": 1,
          "definitions": {"a": {}}}, "nothing beside `\\$ref` counts"),
    ],
)  # fmt: skip
def test_a_keyword_that_would_do_nothing_is_refused(schema: Any, said: str) -> None:
    with pytest.raises(VerifierConfigError, match=said):
        JsonSchema(schema)


@pytest.mark.parametrize("draft", [None, DRAFT_4, DRAFT_7, DRAFT_2019])
def test_annotations_names_and_values_may_be_called_anything(draft: str | None) -> None:
    odd = {"propertie": 1, "requred": {"minimun": 2}}
    schema: dict[str, Any] = {
        "title": "a",
        "description": "b",
        "default": odd,
        "x-own": odd,
        "definitions": {"requred": {"enum": [odd]}},
        "properties": {"minimun": {"$ref": "#/definitions/requred"}, "nullable": {}},
    }
    if draft != DRAFT_4:
        schema |= {"$comment": "c", "examples": [odd], "readOnly": True}
        schema["properties"]["k"] = {"const": odd}
    JsonSchema(schema | ({"$schema": draft} if draft else {}))


def test_a_large_value_is_checked_or_refused_within_the_steps() -> None:
    items = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 0}}}
    schema = {"type": "array", "items": items}
    assert not violations_within(schema, 30_000)
    with pytest.raises(VerifierError) as raised:
        violations_within(schema, 250_000)
    assert raised.value.code == Code.TOO_LARGE


def violations_within(schema: Any, size: int) -> bool:
    value = json_copy([{"a": n} for n in range(size)])
    budget = Budget(3 * size, 3 * size)
    return any(True for _ in JsonSchema(schema).violations(value, budget=budget))

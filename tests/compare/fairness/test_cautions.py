"""What does not forbid a comparison is said."""

import pytest

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.refusing import CompareError
from tests.compare.hand_frames import cases, frame, of, samples


def warnings(*runs):
    return compare(frame(*runs), details=False).comparisons[0].warnings


def test_unequal_epochs_are_told():
    (told,) = warnings(
        samples("one", {"a": ["right", "wrong"], "b": ["right", "right"]}),
        samples("two", {"a": "right", "b": "right"}),
    )
    assert "one: 2 epochs, two: 1 epoch" in told


def test_other_versions_are_told_with_who_has_which():
    (told,) = warnings(
        samples("one", cases(2), versions=of(inspect_ai="0.1", engine="x")),
        samples("two", cases(2), versions=of(inspect_ai="0.2", engine="x")),
    )
    assert "inspect_ai (0.1: one; 0.2: two)" in told
    assert "engine" not in told


def test_other_judges_are_told():
    (told,) = warnings(
        samples("one", cases(2), settings='{"role.grader": "a/judge"}'),
        samples("two", cases(2), settings='{"role.grader": "b/judge"}'),
    )
    assert "other models as grader (a/judge: one; b/judge: two)" in told


def test_a_single_run_is_a_comparison_without_pairs_or_warnings():
    report = compare(frame(samples("one", cases(4, 3))), details=False)
    (comparison,) = report.comparisons
    assert comparison.pairs == []
    assert comparison.warnings == []
    assert comparison.runs[0].score.value == 0.75


def sided(*runs):
    return [(pair.a, pair.b) for pair in compare(frame(*runs), details=False).comparisons[0].pairs]


def test_one_run_on_either_side_is_a_pair_whatever_they_are():
    assert sided(samples("x", cases(3), side="base"), samples("y", cases(3), side="new")) == [
        ("id-base-x", "id-new-y")
    ]


def test_of_several_runs_those_of_the_same_model_and_arguments_are_pairs():
    base = [samples(f"{name} v", cases(3), side="base", settings=of(k=name)) for name in "xy"]
    new = [samples(f"{name} v", cases(3), side="new", settings=of(k=name)) for name in "yx"]
    assert sided(*base, *new) == [("id-base-x v", "id-new-x v"), ("id-base-y v", "id-new-y v")]


def test_where_arguments_changed_too_a_model_that_ran_once_on_either_side_is_a_pair():
    base = [samples(name, cases(3), side="base", settings=of(effort="low")) for name in "xy"]
    new = [samples(name, cases(3), side="new", settings=of(effort="high")) for name in "xz"]
    report = compare(frame(*base, *new), details=False)
    (pair,) = report.comparisons[0].pairs
    assert (pair.a, pair.b) == ("id-base-x", "id-new-x")
    told = " ".join(report.comparisons[0].warnings)
    assert "has other arguments" in told
    assert "y, z" in told


def prompted(side, **prints):
    """Runs of one model, each under a prompt file of a name, with the fingerprint given."""
    return [
        samples(
            f"m {side} {name}",
            cases(3),
            side=side,
            settings=of(prompt=name),
            prompt_fingerprint=text,
        )
        for name, text in prints.items()
    ]


def test_runs_are_paired_by_what_the_prompt_says_and_not_by_its_name():
    base, new = prompted("base", A="p1", B="p2"), prompted("new", A="p2", B="p1")
    report = compare(frame(*base, *new), details=False)
    assert [(pair.a, pair.b) for pair in report.comparisons[0].pairs] == [
        ("id-base-m base A", "id-new-m new B"),
        ("id-base-m base B", "id-new-m new A"),
    ]
    assert report.comparisons[0].warnings == []


def test_prompts_of_other_names_are_paired_by_what_they_say():
    base, new = prompted("base", A="p1", B="p2"), prompted("new", C="p1", D="p2")
    assert sided(*base, *new) == [
        ("id-base-m base A", "id-new-m new C"),
        ("id-base-m base B", "id-new-m new D"),
    ]


def test_prompts_that_were_changed_are_paired_by_their_name():
    base, new = prompted("base", A="p1", B="p2"), prompted("new", A="p3", B="p2")
    report = compare(frame(*base, *new), details=False)
    assert [(pair.a, pair.b) for pair in report.comparisons[0].pairs] == [
        ("id-base-m base A", "id-new-m new A"),
        ("id-base-m base B", "id-new-m new B"),
    ]
    assert report.comparisons[0].warnings == []


def test_base_and_new_of_two_models_are_told():
    one, two = samples("x", cases(3), side="base"), samples("y", cases(3), side="new")
    (told,) = warnings(one, two)
    assert "base and new are of two models, x and y" in told
    assert warnings(one, samples("x", cases(3), side="new")) == []


def test_models_that_judged_themselves_are_told_and_their_use_is_not_known():
    about = {"kind": "other", "scorer": "model_graded_qa", "cost": 0.5}

    def first(*runs):
        return compare(frame(*runs), details=False).comparisons[0]

    own = first(samples("one", cases(3), **about), samples("two", cases(3), **about))
    assert any("one, two were each judged by its own model" in told for told in own.warnings)
    assert [(run.use.cost, run.use.tokens) for run in own.runs] == [(None, None)] * 2
    assert {run.use.front_axis for run in own.runs} == {"seconds"}
    for named in (
        {"settings": of(**{"role.grader": "a/judge"})},
        {"scorer_params": of(model="a/judge")},
        {"scorer_params": of(model_role="critic"), "settings": of(**{"role.critic": "a/judge"})},
    ):
        other = first(samples("one", cases(3), **about, **named))
        assert not any("judged by its own" in told for told in other.warnings)
        assert (other.runs[0].use.cost, other.runs[0].use.tokens) == (0.5, 15)


def test_sides_with_nothing_in_common_are_refused_with_the_remedy():
    made = frame(
        *(samples(name, cases(2), side="base") for name in "ab"),
        *(samples(name, cases(2), side="new") for name in "cd"),
    )
    with pytest.raises(CompareError, match="same model"):
        compare(made, details=False)

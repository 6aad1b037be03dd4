"""The report in brief: on a narrow terminal, in a pipe, and full of hostile texts."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from creel_inspect.compare.comparing import compare
from creel_inspect.compare.console import print_report
from tests.compare.hand_frames import cases, frame, of, samples


def printed(report, *, width=80, terminal=False, encoding="utf-8", **options):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    console = Console(
        file=file,
        width=width,
        force_terminal=terminal,
        color_system="truecolor" if terminal else None,
        **options,
    )
    print_report(report, console)
    file.flush()
    return raw.getvalue().decode(encoding)


def report_of(*runs, common=False, **options):
    return compare(frame(*runs, **options), common=common, details=False)


def full():
    """A report in which every part has something to say."""
    tags = {f"case-{n:03}": ["even"] if n % 2 == 0 else ["odd"] for n in range(20)}
    about = {"tags": tags, "cost": 0.01}
    one = samples(
        "vendor/a-model-with-a-long-name-2026-01-01 [prompt=terse, reasoning_effort=high]",
        {**cases(20, 18), "case-001": ["wrong", "right"], "late": "errored", "extra": "right"},
        **about,
    )
    two = samples(
        "vendor/another-model-with-a-long-name [prompt=default, reasoning_effort=low]",
        {
            **{case: "right" if n % 2 else "wrong" for n, case in enumerate(cases(20))},
            "late": "unscored",
            "case-003": ["declined", "wrong"],
        },
        misreading={"case-000": "counts the salt too"},
        reason="timeout",
        versions=of(inspect_ai="9.9"),
        **about,
    )
    return report_of(one, two, common=True, notes=["one log was skipped"])


def test_every_part_is_printed_within_80_columns():
    text = printed(full())
    lines = text.splitlines()
    assert max(map(cell_len, lines)) <= 80
    for part in (
        "nl_search, search_answer.correct: 21 cases",
        "1  vendor/a-model-with-a-long-name-2026-01-01 [prompt=terse,",
        "95 % interval",
        "seconds",
        "cost",
        "front",
        "unscored: 1 timeout",
        "Differences",
        "How cases went from one run to another",
        "Misreadings",
        "case-000: counts the salt too (run 2: 1)",
        "unadjusted",
        "tag even, 10 cases",
        "Left out",
        "1 case: not every run was asked them (extra)",
        "Warnings",
        "About the logs",
        "one log was skipped",
    ):
        assert part in text, part


def test_a_pipe_gets_no_colour_codes_and_a_terminal_the_same_words():
    report = full()
    plain = printed(report)
    assert "\x1b" not in plain
    coloured = printed(report, terminal=True)
    assert "\x1b[1m" in coloured
    assert plain.splitlines()[1] in coloured


def test_the_command_prints_the_same_when_its_console_wraps_softly():
    report = full()
    assert printed(report, soft_wrap=True) == printed(report)


def test_ids_are_never_broken():
    case, run = "a-case-id-" * 12, "vendor/a-model-" * 10
    text = printed(report_of(samples(run, {case: "right"}), samples("two", {case: "wrong"})))
    assert case in text
    assert run in text


def test_nothing_of_a_log_acts_on_the_terminal():
    evil = "[red]evil[/red]\x1b[2J\x07\r\x9b31m\u202e :smile: [link=http://x]y[/link]"
    text = printed(
        report_of(
            samples(evil, {"a": "right", "b": "unscored"}, tags=[evil], reason=evil, task=evil),
            samples("two", {"a": evil, "b": "wrong"}, misreading=evil, tags=[evil], task=evil),
            notes=[evil],
        )
    )
    assert not set(text) & set("\x1b\x07\r\x9b\u202e")
    assert "[red]evil[/red]\\x1b[2J" in text
    assert ":smile:" in text


def test_a_pipe_that_is_not_utf_8_gets_escapes_and_no_error():
    report = report_of(samples("modèle-→", cases(3, 2)), samples("two", cases(3, 1)))
    assert "mod\\xe8le-\\u2192" in printed(report, encoding="ascii")


@pytest.mark.parametrize("width", [1, 20, 30, 40, 50, 60, 70, 80, 400])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_no_figure_is_broken_or_cut_at_any_width(width, encoding):
    report = full()
    text = printed(report, width=width, encoding=encoding)
    assert "Differences" in text
    assert "…" not in text
    (comparison,) = report.comparisons
    words = text.split()
    for run in comparison.runs:
        for value in (run.score.value, run.score.low, run.score.high, run.bounds.low):
            assert f"{100 * value:.1f}" in words
        assert f"{run.counts.requested}" in words


def test_where_a_table_does_not_fit_its_columns_are_told_one_below_the_other():
    text = printed(full(), width=30)
    assert "  run 1\n    score: " in text
    assert "    errored: 1\n" in text
    wide = printed(full(), width=80)
    assert "    errored: 1\n" not in wide
    assert "95 % interval  " in printed(full(), width=400)


def test_scores_of_any_size_are_printed_at_any_width():
    one = samples("one", {f"c{n}": 1e49 * n for n in range(9)}, kind="other", unit=False)
    two = samples("two", {f"c{n}": -1e-300 * n for n in range(9)}, kind="other", unit=False)
    for width in (10, 30, 80):
        assert "4e+49" in printed(report_of(one, two), width=width)


def test_tasks_that_were_not_compared_are_told_with_the_remedy():
    good = samples("one", {"a": "right"}, task="good", kind="other")
    bad = [samples(run, cases(2), corpus_fingerprint=f"corpus {run}") for run in ("x", "y")]
    text = printed(report_of(good, *bad))
    assert "Not compared\n  nl_search: these runs cannot be compared fairly.\n" in text
    assert "      corpus x: x\n" in text
    assert "    To do: run again over one corpus" in text


def test_why_samples_errored_is_told():
    rows = samples("one", {"a": "right", "b": "errored", "c": "errored"}, reason="Timeout: \x1b")
    assert "run 1, errored: 2 Timeout: \\x1b" in printed(report_of(rows))


def test_a_single_run_has_scores_and_no_differences():
    text = printed(report_of(samples("one", cases(8, 6))))
    assert "75.0" in text
    assert "Differences" not in text
    assert "front" not in text


def test_where_nothing_was_scored_nothing_is_made_up():
    text = printed(report_of(samples("one", {"a": "errored"}), samples("two", {"a": "not run"})))
    assert text.count("not measured") >= 3
    assert "0.0 to 100.0" in text


def test_epochs_show_how_often_all_of_them_are_right():
    text = printed(
        report_of(samples("one", {"a": ["right"] * 3, "b": ["right", "wrong", "right"]}))
    )
    # pass^2: (1 + 1/3) / 2; pass^3: (1 + 0) / 2.
    assert "pass^2" in text
    assert "66.7" in text
    assert "pass^3" in text
    assert "50.0" in text


def test_missing_samples_show_what_could_have_been():
    text = printed(report_of(samples("one", {"a": "right", "b": "errored"})))
    assert "if all were" in text
    assert "50.0 to 100.0" in text
    assert "if all were" not in printed(report_of(samples("one", {"a": "right"})))


def test_what_was_not_judged_shows_what_could_have_been_though_nothing_is_missing():
    about = {"kind": "extraction", "score_low": 0.25, "score_high": 0.75}
    text = printed(report_of(samples("one", {"a": 0.5}, **about)))
    assert "25.0 to 75.0" in text
    assert "had what is missing or not judged all gone one way" in " ".join(text.split())
    assert "as all seen do" not in text
    text = printed(report_of(samples("one", {"a": 0.5, "b": "errored"}, kind="other")))
    assert "if every score lies in 0 to 1, as all seen do" in " ".join(text.split())


def test_of_many_pairs_those_told_apart_come_first_and_the_rest_is_counted():
    runs = [samples(f"run-{n}", cases(40, 40 if n == 3 else 10)) for n in range(8)]
    text = printed(report_of(*runs))
    section = text.split("Differences")[1].split("How cases went")[0]
    assert section.strip().startswith("- run-3 is better than")
    assert "and 13 more pairs, 0 of them told apart" in " ".join(section.split())

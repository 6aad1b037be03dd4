"""What a comparison found: plain data, which the console, the HTML page and ``--json`` show.

``Report.model_dump_json()`` is the JSON of ``creel-inspect compare --json``. Its schema is
``Report.model_json_schema()``; it follows ``SCHEMA_VERSION``: the first number rises when a field
goes or changes its meaning, the second when one is added.
"""

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = "1.0"

Kind = Literal["search", "extraction", "other"]
Verdict = Literal["b_better", "a_better", "not_distinguishable", "not_measured"]


class _Result(BaseModel):
    # JSON has no NaN: what is not known is None.
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Estimate(_Result):
    """A figure and how far off it may be.

    Attributes:
        value: The figure itself.
        low: Lower end of its interval; None where so little was measured that there is none.
        high: Upper end.
        confidence: Nominal coverage of the interval, 0 to 1.
        method: How the interval was made, in words.
        cases: Cases it rests on.
        clusters: Groups of cases taken as one, such as matched pairs; ``cases`` where there are
            none.
        observations: Scored samples it rests on, epochs counted.
    """

    value: float
    low: float | None
    high: float | None
    confidence: float = 0.95
    method: str
    cases: int
    clusters: int
    observations: int


class Bounds(_Result):
    """The least and the most that a figure could have been, had nothing been missing."""

    low: float
    high: float


class Counts(_Result):
    """What became of the samples of a run, epochs counted.

    Attributes:
        requested: Samples that were to be run; the sum of the other four.
        scored: Those with a score.
        unscored: Those that the instrument could not measure, with their reasons in ``reasons``.
        errored: Those that ended in an error, such as a provider's failure.
        not_run: Those that no log holds.
        reasons: How many unscored samples have which reason code.
        errors: How many errored samples have which error, by its first line: the most frequent, at
            most five.
    """

    requested: int
    scored: int
    unscored: int
    errored: int
    not_run: int
    reasons: dict[str, int]
    errors: dict[str, int] = Field(default_factory=dict)


class Use(_Result):
    """What a run took. Each figure is over the samples for which it is known.

    Attributes:
        samples: Samples that ran.
        cost: Mean US dollars a sample; None where no log knows a price, or only together with that
            of grading.
        cost_known: Samples for which it is known.
        seconds: Median working seconds a sample, waiting for rate limits left out.
        seconds_p90: 90th percentile of the same.
        tokens: Mean tokens a sample of the model under test, in and out; None where they are only
            known together with those of grading.
        on_front: No other run is at least as good for less, in score and ``front_axis``.
        front_axis: ``cost`` where it is known of every sample of every run that has a score, else
            ``seconds``; None where neither is known.
    """

    samples: int
    cost: float | None
    cost_known: int
    seconds: float | None
    seconds_p90: float | None
    tokens: float | None
    on_front: bool | None
    front_axis: Literal["cost", "seconds"] | None


class Run(_Result):
    """One thing that was measured: a model under one prompt and one set of arguments.

    Attributes:
        id: Twelve hex digits; other results name a run by it.
        label: A short name for a person, unlike that of any other run.
        side: ``base`` or ``new`` where two paths were given, else empty.
        model: The model.
        settings: The arguments in which the compared runs differ, by name.
        logs: Where its samples were read.
        epochs: The most epochs that any of its cases has.
        counts: What became of its samples.
        score: Its mean score: of epochs within a case, then of cases. None if nothing was scored.
        bounds: What that mean could have been, had every sample been measured; None where the
            score has no known range.
        pass_hat: By k, the chance that k epochs of a case are all right, mean over cases. Only for
            scores that are right or wrong, and k up to the epochs that every scored case has.
        flip_rate: The chance that two epochs of one case differ, mean over cases; None for a single
            epoch.
        results: How many samples ended in which way (the vocabulary of ``Cell.result``).
        use: Cost, time and tokens.
    """

    id: str
    label: str
    side: Literal["", "base", "new"] = ""
    model: str
    settings: dict[str, str]
    logs: list[str]
    epochs: int
    counts: Counts
    score: Estimate | None
    bounds: Bounds | None
    pass_hat: dict[int, float]
    flip_rate: float | None
    results: dict[str, int]
    use: Use


class DifferenceTest(_Result):
    """A test of "there is no difference".

    Attributes:
        name: Which test, in words.
        p: Its two-sided p-value.
        p_holm: The same, adjusted by Holm's method over all pairs of the comparison.
        only_a: Cases that only ``a`` has right; None unless each is right or wrong, once.
        only_b: Likewise.
    """

    name: str
    p: float
    p_holm: float
    only_a: int | None = None
    only_b: int | None = None


class Pair(_Result):
    """Two runs over the cases that both have scored.

    Attributes:
        a: A run's id; the base of a regression.
        b: Another's.
        difference: Mean score of ``b`` minus that of ``a``, paired by case. None where no case was
            scored in both.
        bounds: What the difference could have been, had every missing sample gone against ``b``
            (``low``) or against ``a`` (``high``); over all cases asked of either.
        test: The test behind ``verdict``.
        detectable: The smallest difference that this many cases find in four of five tries, at the
            level that counts when all pairs are tested; None where none could be found so surely.
        more_cases: How many more cases it would take to find a difference as large as the one seen
            in four of five tries; None where none was seen, 0 where there are enough.
        verdict: By ``test.p_holm`` below 0.05.
        words: The same, for a person.
    """

    a: str
    b: str
    difference: Estimate | None
    bounds: Bounds | None
    test: DifferenceTest | None
    detectable: float | None
    more_cases: int | None
    verdict: Verdict
    words: str


class Transition(_Result):
    """How many cases ended in which way in ``a`` and in which in ``b``, as ``Cell.result`` has it:
    ``mixed`` where epochs differ. Those that ended alike are counted too; ``cases`` names them."""

    a: str
    b: str
    before: str
    after: str
    count: int
    cases: list[str]


class Cell(_Result):
    """One run's samples of one case.

    Attributes:
        result: ``right``, ``wrong``, ``partly right``, or how the sample ended where that is out of
            the ordinary (``declined``, ``malformed``, ...), ``unscored``, ``errored``,
            ``not run``; ``mixed`` where epochs differ.
        score: Mean over its scored epochs.
        epochs: Result of each epoch, in order.
    """

    result: str
    score: float | None
    epochs: list[str]


class CaseRow(_Result):
    """One case, over all runs.

    Attributes:
        case: Its id.
        why: What it is there to catch, where the task says.
        tags: What it is about, where the task says.
        cells: By run id.
        disagree: Whether two runs have another result or score. A sample that is unscored, errored
            or not run says nothing against another.
    """

    case: str
    why: str
    tags: list[str]
    cells: dict[str, Cell]
    disagree: bool


class Answer(_Result):
    """What one run said to one case, from a whole sample.

    Attributes:
        run: The run's id.
        epoch: Which epoch is shown: the first whose result is that of the cell, or the first.
        result: As ``Cell.result``.
        score: Its score.
        answer: The query as JSON, or the answer as the score has it.
        explanation: The scorer's Markdown. It may quote a model: never trust it.
        log: Where it stands, and what the viewer calls it.
        sample: The sample's id there.
        log_epoch: The sample's epoch there.
    """

    run: str
    epoch: int
    result: str
    score: float | None
    answer: str
    explanation: str
    log: str
    sample: str
    log_epoch: int


class Disagreement(_Result):
    """A case that the runs do not agree on, with every answer side by side."""

    case: str
    question: str
    why: str
    tags: list[str]
    reference: str
    answers: list[Answer]


class Misreading(_Result):
    """A wrong query that the case's author foresaw, and the runs that wrote it."""

    case: str
    misreading: str
    runs: dict[str, int]


class Slice(_Result):
    """The scores over some of the cases.

    Attributes:
        kind: ``tag``, ``operator``, ``corpus``, or ``answerable`` (can the question be answered).
        name: Which one.
        cases: How many.
        scores: By run id; None where nothing of it was scored.
    """

    kind: Literal["tag", "operator", "corpus", "answerable"]
    name: str
    cases: int
    scores: dict[str, Estimate | None]


class LeftOut(_Result):
    """What is not compared, and why."""

    what: str
    count: int
    why: str
    examples: list[str]


class Comparison(_Result):
    """All that was found about the runs of one task.

    Attributes:
        task: Its name, without that of a package.
        kind: ``search`` or ``extraction`` for this package's tasks, else ``other``.
        score: Which score: the scorer's name, and the entry where its value has several.
        binary: Every score is 0 or 1.
        points: Every score lies in 0 to 1, so that scores can be told in points of 100; true where
            nothing was scored.
        cases: Cases that are compared.
        clusters: Groups of them that are taken as one.
        runs: Best first.
        pairs: Every pair, or base and new alone where a base is named.
        transitions: Per pair.
        rows: Every case.
        disagreements: Those cases that runs disagree on, most spread first.
        disagreements_left_out: How many more there are.
        misreadings: Most frequent first.
        slices: By kind and name.
        left_out: What ``common`` left out.
        warnings: What a careful reader should know.
    """

    task: str
    kind: Kind
    score: str
    binary: bool
    points: bool = True
    cases: int
    clusters: int
    runs: list[Run]
    pairs: list[Pair]
    transitions: list[Transition]
    rows: list[CaseRow]
    disagreements: list[Disagreement]
    disagreements_left_out: int = 0
    misreadings: list[Misreading]
    slices: list[Slice]
    left_out: list[LeftOut]
    warnings: list[str]


class Report(_Result):
    """One comparison for each task that the logs hold.

    Attributes:
        schema_version: See the module.
        creel_inspect: The version that made it.
        sources: The paths that were asked for.
        comparisons: By task.
        warnings: About the logs: what was pooled, skipped or dropped.
        refused: Why the runs of a task were not compared, one text for each such task.
    """

    schema_version: str = Field(default=SCHEMA_VERSION)
    creel_inspect: str
    sources: list[str]
    comparisons: list[Comparison]
    warnings: list[str]
    refused: list[str] = Field(default_factory=list)


if __name__ == "__main__":
    print(json.dumps(Report.model_json_schema(), indent=1))

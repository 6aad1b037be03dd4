"""Reports made without logs: a small one by hand, any by size, and any full of one text.

The figures of ``by_size`` follow from its cells by simple formulas; they look like a real report's,
and no test takes them for right.
"""

import itertools
import json
import math
import random
from collections import Counter

from creel_inspect.compare.results import (
    Answer,
    Bounds,
    CaseRow,
    Cell,
    Comparison,
    Counts,
    DifferenceTest,
    Disagreement,
    Estimate,
    LeftOut,
    Misreading,
    Pair,
    Report,
    Run,
    Slice,
    Transition,
    Use,
)

WILSON = "Wilson score interval"
PAIRED = "paired t interval over cases"
MCNEMAR = "mid-p McNemar test"


def estimate(value, low=None, high=None, *, cases=6, method=WILSON, **others):
    named = {"cases": cases, "clusters": cases, "observations": cases, **others}
    return Estimate(value=value, low=low, high=high, method=method, **named)


def counts(scored, *, unscored=0, errored=0, not_run=0, reasons=None, errors=None):
    return Counts(
        requested=scored + unscored + errored + not_run,
        scored=scored,
        unscored=unscored,
        errored=errored,
        not_run=not_run,
        reasons=reasons or {},
        errors=errors or {},
    )


def use(cost=None, seconds=None, *, samples=6, front=None, axis=None, tokens=1234.0):
    return Use(
        samples=samples,
        cost=cost,
        cost_known=samples if cost is not None else 0,
        seconds=seconds,
        seconds_p90=None if seconds is None else seconds * 2,
        tokens=tokens,
        on_front=front,
        front_axis=axis,
    )


def run(id, label, score, *, model=None, settings=None, results=None, **others):
    """A run; ``others`` replace its quiet defaults."""
    defaults = {
        "logs": [f"logs/{id}.eval"],
        "epochs": 1,
        "counts": counts(6),
        "bounds": None,
        "pass_hat": {},
        "flip_rate": None,
        "use": use(),
    }
    return Run(
        id=id,
        label=label,
        model=model or label.split(" ")[0],
        settings=settings or {},
        score=score,
        results=results or {},
        **{**defaults, **others},
    )


def cell(result, score=None, epochs=None):
    return Cell(result=result, score=score, epochs=epochs or [result])


RIGHT, WRONG = cell("right", 1.0), cell("wrong", 0.0)

QUERY = {
    "where": {
        "op": "exists",
        "path": "inputs.components",
        "where": {"op": "same_compound", "path": "smiles", "smiles": "C[C@H](N)C(=O)O"},
    }
}


def answer(run, case, result, score, **others):
    defaults = {
        "epoch": 1,
        "answer": json.dumps(QUERY, indent=1),
        "explanation": "**Missed: 2 of 5 reactions.**\n\n| side | n |\n| --- | --- |\n| out | 2 |",
        "log": f"logs/{run}.eval",
        "sample": case,
        "log_epoch": 1,
    }
    return Answer(run=run, result=result, score=score, **{**defaults, **others})


def small(*, tasks=1):
    """Three runs on six cases with one of everything; a second task is an extraction."""
    found = [_search(), _extraction()][:tasks]
    return Report(
        creel_inspect="0.1.0", sources=["logs"], comparisons=found, warnings=["x.eval: unreadable"]
    )


def _search():
    a, b, c = "a" * 12, "b" * 12, "c" * 12
    runs = [
        run(
            a,
            "provider/large",
            estimate(0.8, 0.376, 0.964, cases=5),
            counts=counts(5, unscored=1, reasons={"engine_timeout": 1}),
            bounds=Bounds(low=0.667, high=0.833),
            results={"right": 4, "wrong": 1, "unscored": 1},
            pass_hat={1: 0.8, 2: 0.7},
            flip_rate=0.2,
            epochs=2,
            use=use(0.02, 4.0, front=True, axis="cost"),
        ),
        run(
            b,
            "provider/small [prompt=terse]",
            estimate(0.5, 0.188, 0.812),
            settings={"prompt": "terse"},
            bounds=Bounds(low=0.5, high=0.5),
            results={"right": 3, "wrong": 1, "declined": 1, "malformed": 1},
            use=use(0.0011, 1.5, front=True, axis="cost"),
        ),
        run(
            c,
            "local/8b",
            estimate(0.25, cases=4),
            counts=counts(4, errored=1, not_run=1, errors={"rate limit": 1}),
            bounds=Bounds(low=0.167, high=0.5),
            results={"right": 1, "wrong": 3, "errored": 1, "not run": 1},
            use=use(0.005, 31.0, front=False, axis="cost"),
        ),
    ]
    cells = {
        "l-alanine": [RIGHT, WRONG, WRONG],
        "yield/over 90 %": [RIGHT, cell("declined", 0.0), WRONG],
        "salts#2": [cell("mixed", 0.5, ["right", "wrong"]), cell("malformed", 0.0), WRONG],
        "case10": [RIGHT, RIGHT, RIGHT],
        "case9": [RIGHT, RIGHT, cell("errored")],
        "constructor": [cell("unscored"), RIGHT, cell("not run")],
    }
    rows = [
        CaseRow(
            case=case,
            why=f"It is there to catch {case}.",
            tags=["structure", "stereo"] if case == "l-alanine" else ["condition"],
            cells=dict(zip((a, b, c), row, strict=True)),
            disagree=case != "case10",
        )
        for case, row in cells.items()
    ]
    pairs = [
        Pair(
            a=b,
            b=a,
            difference=estimate(0.2, -0.24, 0.64, cases=5, method=PAIRED),
            bounds=Bounds(low=0.167, high=0.333),
            test=DifferenceTest(name=MCNEMAR, p=0.25, p_holm=0.5, only_a=1, only_b=2),
            detectable=0.61,
            more_cases=31,
            verdict="not_distinguishable",
            words="provider/large and provider/small [prompt=terse] are not distinguishable.",
        ),
        Pair(
            a=c,
            b=a,
            difference=estimate(0.75, 0.31, 0.99, cases=4, method=PAIRED),
            bounds=None,
            test=DifferenceTest(name=MCNEMAR, p=0.0004, p_holm=0.0012),
            detectable=None,
            more_cases=0,
            verdict="b_better",
            words="provider/large is better than local/8b by 0.75.",
        ),
        Pair(
            a=c,
            b=b,
            difference=None,
            bounds=None,
            test=None,
            detectable=None,
            more_cases=None,
            verdict="not_measured",
            words="provider/small [prompt=terse] and local/8b share no scored case.",
        ),
    ]
    return Comparison(
        task="nl_search",
        kind="search",
        score="search_answer.correct",
        binary=True,
        cases=6,
        clusters=5,
        runs=runs,
        pairs=pairs,
        transitions=[
            Transition(a=b, b=a, before="right", after="right", count=2, cases=["case10", "case9"]),
            Transition(
                a=b, b=a, before="declined", after="right", count=1, cases=["yield/over 90 %"]
            ),
            Transition(a=b, b=a, before="wrong", after="right", count=1, cases=["l-alanine"]),
            Transition(a=b, b=a, before="right", after="unscored", count=1, cases=["constructor"]),
            Transition(a=b, b=a, before="malformed", after="mixed", count=1, cases=["salts#2"]),
            Transition(a=c, b=a, before="wrong", after="right", count=2, cases=["l-alanine", "x"]),
        ],
        rows=rows,
        disagreements=[
            Disagreement(
                case=case,
                question=f"Which reactions have {case}?",
                why=f"It is there to catch {case}.",
                tags=["structure"],
                reference=json.dumps(QUERY, indent=1),
                answers=[
                    answer(run, case, one.result, one.score)
                    for run, one in zip((a, b, c), cells[case], strict=True)
                ],
            )
            for case in ("l-alanine", "yield/over 90 %", "constructor")
        ],
        disagreements_left_out=2,
        misreadings=[
            Misreading(case="l-alanine", misreading="the mirror image", runs={b: 1, c: 2})
        ],
        slices=[
            Slice(
                kind="tag",
                name="stereo",
                cases=1,
                scores={
                    a: estimate(1.0, 0.207, 1.0, cases=1),
                    b: estimate(0.0, 0.0, 0.793),
                    c: None,
                },
            ),
            Slice(
                kind="operator", name="same_compound", cases=2, scores={a: None, b: None, c: None}
            ),
        ],
        left_out=[
            LeftOut(what="cases", count=2, why="only two runs have them", examples=["old-1"])
        ],
        warnings=["The package versions differ: 0.1.0, 0.1.1."],
    )


def _extraction():
    d, e = "d" * 12, "e" * 12
    return Comparison(
        task="extraction",
        kind="extraction",
        score="extraction.f1",
        binary=False,
        cases=2,
        clusters=2,
        runs=[
            run(d, "base: provider/large", estimate(0.73, 0.6, 0.8, cases=2, method="bootstrap")),
            run(e, "new: provider/large", None, counts=counts(0, not_run=6)),
        ],
        pairs=[],
        transitions=[],
        rows=[
            CaseRow(
                case="l-alanine",  # the same id as in the other task
                why="",
                tags=[],
                cells={d: cell("partly right", 0.73), e: cell("not run")},
                disagree=True,
            ),
            CaseRow(
                case="energy", why="", tags=[], cells={d: cell("truncated", 0.1)}, disagree=False
            ),
        ],
        disagreements=[
            Disagreement(
                case="l-alanine",
                question="",
                why="",
                tags=[],
                reference="",
                answers=[answer(d, "l-alanine", "partly right", 0.73)],
            )
        ],
        misreadings=[],
        slices=[],
        left_out=[],
        warnings=[],
    )


def full_of(text, report=None):
    """The report with ``text`` before and after every string, keys too, so that ids still agree."""
    fields = {name: one for model in _models() for name, one in model.model_fields.items()}
    fixed = {name for name, one in fields.items() if "Literal" in str(one.annotation)}

    def changed(value, name=""):
        if isinstance(value, str):
            return value if name in fixed else f"{text}{value}{text}"
        if isinstance(value, list):
            return [changed(item, name) for item in value]
        if isinstance(value, dict):
            return {k if k in fields else changed(k): changed(v, k) for k, v in value.items()}
        return value

    return Report.model_validate(changed((report or small(tasks=2)).model_dump()))


def _models():
    return (
        *(
            Answer,
            Bounds,
            CaseRow,
            Cell,
            Comparison,
            Counts,
            DifferenceTest,
            Disagreement,
            Estimate,
        ),
        *(LeftOut, Misreading, Pair, Report, Run, Slice, Transition, Use),
    )


_NOUNS = (
    "amide",
    "ester",
    "ketone",
    "boronate",
    "chloride",
    "nitrile",
    "aniline",
    "indole",
    "sulfone",
)
_TAGS = ("structure", "stereo", "yield", "temperature", "solvent", "aggregate", "negation", "salt")
_ODD = ("declined", "malformed", "search timeout")


def by_size(models, cases, *, seed=1, disagreements=None, binary=True):
    """A report of this many models and cases, each answer with a query and an explanation."""
    random_ = random.Random(seed)
    ids = [f"{n:012x}" for n in range(models)]
    labels = [
        f"provider/model-{n + 1}" + (" [prompt=terse]" if n % 3 == 2 else "") for n in range(models)
    ]
    skill = [0.9 - 0.55 * n / max(models, 2) for n in range(models)]
    rows, entries = [], []
    for n in range(cases):
        noun, tag = _NOUNS[n % len(_NOUNS)], _TAGS[n * 7 % len(_TAGS)]
        case = f"{noun}-{tag}-{n:04d}"
        hard = random_.gauss(0, 0.3)
        cells = {id: _random_cell(random_, skill[k] - hard, binary) for k, id in enumerate(ids)}
        disagree = len({(one.result, one.score) for one in cells.values()}) > 1
        why = (
            f"A reader takes “{noun}” for any compound with one in it, and {tag} for what was set"
            " instead of what was measured; both find records that the question does not ask for."
        )
        rows.append(
            CaseRow(case=case, why=why, tags=sorted({tag, "demo"}), cells=cells, disagree=disagree)
        )
        if disagree:
            entries.append(_entry(random_, rows[-1], noun))
    runs = [
        _sized_run(id, labels[k], [row.cells[id] for row in rows], k) for k, id in enumerate(ids)
    ]
    runs.sort(key=lambda one: -one.score.value)
    runs = [one.model_copy(update={"use": _on_front(one, runs)}) for one in runs]
    order = [one.id for one in runs]
    names = {one.id: one.label for one in runs}
    pairs = [_sized_pair(a, b, rows, names, models) for b, a in itertools.combinations(order, 2)]
    kept = entries if disagreements is None else entries[:disagreements]
    transitions = [t for pair in pairs for t in _sized_transitions(pair, rows)]
    found = Comparison(
        task="nl_search",
        kind="search" if binary else "extraction",
        score="search_answer.correct" if binary else "extraction.f1",
        binary=binary,
        cases=cases,
        clusters=cases,
        runs=runs,
        pairs=pairs,
        transitions=transitions,
        rows=rows,
        disagreements=kept,
        disagreements_left_out=len(entries) - len(kept),
        misreadings=[
            Misreading(
                case=row.case, misreading="what was set, not what was measured", runs={ids[-1]: 1}
            )
            for row in rows[::9]
        ],
        slices=[_sized_slice(tag, rows, ids) for tag in sorted(_TAGS)],
        left_out=[],
        warnings=[],
    )
    return Report(creel_inspect="0.1.0", sources=["logs"], comparisons=[found], warnings=[])


def _random_cell(random_, chance, binary):
    draw = random_.random()
    if draw < 0.01:
        return cell("unscored")
    if not binary:
        score = round(min(1.0, max(0.0, random_.gauss(chance, 0.2))), 3)
        return cell("right" if score == 1 else "wrong" if score == 0 else "partly right", score)
    if random_.random() < chance:
        return RIGHT
    return cell(random_.choice(_ODD), 0.0) if draw < 0.2 else WRONG


def _entry(random_, row, noun):
    wide = {
        "where": {
            "op": "and",
            "clauses": [
                QUERY["where"],
                {"op": "ge", "path": "outcomes.products.measurements", "value": {"literal": 90}},
                {"op": "not", "where": {"op": "like", "path": "notes", "value": f"%{noun}%"}},
                {
                    "op": "exists",
                    "path": "workups",
                    "where": {"op": "eq", "path": "type", "value": 4},
                },
            ],
        }
    }
    answers = [
        answer(
            run,
            row.case,
            one.result,
            one.score,
            answer=json.dumps(wide, indent=1),
            explanation=_explanation(random_, wide, noun),
        )
        for run, one in row.cells.items()
    ]
    question = (
        f"Find the reactions whose product is an {noun} made in at least 90 % yield, with a wash"
        " but without anything in the notes that names it."
    )
    reference = json.dumps(wide, indent=1)
    return Disagreement(
        case=row.case,
        question=question,
        why=row.why,
        tags=row.tags,
        reference=reference,
        answers=answers,
    )


def _explanation(random_, query, noun):
    missed = "\n".join(
        f"| ord-{random_.getrandbits(64):016x} | missed | the {noun} stands among the products |"
        for _ in range(9)
    )
    code = json.dumps(query, indent=1)
    return (
        f"**Missed 9 of {random_.randint(10, 60)} reactions, and found 3 that do not belong.**\n\n"
        f"| reaction | side | why |\n| --- | --- | --- |\n{missed}\n\n"
        f"The case is there to catch: “{noun}” taken for a part of a compound.\n\n"
        f"The query:\n\n```json\n{code}\n```"
    )


def _wilson(scores):
    n, z = len(scores), 1.959964
    mean = math.fsum(scores) / n
    middle, half = (
        (mean + z * z / (2 * n)),
        z * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n)),
    )
    scale = 1 + z * z / n
    low, high = max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)
    return estimate(mean, low, high, cases=n)


def _sized_run(id, label, cells, position):
    scores = [one.score for one in cells if one.score is not None]
    missing = len(cells) - len(scores)
    total = math.fsum(scores)
    cost = 0.03 / 3**position
    return run(
        id,
        label,
        _wilson(scores),
        settings={"prompt": "terse"} if "terse" in label else {},
        counts=counts(
            len(scores), unscored=missing, reasons={"engine_timeout": missing} if missing else {}
        ),
        bounds=Bounds(low=total / len(cells), high=(total + missing) / len(cells)),
        results=dict(Counter(one.result for one in cells)),
        use=use(cost, 1.5 + position, samples=len(cells), axis="cost"),
    )


def _on_front(one, runs):
    better = any(
        other.score.value >= one.score.value and other.use.cost < one.use.cost for other in runs
    )
    return one.use.model_copy(update={"on_front": not better})


def _sized_pair(a, b, rows, names, models):
    both = [(row.cells[a].score, row.cells[b].score) for row in rows]
    gaps = [y - x for x, y in both if x is not None and y is not None]
    n, mean = len(gaps), math.fsum(gaps) / len(gaps)
    error = math.sqrt(math.fsum((g - mean) ** 2 for g in gaps) / (n - 1) / n) or 1e-9
    p = math.erfc(abs(mean) / error / math.sqrt(2))
    p_holm = min(1.0, p * models * (models - 1) / 2)
    better = p_holm < 0.05
    verdict = ("b_better" if mean > 0 else "a_better") if better else "not_distinguishable"
    low, high = mean - 1.96 * error, mean + 1.96 * error
    words = (
        f"{names[b]} is better than {names[a]} by {mean:.3f} (interval {low:.3f} to {high:.3f},"
        f" p = {p_holm:.2g} after Holm)."
        if better
        else f"{names[b]} and {names[a]} are not distinguishable: {mean:+.3f} on {n} cases."
    )
    return Pair(
        a=a,
        b=b,
        difference=estimate(mean, low, high, cases=n, method=PAIRED),
        bounds=Bounds(low=mean - 0.02, high=mean + 0.02),
        test=DifferenceTest(
            name=MCNEMAR, p=p, p_holm=p_holm, only_a=gaps.count(-1), only_b=gaps.count(1)
        ),
        detectable=2.8 * error,
        more_cases=0 if better else 4 * n,
        verdict=verdict,
        words=words,
    )


def _sized_transitions(pair, rows):
    found = {}
    for row in rows:
        found.setdefault((row.cells[pair.a].result, row.cells[pair.b].result), []).append(row.case)
    return [
        Transition(a=pair.a, b=pair.b, before=before, after=after, count=len(cases), cases=cases)
        for (before, after), cases in sorted(found.items())
    ]


def _sized_slice(tag, rows, ids):
    chosen = [row for row in rows if tag in row.tags]
    scores = {}
    for id in ids:
        values = [row.cells[id].score for row in chosen if row.cells[id].score is not None]
        scores[id] = _wilson(values) if values else None
    return Slice(kind="tag", name=tag, cases=len(chosen), scores=scores)

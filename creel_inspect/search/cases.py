"""A case file, read and checked before a model is asked anything."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
    model_validator,
)

from creel_inspect.search.corpus import bundled_corpora
from creel_inspect.search.engine import InvalidQuery, Query, SearchEngine, Structure, Structures

_MOST_BYTES = 20_000_000
_SOME_TEXT = r"\S"
_ID = r"^[a-z0-9][a-z0-9._-]{0,99}$"


class CaseFileError(ValueError):
    """A case file that cannot be run. The message names the file, the case and the field."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StructureText(_Strict):
    """What a placeholder stands for, as a case file writes it."""

    format: str
    text: str


class NearMiss(_Strict):
    """A wrong query that a model plausibly writes, and what would lead it there."""

    query: Query
    why: str = Field(min_length=1, pattern=_SOME_TEXT)


class Case(_Strict):
    """One question, and what any right answer to it must satisfy.

    Attributes:
        id: Stable slug; the sample's ID.
        question: The question in English, with placeholders such as ``@A`` where a person drew.
        why: What the case is there to catch.
        compiles: False for a question that the grammar cannot express, which must be declined.
        reference: One whole query that answers the question: what right answers return, not how
            they have to be spelled.
        must_return: IDs every right answer returns. Decides only where there is no reference.
        must_not_return: IDs no right answer returns. Decides only where there is no reference.
        near_misses: Wrong queries; for an infeasible case, the fudges a model would write.
        structures: What each placeholder of the question stands for.
        tags: What the case is about, to select and slice by.
        pair: The ID of its twin, which differs by a few words and is feasible where this is not.
        empty_is_right: The question is rightly answered with nothing.
    """

    id: str = Field(pattern=_ID)
    question: str = Field(min_length=1, pattern=_SOME_TEXT, max_length=5_000)
    why: str = Field(min_length=1, pattern=_SOME_TEXT)
    compiles: StrictBool = True
    reference: Query | None = None
    must_return: tuple[str, ...] = ()
    must_not_return: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    structures: dict[str, StructureText] = {}
    tags: tuple[str, ...] = ()
    pair: str | None = None
    empty_is_right: StrictBool = False

    @model_validator(mode="after")
    def _has_exactly_one_kind_of_answer(self) -> "Case":
        stated = [] if self.reference is None else ["reference"]
        stated += [name for name in ("must_return", "must_not_return") if getattr(self, name)]
        if self.compiles and not stated:
            raise ValueError(
                "a feasible case needs an answer: a reference query, or must_return or "
                "must_not_return IDs (or `compiles: false`, if it has none)"
            )
        if not self.compiles and (stated or self.empty_is_right):
            given = ", ".join(stated) or "empty_is_right"
            raise ValueError(
                f"a case with `compiles: false` has no answer, and this states {given}"
            )
        if self.must_return and self.empty_is_right:
            raise ValueError("empty_is_right says that nothing is right, and must_return what is")
        if stated == ["must_not_return"] and not self.empty_is_right:
            raise ValueError(
                "must_not_return alone would call an empty answer right; state must_return or a "
                "reference too (or empty_is_right, if nothing is the answer)"
            )
        overlap = sorted(set(self.must_return) & set(self.must_not_return))
        if overlap:
            raise ValueError(f"{overlap[0]} is in both must_return and must_not_return")
        return self

    def held_structures(self) -> Structures:
        """The placeholders as an engine takes them."""
        return {name: Structure(one.format, one.text) for name, one in self.structures.items()}


class CaseFile(_Strict):
    """Every case of a file, and the corpus their answers were checked on.

    Attributes:
        path: Where it was read from.
        corpus: The corpus the file was written for, by bundled name or folder; None if it names
            none, as upstream's does not.
        fingerprint: That corpus's fingerprint when the IDs in the file were derived.
        cases: In the file's order; IDs are unique.
    """

    path: Path
    corpus: str | None = None
    fingerprint: str | None = None
    cases: tuple[Case, ...]

    @property
    def digest(self) -> str:
        """Twelve hex digits that change when a case does, whatever the order of cases and keys."""
        dumped = (case.model_dump(mode="json", exclude_defaults=True) for case in self.cases)
        content = sorted(json.dumps(case, sort_keys=True) for case in dumped)
        return hashlib.sha256("\n".join(content).encode()).hexdigest()[:12]

    def tagged(self, tags: Sequence[str]) -> "CaseFile":
        """Only the cases that carry one of ``tags``; all of them where ``tags`` is empty.

        Raises:
            CaseFileError: If no case carries any of them.
        """
        if not tags:
            return self
        kept = tuple(case for case in self.cases if set(case.tags) & set(tags))
        if not kept:
            known = ", ".join(sorted({tag for case in self.cases for tag in case.tags}))
            raise CaseFileError(
                f"{self.path}: no case carries any of the tags {', '.join(tags)}; there are: "
                f"{known or 'none'}"
            )
        return self.model_copy(update={"cases": kept})


def case_path(source: str | None) -> Path:
    """The file that ``cases`` names: bundled, upstream's (``ord-schema``), or a path.

    Raises:
        CaseFileError: If there is no such file.
    """
    if source is None:
        return bundled_corpora()["demo"] / "cases.json"
    if source == "ord-schema":
        return Path(str(resources.files("ord_schema.search") / "nl_cases.json"))
    path = Path(source)
    if not path.is_file():
        raise CaseFileError(
            f"{source}: no such case file; give the path of a JSON file, `ord-schema` for the "
            "cases of the installed ord-schema, or nothing for the bundled ones"
        )
    return path


def load_cases(source: str | None = None) -> CaseFile:
    """Reads and checks a case file, either of this package's shape or of upstream's.

    Args:
        source: As ``case_path`` takes it.

    Raises:
        CaseFileError: Naming the file, each case and field that is wrong, and what was expected.
    """
    path = case_path(source)
    document = _read(path)
    if isinstance(document, list):
        document = {"cases": document}
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise CaseFileError(
            f"{path}: expected a list of cases, or an object with `cases` and the `corpus` they "
            f"are for; found {type(document).__name__}"
        )
    unknown = sorted(set(document) - {"corpus", "fingerprint", "cases"})
    if unknown:
        raise CaseFileError(
            f"{path}: unknown key {unknown[0]!r}; a file has corpus, fingerprint and cases"
        )
    problems: list[str] = []
    cases: list[Case] = []
    for position, entry in enumerate(document["cases"], start=1):
        found = _case(entry, position)
        if isinstance(found, Case):
            cases.append(found)
        else:
            problems.extend(found)
    problems.extend(_problems_between(cases))
    if not cases and not problems:
        problems.append("it holds no cases")
    if problems:
        raise CaseFileError(_report(path, problems))
    try:
        return CaseFile(path=path, **{**document, "cases": tuple(cases)})
    except ValidationError as error:
        raise CaseFileError(f"{path}: {_field_problems(error)[0]}") from error


def check_queries(file: CaseFile, engine: SearchEngine) -> None:
    """Compiles every query of the file, and fits every question to its placeholders.

    Raises:
        CaseFileError: Naming the file, each case and field that is wrong, and why.
    """
    problems: list[str] = []
    for case in file.cases:
        try:
            engine.check_structures(case.question, case.held_structures())
        except ValueError as error:
            told = _field_problems(error) if isinstance(error, ValidationError) else []
            problems.append(f"case {case.id!r}, structures: {(told or [_first_line(error)])[0]}")
            continue
        queries = {f"near_misses.{i}.query": near.query for i, near in enumerate(case.near_misses)}
        if case.reference is not None:
            queries["reference"] = case.reference
        for field, query in queries.items():
            try:
                engine.compile(query, {})
            except InvalidQuery as error:
                problems.append(f"case {case.id!r}, {field}: does not compile: {error}")
    if problems:
        raise CaseFileError(_report(file.path, problems))


def to_sample(
    case: Case,
    engine: SearchEngine,
    *,
    fingerprint: str | None = None,
    adequate: bool = False,
    searched: Mapping[str, Any] | None = None,
) -> Sample:
    """The case as Inspect runs it: the question as input, everything else out of the model's view.

    Args:
        case: The case.
        engine: What describes the question's placeholders.
        fingerprint: The corpus the case's IDs were derived on, where the file says.
        searched: How to open ``engine`` again, for scoring the log another time.
        adequate: The corpus at hand is known to tell the reference from each near-miss.
    """
    described = engine.describe(case.held_structures())
    if not case.compiles:
        target = "cannot_answer"
    elif case.reference is not None:
        target = json.dumps(case.reference)
    else:
        target = json.dumps({"return": case.must_return, "not": case.must_not_return})
    return Sample(
        id=case.id,
        input=f"{case.question}\n\n{described}" if described else case.question,
        target=target,
        metadata={
            "why": case.why,
            "tags": list(case.tags),
            "feasible": case.compiles,
            "pair": case.pair,
            "corpus_fingerprint": fingerprint,
            "adequate": adequate,
            "searched": {**(searched or {}), "corpus_fingerprint": engine.corpus_fingerprint},
            "case": case.model_dump(mode="json", exclude_defaults=True),
        },
    )


def _read(path: Path) -> Any:
    def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in pairs)
        repeated = [key for key, times in counts.items() if times > 1]
        if repeated:
            raise CaseFileError(f"{path}: the key {repeated[0]!r} is given twice in one object")
        return dict(pairs)

    def no_constants(name: str) -> Any:
        raise CaseFileError(f"{path}: {name} is not a JSON number")

    def finite(digits: str) -> float:
        number = float(digits)
        return number if math.isfinite(number) else no_constants(digits)

    try:
        if path.stat().st_size > _MOST_BYTES:
            raise CaseFileError(f"{path}: larger than the {_MOST_BYTES} bytes a case file may be")
        text = path.read_text(encoding="utf-8")
        return json.loads(
            text,
            object_pairs_hook=no_repeats,
            parse_constant=no_constants,
            parse_float=finite,
        )
    except CaseFileError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise CaseFileError(f"{path}: cannot be read: {error}") from error
    except json.JSONDecodeError as error:
        raise CaseFileError(f"{path}: not JSON: {error}") from error
    except RecursionError as error:
        raise CaseFileError(f"{path}: nested too deeply to read") from error
    except ValueError as error:  # an integer of thousands of digits
        raise CaseFileError(f"{path}: cannot be read: {error}") from error


def _case(entry: Any, position: int) -> Case | list[str]:
    """The case, or what is wrong with it."""
    if not isinstance(entry, dict):
        return [f"case {position}: expected an object, found {type(entry).__name__}"]
    if "id" not in entry and isinstance(entry.get("question"), str):
        entry = {"id": slug(entry["question"], entry.get("structures")), **entry}
    name = entry.get("id", position)
    try:
        case = Case.model_validate(entry)
        case.model_dump_json()
        return case
    except ValidationError as error:
        return [f"case {name!r}, {problem}" for problem in _field_problems(error)]
    except ValueError as error:  # nested too deeply, or half a character
        return [f"case {name!r}, its queries or texts cannot be written to a log: {error}"]


def slug(question: str, structures: Any = None) -> str:
    """A stable ID for a case that has none: its first words, and a digest of all it asks."""
    words = re.findall(r"[a-z0-9]+", question.lower())[:8]
    content = json.dumps([question, structures], sort_keys=True)
    return "-".join([*words, hashlib.sha256(content.encode()).hexdigest()[:6]])[-100:].lstrip("-")


def _problems_between(cases: Sequence[Case]) -> list[str]:
    counts = Counter(case.id for case in cases)
    problems = [
        f"case {one!r}, id: used {times} times" for one, times in counts.items() if times > 1
    ]
    by_id = {case.id: case for case in cases}
    for case in cases:
        if case.pair is None:
            continue
        twin = by_id.get(case.pair)
        if twin is None:
            problems.append(f"case {case.id!r}, pair: there is no case {case.pair!r}")
        elif twin.pair != case.id:
            problems.append(f"case {case.id!r}, pair: {case.pair!r} does not name it back")
        elif twin.compiles == case.compiles:
            problems.append(
                f"case {case.id!r}, pair: {case.pair!r} has to be feasible where this is not, or "
                "infeasible where this is"
            )
    return problems


def _field_problems(error: ValidationError) -> list[str]:
    return [
        f"{'.'.join(map(str, detail['loc'])) or 'answer'}: {_words(detail)}"
        for detail in error.errors(include_url=False)
    ]


def _words(detail: Any) -> str:
    if detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1:
        return f"there is no such key; a case has {', '.join(Case.model_fields)}"
    return str(detail["msg"]).removeprefix("Value error, ")


def _report(path: Path, problems: Sequence[str], most: int = 20) -> str:
    shown = "\n".join(f"  {problem}" for problem in problems[:most])
    more = f"\n  and {len(problems) - most} more" if len(problems) > most else ""
    plural = "problem" if len(problems) == 1 else "problems"
    return f"{path}: {len(problems)} {plural} to mend before anything is run:\n{shown}{more}"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)

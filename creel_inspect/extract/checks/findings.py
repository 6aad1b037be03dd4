"""What ``check`` can find in a corpus: the codes, and one finding."""

from dataclasses import asdict, dataclass
from enum import StrEnum

from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.verify.plain import shown


class Problem(StrEnum):
    """What can be wrong with a corpus. The values are stable: programs may rely on them."""

    GRAMMAR_INVALID = "grammar_invalid"
    """``grammar.yaml`` is not there, cannot be read or means nothing: a cycle of types, say."""

    NO_CASES = "no_cases"
    """No folder is a case, or there are too many."""

    ALWAYS_EMPTY = "always_empty"
    """Every gold graph is empty: whoever extracts nothing is right."""

    NO_STRICT_POLICY = "no_strict_policy"
    """There is no ``policies/strict.yaml``, which runs use unless another is named."""

    POLICY_INVALID = "policy_invalid"
    """A policy file cannot be read, or a verifier in it cannot be built."""

    POLICY_MATCHES_NOTHING = "policy_matches_nothing"
    """A policy's path names no type or attribute of the grammar."""

    BINDINGS_REFUSED = "bindings_refused"
    """``bindings.yaml`` cannot be read, or holds what a corpus may not have run."""

    CASE_INVALID = "case_invalid"
    """``case.yaml`` is not there, does not say why the case exists, or says something else."""

    CASE_NAME = "case_name"
    """The case's folder cannot be used as its id."""

    SOURCES_INVALID = "sources_invalid"
    """A source cannot be read: not UTF-8, no ordinary file, a broken table or JSON text."""

    NO_SOURCES = "no_sources"
    """The folder of sources holds nothing that is read."""

    GOLD_INVALID = "gold_invalid"
    """The gold is no graph: broken JSON, an edge in the air, an id used twice, a NaN."""

    GOLD_TOO_LARGE = "gold_too_large"
    """The gold is larger than graphs are scored or checked."""

    GOLD_BREAKS_GRAMMAR = "gold_breaks_grammar"
    """An element of the gold breaks a rule of the grammar."""

    TYPES_TIE = "types_tie"
    """A node of the gold has no type, or several none of which is above the others."""

    GOLD_NOT_RIGHT = "gold_not_right"
    """By one of the corpus's policies gold itself is not right, so that no answer can be."""

    ID_SHARED = "id_shared"
    """A node and an edge have one id, so that their evidence cannot be told apart."""

    EVIDENCE_INVALID = "evidence_invalid"
    """``expected_evidence.json`` cannot be read, or a record in it is none."""

    EVIDENCE_MISSING = "evidence_missing"
    """A value of the gold has no evidence."""

    EVIDENCE_STRAY = "evidence_stray"
    """Evidence for an element or an attribute that the gold does not have."""

    EVIDENCE_NOT_FOUND = "evidence_not_found"
    """What the evidence quotes or points at is not in the source."""

    VALUE_UNGROUNDED = "value_ungrounded"
    """The value is neither in its evidence nor in any source."""

    VALUE_ELSEWHERE = "value_elsewhere"
    """The value is in a source, but not where its evidence points."""

    OVERRIDE_INVALID = "override_invalid"
    """``verifiers.yaml`` cannot be read, or a verifier in it cannot be built."""

    OVERRIDE_MATCHES_NOTHING = "override_matches_nothing"
    """A path in ``verifiers.yaml`` names no element or attribute of this case's gold."""

    SAME_GOLD = "same_gold"
    """Two cases expect the same graph: an answer to the one passes for the other."""

    SAME_SOURCES = "same_sources"
    """Two cases have the same sources: the second catches nothing that the first does not."""

    FILE_UNREAD = "file_unread"
    """A file or folder that nothing reads: misnamed, misplaced or of another kind."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        where: The file, relative to the corpus, with a line or an element's taxonomy path.
        problem: A ``Problem``'s value.
        message: What was expected and what came, in words.
    """

    where: str
    problem: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.problem}]"

    def as_dict(self) -> dict[str, str]:
        """The finding as JSON."""
        return asdict(self)


def finding(where: str, problem: Problem, message: str) -> Finding:
    """A finding, with plain text for its code."""
    return Finding(where, problem.value, message)


def findings_of(error: CorpusError, where: str, problem: Problem) -> list[Finding]:
    """The findings that an error tells of: one for each line of its message.

    Args:
        error: What was raised. Each line of its message may begin with the file and the line.
        where: The file that was read, for a line that does not name it.
        problem: What it amounts to.
    """
    return [_placed(line, where, problem) for line in str(error).splitlines() if line.strip()]


def _placed(message: str, where: str, problem: Problem) -> Finding:
    named = (where, where.rpartition("/")[2])  # a source is called by its own name
    begun = next((one for one in named if message.startswith(one)), None)
    if begun is None:
        return finding(where, problem, message)
    rest = message[len(begun) :]
    line = ""
    if rest[:1] == ":" and rest[1:2].isdigit():
        digits = len(rest) - len(rest[1:].lstrip("0123456789"))
        line, rest = rest[:digits], rest[digits:]
    return finding(where + line, problem, rest.lstrip(": ") or message)


def plain(text: str) -> str:
    """A name that may be a stranger's, on one line and without what a terminal would act on."""
    return text if len(text) <= 100 and text.isprintable() else shown(text, 100)

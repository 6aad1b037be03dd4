"""Documents to a graph: the task that ``inspect eval creel_inspect/extraction_task.py`` runs."""

from typing import Any

from inspect_ai import Task, task

from creel_inspect.extract.assemble import extraction_eval
from creel_inspect.extract.extractors.creel import NO_MODEL
from creel_inspect.extract.files.reading import CorpusError
from creel_inspect.extract.marking.marking import GateMode
from creel_inspect.extract.scorer import PolicyRefusedError
from creel_inspect.offline_default import model_where_none_is_given
from creel_inspect.refusing import told_plainly


@task
def extraction(
    corpus: str | list[str] | None = None,
    policy: str | None = None,
    extractor: str | None = None,
    gate: GateMode = "report",
    repair: int = 1,
    allow_related_judge: bool = False,
) -> Task:
    """Documents, extracted into a typed property graph and scored element by element.

    Args:
        corpus: A bundled corpus by name, or the path of a folder; several are separated by commas,
            or a list. All bundled ones by default.
        policy: What values are compared by: a policy of the corpus by name, or the path of a file
            (``.yaml``). By default ``strict``, where the corpus has it.
        extractor: ``model`` asks the model for the graph; ``creel`` runs the creel engine by the
            corpus's bindings, with the model where they bind one; ``module:function`` names one of
            your own. By default ``model``, or ``creel`` where no model is given.
        gate: What becomes of a value that stands in no source: ``report`` lists it, ``enforce``
            makes it wrong, ``off`` does not look.
        repair: 1 hands a faulty graph back to the model once; 0 never does.
        allow_related_judge: Lets a ``grader`` of the model's own family judge it.
    """
    arguments: dict[str, Any] = {"policy": policy, "gate": gate, "repair": repair}
    arguments["allow_related_judge"] = allow_related_judge
    own = extractor if isinstance(extractor, str) and ":" in extractor else ""
    with told_plainly(CorpusError, PolicyRefusedError, ValueError):
        return extraction_eval(
            corpora=_listed(corpus),
            extractor=extractor,
            model=model_where_none_is_given(
                NO_MODEL,
                "No model given: extracting offline with "
                + (own or "the creel engine and each corpus's bindings")
                + ". For a real one: --model anthropic/claude-haiku-4-5",
            ),
            **arguments,
        )


def _listed(corpus: str | list[str] | None) -> list[str]:
    if corpus is None:
        return []
    # A folder called 2024 comes as a number from the command line.
    parts = [str(one) for one in corpus] if isinstance(corpus, list) else str(corpus).split(",")
    named = [part.strip() for part in parts if part.strip()]
    if not named:
        raise CorpusError(
            "corpus: expected a name or a folder, came nothing; all bundled ones are "
            "taken where it is left out"
        )
    return named

"""The bundled corpora's bindings: general patterns, and a model where prose has to be read."""

import itertools
import json
import re

import pytest
import yaml
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from creel_inspect.extract.corpus.corpus import bundled_corpora, load_corpus
from creel_inspect.extract.extractors.model import Extraction
from creel_inspect.extract.extractors.outcomes import Outcome
from creel_inspect.extraction_task import extraction

CORPORA = ("rbm", "energy_audits")
LATE = {"rbm": {"amended_agreement", "quarterly_update"}, "energy_audits": {"decimal-commas"}}
PATTERN, QUERY, MODEL = (
    {"regex_node", "regex_edge"},
    {"table_map", "json_query"},
    {"llm", "cluster_llm"},
)


def bindings(corpus):
    return yaml.safe_load((bundled_corpora()[corpus] / "bindings.yaml").read_text("utf-8"))


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_bindings_use_allowed_strategies_only_and_those_of_rbm_all_three_families(corpus):
    used = {step["strategy"] for step in bindings(corpus).values()}
    assert used <= PATTERN | QUERY | MODEL
    families = [family for family in (PATTERN, QUERY, MODEL) if used & family]
    assert len(families) == (3 if corpus == "rbm" else 2)


def words(text):
    return set(re.findall(r"[^\W\d_]{5,}", text))


@pytest.mark.parametrize("corpus", CORPORA)
def test_no_pattern_holds_a_word_that_only_one_case_could_have_given_it(corpus):
    """A word of five letters is one of the grammar's, or of several cases, or of none.

    Group names are the grammar's attributes, and left out. Patterns mind upper and lower case, and
    so does this. A late case cannot have given a word: the patterns were fixed before it.
    """
    patterns = [
        re.sub(r"\(\?P<\w+>", "(", step["config"]["pattern"])
        for step in bindings(corpus).values()
        if "pattern" in step.get("config", {})
    ]
    # Escapes such as \b and \n stick to the word after them.
    literal = words(re.sub(r"\\.", " ", " ".join(patterns)))
    grammar = (bundled_corpora()[corpus] / "grammar.yaml").read_text("utf-8").replace("_", " ")
    known = {word.casefold() for word in words(grammar)}
    early = {
        case.id: words(" ".join(source.text for source in case.sources.values()))
        for case in load_corpus(corpus).cases
        if case.id not in LATE[corpus]
    }
    assert len(literal) > 15
    told = {
        word: [name for name, some in early.items() if word in some]
        for word in literal
        if word.casefold() not in known
    }
    assert {word: names for word, names in told.items() if len(names) == 1} == {}


@pytest.mark.parametrize("corpus", CORPORA)
def test_no_pattern_holds_a_number_or_a_word_with_a_foreign_letter(corpus):
    for step in bindings(corpus).values():
        pattern = step.get("config", {}).get("pattern", "")
        bare = re.sub(r"\{[0-9,]+\}|\[[^\]]*\]", " ", pattern)  # repeats and classes
        assert not re.search(r"[0-9]{2,}|[^\W\d_a-zA-Z²]", bare), pattern


def values(sample, kind, name):
    """What the extracted nodes of a type say under a name."""
    nodes = sample.store_as(Extraction).graph["nodes"].values()
    return {node["attributes"].get(name) for node in nodes if node["types"] == [kind]}


def test_the_bindings_run_on_the_late_cases_and_find_what_is_written_as_usual():
    late = [f"{corpus}/{case}" for corpus, some in LATE.items() for case in sorted(some)]
    [log] = inspect_eval(extraction(), model="creel/engine", sample_id=late)
    assert log.status == "success", log.error
    found = {sample.id: sample for sample in log.samples}
    assert set(found) == set(late)
    outcomes = {sample.store_as(Extraction).outcome for sample in found.values()}
    assert outcomes == {Outcome.EXTRACTED}
    ferry, plomb = found["rbm/amended_agreement"], found["rbm/quarterly_update"]
    # A JSON export, a table, and lines with a label.
    assert values(ferry, "project", "code") == {"FLY-19"}
    assert values(ferry, "output", "code") == {"3", "4"}
    assert values(plomb, "reading", "value") == {18.2, 19.7, 11.4, 10.9, 312}
    assert values(plomb, "outcome", "statement") == {"Potters glaze without lead"}
    hall = found["energy_audits/decimal-commas"]
    assert values(hall, "organisation", "name") == {"Björkhaga Fastigheter"}
    assert values(hall, "system.lighting", "fittings") == {212}
    for sample in found.values():
        assert 0 < sample.scores["extraction"].value["f1"] < 1


# -- the types that are left to a model ----------------------------------------------------------

PUMPS = "project:orvane-solar-irrigation"
STOCK = (
    "Spare parts should be stocked in the valley before the first pump is installed, because a "
    "broken pump that waits a month for a part costs the committee its members' trust"
)
LESSON_ID = "lesson:" + re.sub(r"[^a-z]+", "-", STOCK.casefold())  # as creel makes its ids
PARTNERS = {
    True: {
        "partner": [{"name": "Velda Growers' Union"}],
        "implements": [{"_source": "partner:velda-growers-union", "_target": PUMPS}],
    },
    False: {"partner": [{"name": "Øvre Lund Teachers' College"}], "implements": []},
}


def test_the_types_left_to_a_model_arrive_from_a_scripted_one_and_score():
    asked = []

    def said_by_the_model(messages, tools, tool_choice, config):
        question = messages[-1].text
        pumps = "Orvane Solar Irrigation" in question
        if "every partner" in question:
            kind, reply = "partner", PARTNERS[pumps]
        elif "every lesson" in question:
            kind, reply = "lesson", {"items": [{"text": STOCK}] if pumps else []}
        else:
            assert "every learned" in question
            lesson = {"_source": PUMPS, "_target": LESSON_ID}
            kind, reply = "learned", {"items": [lesson] if pumps else []}
        asked.append((pumps, kind))
        output = ModelOutput.from_content("scripted", json.dumps(reply, ensure_ascii=False))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=said_by_the_model, memoize=False)
    [log] = inspect_eval(
        extraction(corpus="rbm", extractor="creel"),
        model=model,
        sample_id=["rbm/amounts_in_words", "rbm/one_donor_many_names"],
    )
    assert log.status == "success", log.error
    assert sorted(asked) == sorted(
        itertools.product((True, False), ("partner", "lesson", "learned"))
    )
    pumps, school = sorted(log.samples, key=lambda sample: sample.id)
    assert values(pumps, "partner", "name") == {"Velda Growers' Union"}
    assert values(pumps, "lesson", "text") == {STOCK}
    scores = pumps.scores["extraction"].value
    for kind in ("node.partner", "edge.implements", "node.lesson", "edge.learned"):
        assert scores[kind] == 1.0, kind
    # By a pattern, beside them.
    assert values(pumps, "output", "code") == {"1.2"}
    assert scores["node.output"] == 1.0
    # One of two partners is told, without the alias of the other: 2 of 5 things match, of 2 came.
    scores = school.scores["extraction"].value
    assert values(school, "partner", "name") == {"Øvre Lund Teachers' College"}
    assert scores["node.partner"] == pytest.approx(4 / 7)
    assert "node.lesson" not in scores

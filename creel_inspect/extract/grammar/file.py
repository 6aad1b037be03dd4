"""Reading grammar.yaml."""

from pathlib import Path

from creel_inspect.extract.files.documents import CorpusError, Document
from creel_inspect.extract.files.reading import read_yaml
from creel_inspect.extract.grammar.model import Grammar, place_text


def load_grammar(path: Path, corpus: Path) -> Grammar:
    """The grammar that a YAML file inside a corpus's folder describes.

    Raises:
        CorpusError: If it describes none; each mistake with its line, and its place in the file.
    """
    return grammar_of(read_yaml(path, corpus))


def grammar_of(document: Document) -> Grammar:
    """The grammar that a document describes.

    Raises:
        CorpusError: As ``load_grammar``.
    """
    try:
        return Grammar.from_json(document.value)
    except CorpusError as error:
        said = "\n".join(
            f"{document.where(*one.place)}: {place_text(one.place)}: {one.message}"
            for one in error.faults
        )
        raise CorpusError(said, error.faults) from error

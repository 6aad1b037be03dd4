"""Whether a judge is independent of the model it judges, from their names.

A judge favours its own writing and its relatives' (Panickssery et al. 2024,
https://arxiv.org/abs/2404.13076), so a judge of the subject's family is refused unless a run
allows it. A name says what it says: ``azureai/my-deployment`` hides its family, and a fine-tune
under a new name hides its parent.
"""

import re

_FAMILIES = {
    "ai21": "jamba jurassic j2",
    "allenai": "olmo olmoe molmo tulu",
    "amazon": "nova titan",
    "anthropic": "claude",
    "baidu": "ernie",
    "bytedance": "doubao seed-oss",
    "cohere": "command command-r c4ai aya",
    "databricks": "dbrx",
    "deepseek": "deepseek",
    "eleutherai": "gpt-j gpt-neo gpt-neox pythia",
    "google": "gemini gemma codegemma medgemma palm bison learnlm",
    "huggingface": "smollm smollm2 smollm3 zephyr starcoder",
    "ibm": "granite",
    "internlm": "internlm",
    "lg": "exaone",
    "liquid": "lfm",
    "meta": "llama codellama tinyllama vicuna alpaca",
    "microsoft": "phi wizardlm orca",
    "minimax": "minimax abab",
    "mistral": "mistral mixtral codestral mathstral ministral magistral pixtral devstral voxtral",
    "moonshot": "kimi moonshot",
    "nvidia": "nemotron",
    "openai": "gpt chatgpt codex davinci o1 o3 o4",
    "perplexity": "sonar",
    "qwen": "qwen qwq qvq tongyi",
    "reka": "reka",
    "stability": "stablelm",
    "tencent": "hunyuan",
    "tii": "falcon",
    "upstage": "solar",
    "writer": "palmyra",
    "xai": "grok",
    "xiaomi": "mimo",
    "yi": "yi",
    "zhipu": "glm chatglm",
}
"""By family, the words that its models' names hold."""

_ORGANISATIONS = {
    "ai21": "ai21 ai21labs",
    "allenai": "allenai",
    "amazon": "amazon aws",
    "anthropic": "anthropic",
    "baidu": "baidu",
    "bytedance": "bytedance bytedance-seed",
    "cohere": "cohere cohereforai coherelabs",
    "databricks": "databricks",
    "deepseek": "deepseek deepseek-ai",
    "eleutherai": "eleutherai",
    "google": "google",
    "huggingface": "huggingfacetb huggingfaceh4",
    "ibm": "ibm ibm-granite",
    "internlm": "internlm",
    "lg": "lgai-exaone",
    "liquid": "liquidai",
    "meta": "meta meta-llama facebook",
    "microsoft": "microsoft",
    "minimax": "minimax minimaxai",
    "mistral": "mistral mistralai",
    "moonshot": "moonshot moonshotai",
    "nvidia": "nvidia",
    "openai": "openai",
    "perplexity": "perplexity",
    "qwen": "qwen alibaba",
    "reka": "rekaai",
    "stability": "stabilityai",
    "tencent": "tencent",
    "tii": "tiiuae",
    "upstage": "upstage",
    "writer": "writer",
    "xai": "grok xai x-ai",
    "xiaomi": "xiaomi xiaomimimo",
    "yi": "01-ai",
    "zhipu": "zhipu zhipuai thudm zai-org z-ai",
}
"""By family, the providers and organisations that serve their own models under their own name."""

_HOSTS = frozenset(
    (
        "azure",
        "azureai",
        "bedrock",
        "bedrock-converse",
        "cf",
        "cloudflare",
        "fireworks",
        "groq",
        "hf",
        "hf-inference-providers",
        "huggingface",
        "litellm-proxy",
        "litellm",
        "llama-cpp-python",
        "lmstudio",
        "mockllm",
        "nnterp",
        "none",
        "ollama",
        "openai-api",
        "openai-api-completions",
        "openrouter",
        "replicate",
        "sagemaker",
        "sambanova",
        "sglang",
        "together",
        "transformer_lens",
        "vertex",
        "vertex_ai",
        "vllm",
        "vllm-completions",
        "accounts",
        "models",
        "workers-ai",
    )
)
"""Who serves anybody's models: such a part of a name says nothing of a family."""


def _words(table: dict[str, str]) -> tuple[tuple[str, str], ...]:
    pairs = ((word, family) for family, words in table.items() for word in words.split())
    return tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0])))


_FAMILY_OF_ORGANISATION = dict(_words(_ORGANISATIONS))
_FAMILY_OF_WORD = dict(_words(_FAMILIES))
# A word stands by itself, though a version may follow: "qwen2.5", but not "dolphin" for "phi". One
# that ends in a figure is whole: "o1-mini" is one, "o100" is none. Longer words are tried first.
_WORD = re.compile(
    "|".join(
        rf"(?<![a-z0-9]){re.escape(word)}(?![a-z{'0-9' if word[-1].isdigit() else ''}])"
        for word, _ in _words(_FAMILIES)
    )
)
_REGION = re.compile(r"(?:us|eu|apac|global|au|jp|ca|us-gov)\.(?=[a-z0-9-]+\.)")


def family(model: str) -> str | None:
    """The family of a model, such as ``anthropic`` for ``bedrock/anthropic.claude-3-haiku``.

    The model's own name counts first, then the organisation or provider it is served by. Of the
    several families of a distilled model, the one that is named first.

    Args:
        model: A name as Inspect writes it: ``provider/model`` or ``provider/organisation/model``.
    """
    found = _families(model)
    return found[0] if found else None


def independence_fault(judge: str, subject: str) -> str | None:
    """Why a judge is not independent of the model it judges, or None.

    It is not if they are the same model, wherever it is served, of one family (one of several
    families is enough, so that a distilled model is kin to both its parents), or, where a family
    is unknown, from one organisation.
    """
    one, other = judge.strip().casefold(), subject.strip().casefold()
    if not one or not other:
        return "the judge and the subject must both be named to tell that they differ"
    if one == other:
        return f"the judge and the subject are the same model, {judge.strip()}"
    both = f"the judge {judge.strip()} and the subject {subject.strip()}"
    if _bare(one) == _bare(other):
        return f"{both} are the same model, served by two"
    theirs = _families(other)
    shared = [name for name in _families(one) if name in theirs]
    if shared:
        return f"{both} are both of the {shared[0]} family"
    organisations = _organisations(other)
    common = [part for part in _organisations(one) if part in organisations]
    if common and not (_families(one) and theirs):
        return f"{both} both come from {common[0]}"
    return None


def _families(model: str) -> list[str]:
    parts = _parts(model)
    told = parts[1:] if len(parts) > 1 and _is_served_by(parts[0]) else parts
    named = [_FAMILY_OF_WORD[found.group()] for part in told[-1:] for found in _WORD.finditer(part)]
    if not named:
        named = [_FAMILY_OF_WORD[hit.group()] for part in told for hit in _WORD.finditer(part)]
    # The nearest part says most: "openrouter/anthropic/…" is Anthropic's.
    organisations = (
        _FAMILY_OF_ORGANISATION[part]
        for part in reversed(parts[:-1] or parts)
        if part in _FAMILY_OF_ORGANISATION
    )
    return list(dict.fromkeys(named)) or list(organisations)[:1]


def _is_served_by(part: str) -> bool:
    return part in _HOSTS or part in _FAMILY_OF_ORGANISATION


def _parts(model: str) -> list[str]:
    """``bedrock``, ``anthropic``, ``claude-3-haiku`` of ``bedrock/us.anthropic.claude-3-haiku``."""
    parts: list[str] = []
    for part in model.strip().casefold().split("/"):
        inner = _REGION.sub("", part.removeprefix("@"), count=1)
        # Bedrock writes organisation and model with a dot; a version number has one too.
        organisation, dot, rest = inner.partition(".")
        if dot and organisation in _FAMILY_OF_ORGANISATION:
            parts += [organisation, rest]
        else:
            parts.append(inner)
    return [part for part in parts if part]


def _organisations(model: str) -> list[str]:
    return [part for part in _parts(model)[:-1] if part not in _HOSTS]


def _bare(model: str) -> str:
    return _parts(model)[-1] if _parts(model) else ""

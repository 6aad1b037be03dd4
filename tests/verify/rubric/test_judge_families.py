import pytest

from creel_inspect.verify.rubric.families import family, independence_fault


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("anthropic/claude-haiku-4-5", "anthropic"),
        ("anthropic/bedrock/anthropic.claude-3-haiku", "anthropic"),
        ("bedrock/anthropic.claude-3-haiku-20240307-v1:0", "anthropic"),
        ("bedrock/us.anthropic.claude-3-haiku-20240307-v1:0", "anthropic"),
        ("vertex/claude-3-5-sonnet", "anthropic"),
        ("openrouter/anthropic/claude-3.5-sonnet", "anthropic"),
        ("openrouter/anthropic/a-name-of-next-year", "anthropic"),
        ("openai/gpt-4o", "openai"),
        ("OpenAI/GPT-4o", "openai"),
        ("openai/o3", "openai"),
        ("openai/o1-mini", "openai"),
        ("openai/azure/our-deployment", "openai"),
        ("azureai/gpt-4o", "openai"),
        ("gpt-4o", "openai"),
        ("vllm/openai/gpt-oss-120b", "openai"),
        ("openai/ft:gpt-4o-mini:acme::1", "openai"),
        ("vllm/EleutherAI/gpt-j-6b", "eleutherai"),
        ("google/gemini-2.0-flash", "google"),
        ("vertex/gemini-1.5-pro", "google"),
        ("ollama/gemma2:9b", "google"),
        ("together/meta-llama/Llama-3.3-70B-Instruct-Turbo", "meta"),
        ("groq/llama-3.1-8b-instant", "meta"),
        ("cloudflare/@cf/meta/llama-3.1-8b", "meta"),
        ("bedrock/meta.llama3-1-70b-instruct-v1:0", "meta"),
        ("mistral/mistral-large-latest", "mistral"),
        ("mistral/magistral-small", "mistral"),
        ("hf/NousResearch/Hermes-2-Pro-Mistral-7B", "mistral"),
        ("ollama/qwen2.5:7b", "qwen"),
        ("together/Qwen/QwQ-32B", "qwen"),
        ("grok/grok-2", "xai"),
        ("openrouter/x-ai/grok-4", "xai"),
        ("deepseek/deepseek-chat", "deepseek"),
        ("openai-api/deepseek/deepseek-chat", "deepseek"),
        ("openai/deepseek-chat", "deepseek"),
        ("together/deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "deepseek"),
        ("bedrock/amazon.nova-pro-v1:0", "amazon"),
        ("hf/microsoft/phi-4", "microsoft"),
        ("hf/01-ai/Yi-34B", "yi"),
    ],
)
def test_a_family_is_read_from_the_model_not_from_who_serves_it(model, expected):
    assert family(model) == expected


@pytest.mark.parametrize(
    "model",
    [
        "",
        "none/none",
        "mockllm/model",
        "azureai/our-deployment",
        "hf/acme/foo",
        "ollama/dolphin",  # not phi
        "ollama/x",  # not llama
        "llama-cpp-python/default",
        "groq/compound",  # not grok
        "creel/near-miss",
    ],
)
def test_a_name_that_tells_nothing_has_no_family(model):
    assert family(model) is None


@pytest.mark.parametrize(
    ("judge", "subject", "why"),
    [
        ("openai/gpt-4o", "openai/gpt-4o", "same model"),
        ("openai/gpt-4o", " OpenAI/GPT-4o", "same model"),
        ("mockllm/model", "mockllm/model", "same model"),
        ("creel/canned", "creel/canned", "same model"),
        ("vllm/foo", "ollama/foo", "same model"),
        ("openai/gpt-4o-mini", "azureai/gpt-4o", "openai family"),
        ("openai/o3", "openai/gpt-4o", "openai family"),
        ("anthropic/claude-a", "bedrock/anthropic.claude-b", "anthropic family"),
        ("groq/llama-3.1-8b", "together/meta-llama/Llama-3.3-70B", "meta family"),
        # A distilled model is kin to both its parents.
        ("groq/llama-3.1-8b", "together/deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "meta family"),
        ("deepseek/deepseek-chat", "groq/deepseek-r1-distill-llama-70b", "deepseek family"),
        ("hf/acme/foo", "together/acme/bar", "come from acme"),
        ("creel/one", "creel/two", "come from creel"),
        ("hf/acme/llama-tuned", "hf/acme/foo", "come from acme"),
        ("", "openai/gpt-4o", "be named"),
        ("openai/gpt-4o", " ", "be named"),
    ],
)
def test_a_judge_that_is_kin_to_its_subject_is_at_fault_both_ways(judge, subject, why):
    assert why in independence_fault(judge, subject)
    assert why in independence_fault(subject, judge)


@pytest.mark.parametrize(
    ("judge", "subject"),
    [
        ("openai/gpt-4o", "anthropic/claude-haiku-4-5"),
        ("vertex/claude-3-5-sonnet", "vertex/gemini-1.5-pro"),
        ("bedrock/anthropic.claude-3", "bedrock/meta.llama3-1-70b"),
        ("openrouter/openai/gpt-4o", "openrouter/anthropic/claude-3.5"),
        ("groq/llama-3.1-8b", "grok/grok-2"),
        ("ollama/foo", "ollama/bar"),
        ("openai/gpt-4o", "hf/acme/foo"),
        ("openai/gpt-4o", "creel/near-miss"),
    ],
)
def test_judges_of_another_family_are_independent(judge, subject):
    assert independence_fault(judge, subject) is None
    assert independence_fault(subject, judge) is None

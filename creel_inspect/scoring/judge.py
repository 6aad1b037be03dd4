"""Inspect's ``grader`` model as a verifier's judge, independent of the model it judges."""

from click import ClickException
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from creel_inspect.verify import JudgeReply
from creel_inspect.verify.protocol import Token, TokenChoice
from creel_inspect.verify.rubric.families import independence_fault

_ALTERNATIVES = 20


class JudgeRefusedError(ClickException):
    """No judge, or one that is not independent of the model it would judge."""


class InspectJudge:
    """An Inspect model that judges. Its usage, retries, cache and log are Inspect's."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = str(model)

    async def ask(
        self, prompt: str, *, system: str, temperature: float, seed: int, logprobs: bool
    ) -> JudgeReply:
        config = GenerateConfig(temperature=temperature, seed=seed)
        if logprobs:
            config = config.merge(GenerateConfig(logprobs=True, top_logprobs=_ALTERNATIVES))
        messages: list[ChatMessage] = [
            ChatMessageSystem(content=system),
            ChatMessageUser(content=prompt),
        ]
        return _reply(await self.model.generate(messages, config=config))


def _reply(output: ModelOutput) -> JudgeReply:
    tokens = None
    if output.choices and output.choices[0].logprobs:
        tokens = tuple(
            Token(
                one.token,
                one.logprob,
                tuple(TokenChoice(top.token, top.logprob) for top in one.top_logprobs or ()),
            )
            for one in output.choices[0].logprobs.content
        )
    usage = output.usage
    return JudgeReply(
        text=output.completion if output.choices else "",
        tokens=tokens,
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        stop=output.stop_reason,
    )


def grader_is_bound() -> bool:
    """Whether the run names a model for the ``grader`` role."""
    try:
        get_model(role="grader", required=True)
    except Exception:  # Inspect's own class for it is not public
        return False
    return True


def grader(subject: str, *, allow_related: bool) -> InspectJudge:
    """The ``grader`` role's model, as the judge of ``subject``.

    Raises:
        JudgeRefusedError: If the role is not bound, or to ``subject`` itself or a model of its
            family, unless that is allowed.
    """
    try:
        model = get_model(role="grader", required=True)
    except Exception as error:  # Inspect's own class for it is not public
        raise JudgeRefusedError(
            f"this scorer asks a judge: name one with --model-role grader=PROVIDER/MODEL ({error})"
        ) from error
    fault = independence_fault(str(model), subject)
    if fault and not allow_related:
        raise JudgeRefusedError(
            f"{fault}: name another with --model-role grader=PROVIDER/MODEL, or say that this is "
            "meant with allow_related_judge=true (-S for a scorer, -T for a task that takes it)"
        )
    return InspectJudge(model)


@solver
def require_judge(allow_related_judge: bool = False, optional: bool = False) -> Solver:
    """Stops a sample before its subject is asked, where no judge could score it.

    A scorer learns who judges only when it scores, and by then the subject has been paid for. As a
    task's ``setup``, this asks the same question first::

        Task(setup=require_judge(), scorer=llm_rubric(criterion=...), ...)

    Args:
        allow_related_judge: Lets the subject's own model, or one of its family, judge it.
        optional: Lets a run without a judge pass, where the scorer then leaves values unscored.

    Raises:
        JudgeRefusedError: In the sample, as ``grader`` does.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if grader_is_bound() or not optional:
            grader(str(state.model), allow_related=allow_related_judge)
        return state

    return solve

"""A task whose samples fail as the environment says, for logs of runs that really went wrong.

Run as a script in its own folder, it evaluates itself: ``python failing_task.py LOG_FOLDER``.
"""

import asyncio
import os
import signal
import sys

from inspect_ai import Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage
from inspect_ai.scorer import match
from inspect_ai.solver import solver

CASES = [f"c{number:02d}" for number in range(25)]
FAIL, AT = "TESTED_FAILURE", "TESTED_FAILURE_AT"


@solver
def answering():
    async def solve(state, generate):
        if state.sample_id == os.environ.get(AT):
            match os.environ[FAIL]:
                case "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                case "interrupt":
                    os.kill(os.getpid(), signal.SIGINT)
                    await asyncio.sleep(60)
                case "error":
                    raise RuntimeError("the provider is down")
        state.output = ModelOutput.from_content("mockllm/model", "yes")
        state.output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return state

    return solve


@task
def failing(cases: int = 25):
    return Task(
        dataset=[
            Sample(id=name, input=f"Is it {name}?", target="yes" if name < "c20" else "no")
            for name in CASES[:cases]
        ],
        solver=answering(),
        scorer=match(),
    )


if __name__ == "__main__":
    # A shell has what it runs in the background ignore Ctrl-C, and its children with it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # By path, so that a retry finds the task.
    eval("failing_task.py", model="mockllm/model", log_dir=sys.argv[1], max_samples=1)

"""What runs where no model is named, so that a first run needs no key."""

import sys

from inspect_ai.model import get_model


def model_where_none_is_given(offline: str, says: str) -> str | None:
    """The offline model for a task whose run names none; None where it names one.

    A model set on the task would beat ``--model``, so it is set only where none was given:
    Inspect then reports ``none/none``, or raises where the model is passed to ``eval()`` directly.

    Args:
        offline: The model to use.
        says: The line that tells the user what runs instead, and how to run a real one.
    """
    try:
        given = str(get_model())
    except ValueError:
        return None
    if given != "none/none":
        return None
    print(says, file=sys.stderr)
    return offline

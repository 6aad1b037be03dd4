"""How a task says, before anything is spent, that it cannot be run as asked."""

from collections.abc import Iterator
from contextlib import contextmanager

import click


class TaskRefusedError(click.ClickException, ValueError):
    """The task cannot be run as asked; the message says what to mend.

    A ``ValueError`` for a program, and one line instead of a traceback on the command line.
    """


@contextmanager
def told_plainly(*expected: type[Exception]) -> Iterator[None]:
    """Turns these errors into a ``TaskRefusedError``."""
    try:
        yield
    except expected as error:
        raise TaskRefusedError(str(error)) from error

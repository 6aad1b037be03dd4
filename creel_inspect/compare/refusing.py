"""The one error of this room: what cannot be compared, and what to do about it."""

from click import ClickException


class CompareError(ClickException):
    """Logs that cannot be read or compared. The message says which, why, and what to do.

    On the command line it is told plainly, with exit status 2.
    """

    exit_code = 2

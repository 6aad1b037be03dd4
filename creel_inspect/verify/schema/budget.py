"""What one comparison may cost, in steps: nothing a stranger wrote runs for ever."""

from creel_inspect.verify.protocol import Code, VerifierError

_STEPS = 600_000
_STEPS_PER_ITEM = 40
_STEPS_TO_READ = 6
_MOST_STEPS = 4_000_000


class Budget:
    """Steps left; one step is at most about half a microsecond, so that all take about 2 s.

    It grows with the size of the value that is checked, so that what is linear in the value fits
    and what is quadratic or exponential does not. It is capped: at a million numbers an expression
    may take about four steps for each.

    Args:
        items: How many values the value holds.
        parts: How many of them are not in plain lists of numbers. Reading those took time already.
    """

    __slots__ = ("left",)

    def __init__(self, items: int = 0, parts: int = 0) -> None:
        most = _MOST_STEPS - _STEPS_TO_READ * parts
        self.left = min(_STEPS + _STEPS_PER_ITEM * items, most)

    def spend(self, steps: int) -> None:
        """Counts steps.

        Raises:
            VerifierError: ``too_large``, when none are left.
        """
        self.left -= steps
        if self.left < 0:
            raise VerifierError(
                "checking this value costs too many steps: the value is too large for this "
                "schema or expression, or that grows too fast with it",
                code=Code.TOO_LARGE,
            )

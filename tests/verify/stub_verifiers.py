"""A verifier that says what a function says, for the kinds that ask others."""

from creel_inspect.verify import VerdictScore, Verifier, failing, passing


class Says(Verifier):
    """Hands both values to a function; a verdict is said whatever they are.

    Every call is kept in ``calls``.
    """

    kind = "says"

    def __init__(self, said, *, asks=False):
        self.said = said
        self.calls = []
        self._asks = asks

    @property
    def asks(self):
        return self._asks

    def compare(self, actual, expected, context):
        self.calls.append((actual, expected))
        return (
            self.said
            if isinstance(self.said, VerdictScore)
            else self.said(actual, expected, context)
        )

    @classmethod
    def self_test(cls):
        return ()


def yes(score=1.0, **more):
    return Says(passing("said yes", score=score), **more)


def no(score=0.0, **more):
    return Says(failing("said no", score=score), **more)

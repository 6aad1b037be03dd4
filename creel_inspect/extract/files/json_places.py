"""Paths into JSON documents: a small, bounded part of JSONPath (RFC 9535) and of JMESPath.

``$.a.b[0]``, ``$['a b'][*].c``; and as ``creel`` writes places, ``projects[0]``: an expression
that selects a list, and which of it. There are no filters, slices, recursive descents or
functions, whose cost is not bounded by the document.
"""

import re
from typing import Any

MOST_CHARACTERS = 500
MOST_VALUES = 100_000

_STEP = re.compile(
    r"\.?(?P<name>[^\W\d][\w-]{0,199})|\.?\"(?P<quoted>[^\"\\]{1,200})\""
    r"|\[(?:'(?P<one>[^'\\]{1,200})'|\"(?P<two>[^\"\\]{1,200})\")\]"
    r"|\[(?P<index>-?\d{1,9})\]|(?P<all>\[\*?\]|\.\*)"
)


class NoSuchPlace(ValueError):
    """A path cannot be read, or leads nowhere."""


def values_at(document: Any, expression: str) -> tuple[str | None, list[Any]]:
    """The values at a path, and the last key on the way to them.

    An expression that does not begin with ``$`` is ``creel``'s: what selects the records, then
    the record's number among all that are selected.

    Raises:
        NoSuchPlace: If the path is none of these, or nothing is there.
    """
    steps = _steps(expression)
    if steps == [("index", 0)] and not isinstance(document, list):
        return None, [document]  # without a selection, `creel` takes the document for a record
    values, key, many = [document], None, False
    for number, (sort, step) in enumerate(steps):
        last = number == len(steps) - 1
        if sort == "index" and last and not expression.startswith("$"):
            # One record is selected as a list of one.
            listed = many or not (len(values) == 1 and isinstance(values[0], list))
            values = _indexed(values, step) if listed else _indexed(values[0], step)
        elif sort == "index":
            values = [one for value in values for one in _item(value, step)]
        elif sort == "all":
            many = True
            values = [one for value in values for one in _items(value)]
        else:
            key = step
            values = [value[step] for value in values if isinstance(value, dict) and step in value]
        if not values or len(values) > MOST_VALUES:
            most = f"more than {MOST_VALUES:,} values are" if values else "nothing is"
            raise NoSuchPlace(f"{most} at {expression!r}")
    return key, values


def _steps(expression: str) -> list[tuple[str, Any]]:
    if len(expression) > MOST_CHARACTERS:
        raise NoSuchPlace(f"a path has at most {MOST_CHARACTERS} characters; nothing is picked")
    place = 1 if expression[:1] in ("$", "@") else 0
    steps: list[tuple[str, Any]] = []
    while place < len(expression):
        step = _STEP.match(expression, place)
        if not step or (place == 0 and expression[0] == "."):
            raise NoSuchPlace(
                f"{expression!r} is no path that is read here (such as $.budget[0].amount); "
                "nothing is picked"
            )
        name = step["name"] or step["quoted"] or step["one"] or step["two"]
        if name is not None:
            steps.append(("name", name))
        elif step["index"] is not None:
            steps.append(("index", int(step["index"])))
        else:
            steps.append(("all", None))
        place = step.end()
    return steps


def _item(value: Any, number: int) -> list[Any]:
    return _indexed(value, number) if isinstance(value, list) else []


def _indexed(values: list[Any], number: int) -> list[Any]:
    return [values[number]] if -len(values) <= number < len(values) else []


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []

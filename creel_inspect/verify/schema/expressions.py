"""Boolean expressions over a value: a subset of CEL that cannot loop, wait, or reach Python.

The syntax is that of the Common Expression Language (https://cel.dev): literals, fields and
indices, ``== != < <= > >= in && || ! + - * / % ?:``, ``size``, ``has``, ``matches``,
``startsWith``, ``endsWith``, ``contains``, and ``all``, ``exists``, ``exists_one``, ``filter``,
``map`` over lists. Three functions are added: ``date(text)``, a text that must be a real day;
``sum(list)``; and ``unique(list)``.

Texts compare by code points, but dates and times in ISO 8601 as dates: both must be possible, of
one precision, and both with an offset from UTC or both without. A date does not compare with any
other text: ``"2024-12-01" <= "unknown"`` fails.

A text is parsed once, by hand, into functions, and every step counts against a ``Budget``. The
CEL libraries for Python were not used: the quick one (``common-expression-language``) has no limit
on steps, and ``all`` within ``all`` over 3,000 items took it 5 s.

Where it differs from CEL, it is so that nothing passes by accident:

- Numbers are JSON's: of one kind, and exact as written. ``0.1 + 0.2 == 0.3`` holds and ``7 / 2``
  is 3.5. ``%`` is for whole numbers and takes the sign of its left side.
- A failure is final: ``broken || true`` fails, where CEL would absorb it; so does a failure at
  any item of ``all`` or ``exists``, in whatever order they stand. ``&&``, ``||`` and ``? :``
  still leave out what is not needed, so that one side can guard the other; but a name that an
  object has no field for fails on either side, unless the expression asks ``has(name)`` or
  ``"name" in value``.
- Two values of different types are neither equal nor different; comparing them fails. ``null``
  may be compared with anything.
- Comparisons do not chain, and a pattern is written out, not computed.
"""

import math
import re
from collections.abc import Collection, Mapping
from typing import Any, NoReturn

from creel_inspect.verify.plain import shown
from creel_inspect.verify.protocol import Code, VerifierConfigError, VerifierError
from creel_inspect.verify.schema import terms
from creel_inspect.verify.schema.budget import Budget
from creel_inspect.verify.schema.patterns import pattern
from creel_inspect.verify.schema.terms import CannotEvaluate, Scope, Term

LONGEST = 2_000
MOST_BRACKETS = 30
MOST_NESTED = 60
MOST_MACROS = 3

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_.]))
    | (?P<text>[rR]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<sign>\*\*|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()\[\]=&|])
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_HINTS = {
    "and": "`and` is written `&&`",
    "or": "`or` is written `||`",
    "not": "`not` is written `!`",
    "True": "`True` is written `true`",
    "False": "`False` is written `false`",
    "None": "`None` is written `null`",
    "=": "equality is written `==`",
    "&": "`and` is written `&&`",
    "|": "`or` is written `||`",
    "**": "there are no powers",
    "is": "`is` is written `==`",
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=", "in")
_MACROS = ("all", "exists", "exists_one", "filter", "map")
_FUNCTIONS = {
    "size": (terms.size, "number"),
    "sum": (terms.total, "number"),
    "unique": (terms.distinct, "boolean"),
    "date": (terms.calendar_date, "text"),
}
_TEXT_METHODS = {
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "contains": str.__contains__,
}
_KEYWORDS = {"true": True, "false": False, "null": None}


class Expression:
    """A parsed boolean expression.

    Args:
        text: At most 2,000 characters; brackets nested at most 30 deep, macros at most 3.
        names: The fields there can be, where that is known: any other name is then a mistake.
        reserved: Further names that the caller gives, beside ``value`` for the value itself.

    Raises:
        VerifierConfigError: If it is not an expression, or cannot be true or false; it points at
            the column.
    """

    def __init__(
        self, text: str, *, names: Collection[str] | None = None, reserved: Collection[str] = ()
    ) -> None:
        self.text = text
        self._brief = shown(text)[1:-1]
        self._reserved = {"value", *reserved}
        parser = _Parser(text, names, self._reserved)
        self._term = parser.whole()
        self._names = list(parser.used)
        self._needed = [one for one in parser.used if one not in parser.guarded]

    def fault(
        self, value: Any, *, budget: Budget, reserved: Mapping[str, Any] | None = None
    ) -> str | None:
        """Why the expression does not hold for a value (in JSON's types), or None if it holds.

        Raises:
            VerifierError: If it is too costly, or gives something that is not true or false
                whatever the candidate.
        """
        fields = value if isinstance(value, dict) else {}
        scope = Scope(fields, budget, {"value": value, **(reserved or {})})
        try:
            if isinstance(value, dict):
                for name in self._needed:
                    terms.look_up(name)(scope)
            result = self._term.run(scope)
        except CannotEvaluate as error:
            hint = ""
            if "value" in self._names and "value" in fields:
                hint = " (`value` is the whole value; its field of that name is `value.value`)"
            return f"`{self._brief}` cannot be evaluated: {error}{hint}"
        if result is True:
            return None
        if result is False:
            return f"`{self._brief}` does not hold{self._where(scope)}"
        message = f"`{self._brief}` gives {terms.told(result)}, not true or false"
        if self._term.from_candidate:
            return message
        raise VerifierError(message, code=Code.BAD_CONFIG)

    def _where(self, scope: Scope) -> str:
        known = {**scope.names, **scope.bound}
        parts = [f"{name} = {terms.told(known[name])}" for name in self._names if name in known]
        return ": " + ", ".join(parts[:4]) if parts else ""


class _Parser:
    """A recursive-descent parser; its recursion is bounded by ``MOST_BRACKETS``."""

    def __init__(self, text: str, names: Collection[str] | None, reserved: set[str]) -> None:
        self.text, self.names, self.reserved = text, names, reserved
        self.used: dict[str, int] = {}
        self.guarded: set[str] = set()
        self.variables: list[str] = []
        self.level = 0
        if not isinstance(text, str):
            raise VerifierConfigError(f"an expression is a text, not {shown(text)}")
        if not text.strip():
            raise VerifierConfigError("the expression is empty")
        if len(text) > LONGEST:
            raise VerifierConfigError(
                f"an expression has at most {LONGEST:,} characters, not {len(text):,}"
            )
        self.at, self.kind, self.token, self.start = 0, "", "", 0
        self.advance()

    def wrong(self, message: str, at: int | None = None) -> NoReturn:
        place = self.start if at is None else at
        near = self.text[max(0, place - 20) : place + 20]
        raise VerifierConfigError(
            f"expression, column {place + 1} (near {shown(near, 60)}): {message}"
        )

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.at)
        if not found or found.lastgroup is None:
            rest = self.text[self.at :]
            self.start = self.at + len(rest) - len(rest.lstrip())
            self.wrong(f"{shown(rest.lstrip()[:1])} begins nothing that is known here")
        self.kind, self.token = found.lastgroup, found[found.lastgroup]
        self.start, self.at = found.start(found.lastgroup), found.end()

    def take(self, *signs: str) -> str | None:
        if self.kind in ("sign", "name") and self.token in signs:
            token = self.token
            self.advance()
            return token
        return None

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            self.wrong(_HINTS.get(self.token, f"expected `{sign}`, came {self.came()}"))

    def came(self) -> str:
        return f"`{shown(self.token, 30)}`" if self.kind != "end" else "the end"

    def whole(self) -> Term:
        term = self.conditional()
        if self.kind != "end":
            self.wrong(_HINTS.get(self.token, f"expected the end, came {self.came()}"))
        if term.type not in (None, "boolean"):
            self.wrong(f"the expression is a {term.type}, not true or false", 0)
        return term

    def made(self, run: terms.Run, kind: str | None, *parts: Term, **more: Any) -> Term:
        height = 1 + max((part.height for part in parts), default=0)
        if height > MOST_NESTED:
            self.wrong(f"more than {MOST_NESTED} operations are nested")
        return Term(run, kind, height, **more)

    def need(self, term: Term, at: int, what: str, *kinds: str) -> None:
        if term.type is not None and term.type not in kinds:
            self.wrong(f"{what} needs {' or '.join(kinds)}, not a {term.type}", at)

    def conditional(self) -> Term:
        self.level += 1
        if self.level > MOST_BRACKETS:
            self.wrong(f"brackets are nested more than {MOST_BRACKETS} deep")
        at = self.start
        test = self.logical("||")
        if self.take("?"):
            self.need(test, at, "`? :`", "boolean")
            yes = self.conditional()
            self.expect(":")
            no = self.conditional()
            kinds = {yes.type, no.type}
            # A branch that can never be true or false makes the whole an expression of its type.
            odd = next((one for one in (yes.type, no.type) if one not in (None, "boolean")), None)
            kind = yes.type if len(kinds) == 1 else odd
            self.level -= 1
            run = terms.choice(test.run, yes.run, no.run)
            both = yes.from_candidate and no.from_candidate
            return self.made(run, kind, test, yes, no, from_candidate=both)
        self.level -= 1
        return test

    def logical(self, sign: str) -> Term:
        at = self.start
        parts = [self.logical("&&") if sign == "||" else self.relation()]
        while self.take(sign):
            parts.append(self.logical("&&") if sign == "||" else self.relation())
        if len(parts) == 1:
            return parts[0]
        for part in parts:
            self.need(part, at, f"`{sign}`", "boolean")
        return self.made(terms.either([one.run for one in parts], sign), "boolean", *parts)

    def relation(self) -> Term:
        left = self.arithmetic(0)
        at = self.start
        sign = self.take(*_RELATIONS)
        if not sign:
            return left
        right = self.arithmetic(0)
        if self.token in _RELATIONS and self.kind in ("sign", "name"):
            self.wrong("comparisons do not chain: write `a < b && b < c`")
        if sign == "in":
            self.need(right, at, "`in`", "list", "object")
            if left.literal is not None:
                self.guarded.add(left.literal)
            return self.made(terms.contained(left.run, right.run), "boolean", left, right)
        kinds = {left.type, right.type} - {None}
        if sign in ("==", "!="):
            if len(kinds - {"null"}) > 1:
                self.wrong(f"a {left.type} cannot equal a {right.type}", at)
            return self.made(terms.equals(sign, left.run, right.run), "boolean", left, right)
        if len(kinds) > 1 or not kinds <= {"number", "text"}:
            self.wrong(f"`{sign}` compares numbers or texts, not {_listed(kinds)}", at)
        return self.made(terms.compare(sign, left.run, right.run), "boolean", left, right)

    def arithmetic(self, tier: int) -> Term:
        left = self.arithmetic(1) if tier == 0 else self.unary()
        while True:
            at = self.start
            sign = self.take(*(("+", "-"), ("*", "/", "%"))[tier])
            if not sign:
                return left
            right = self.arithmetic(1) if tier == 0 else self.unary()
            kinds = {left.type, right.type} - {None}
            fit = {"number", "text", "list"} if sign == "+" else {"number"}
            if len(kinds) > 1 or not kinds <= fit:
                self.wrong(f"`{sign}` cannot take {_listed(kinds)}", at)
            known = "number" if sign != "+" else next(iter(kinds), None)
            left = self.made(terms.calculate(sign, left.run, right.run), known, left, right)

    def unary(self) -> Term:
        at, signs = self.start, []
        while sign := self.take("!", "-"):
            signs.append(sign)
        term = self.postfix()
        for sign in reversed(signs):
            wanted = "boolean" if sign == "!" else "number"
            self.need(term, at, f"`{sign}`", wanted)
            make = terms.negated if sign == "!" else terms.negative
            term = self.made(make(term.run), wanted, term)
        return term

    def postfix(self) -> Term:
        term = self.primary()
        while True:
            if self.take("["):
                at = self.conditional()
                self.expect("]")
                run = terms.index(term.run, at.run)
                term = self.made(run, None, term, at, from_candidate=term.from_candidate)
            elif self.take("."):
                term = self.member(term)
            else:
                return term

    def member(self, base: Term) -> Term:
        at, name = self.start, self.identifier("a field")
        if not self.take("("):
            self.need(base, at, f"`.{name}`", "object")
            return self.made(
                terms.select(base.run, name),
                None,
                base,
                from_candidate=base.from_candidate,
                present=terms.has_field(base.run, name),
            )
        if name in _MACROS:
            return self.macro(base, name, at)
        if name == "size":
            self.expect(")")
            return self.made(terms.size(base.run), "number", base)
        if name != "matches" and name not in _TEXT_METHODS:
            self.wrong(_no_function(name), at)
        self.need(base, at, f"`{name}`", "text")
        argument = self.conditional()
        self.expect(")")
        return self.text_method(name, base, argument, at)

    def text_method(self, name: str, base: Term, argument: Term, at: int) -> Term:
        if name == "matches":
            if argument.literal is None:
                self.wrong("a pattern is a text that is written out", at)
            try:
                compiled = pattern(argument.literal)
            except VerifierConfigError as error:
                self.wrong(str(error), at)
            run = terms.on_text(name, base.run, argument.run, lambda one, _: compiled.found_in(one))
        else:
            self.need(argument, at, f"`{name}`", "text")
            run = terms.on_text(name, base.run, argument.run, _TEXT_METHODS[name])
        return self.made(run, "boolean", base, argument)

    def macro(self, base: Term, name: str, at: int) -> Term:
        self.need(base, at, f"`{name}`", "list", "object")
        if len(self.variables) == MOST_MACROS:
            self.wrong(f"`{name}` and its like are nested at most {MOST_MACROS} deep", at)
        start = self.start
        variable = self.identifier("a variable")
        if variable in self.reserved:
            self.wrong(f"`{variable}` cannot be a variable: it has a meaning already", start)
        self.expect(",")
        self.variables.append(variable)
        condition = self.conditional()
        self.variables.pop()
        self.expect(")")
        if name != "map":
            self.need(condition, start, f"`{name}`", "boolean")
        run = terms.quantified(name, base.run, variable, condition.run)
        kind = "list" if name in ("filter", "map") else "boolean"
        return self.made(run, kind, base, condition)

    def identifier(self, what: str) -> str:
        name = self.token
        if self.kind != "name" or name in _KEYWORDS or name == "in":
            self.wrong(f"expected {what}, came {self.came()}")
        self.advance()
        return name

    def primary(self) -> Term:
        if self.kind == "number":
            return self.number()
        if self.kind == "text":
            return self.written_text()
        if self.take("("):
            inner = self.conditional()
            self.expect(")")
            return inner
        if self.take("["):
            return self.written_list()
        if self.kind == "name" and self.token not in {*_HINTS, "in"}:
            return self.named()
        self.wrong(_HINTS.get(self.token, f"expected a value, came {self.came()}"))

    def number(self) -> Term:
        token = self.token
        value = float(token) if len(token) <= 40 else math.inf
        if not math.isfinite(value) or (not value and token.strip("0.")[:1] not in ("", "e", "E")):
            self.wrong("the number is too large, too small or too long")
        whole = int(token) if token.isdigit() else value
        self.advance()
        return _constant(whole)

    def written_text(self) -> Term:
        body = self.token
        raw = body[0] in "rR"
        text = body[2:-1] if raw else re.sub(r"\\(u[0-9A-Fa-f]{4}|.)", self.unescaped, body[1:-1])
        self.advance()
        return _constant(text)

    def unescaped(self, found: re.Match[str]) -> str:
        code = found[1]
        if len(code) == 5:
            return chr(int(code[1:], 16))
        if code in _ESCAPES or code in "\\\"'/`?":
            return _ESCAPES.get(code, code)
        self.wrong(f'there is no escape `\\{code}`: write `\\\\{code}`, or a raw text r"…"')

    def written_list(self) -> Term:
        items: list[Term] = []
        while not self.take("]"):
            items.append(self.conditional())
            if not self.take(","):
                self.expect("]")
                break
        runs = [one.run for one in items]
        return self.made(lambda scope: [run(scope) for run in runs], "list", *items)

    def named(self) -> Term:
        at, name = self.start, self.token
        self.advance()
        if name in _KEYWORDS:
            return _constant(_KEYWORDS[name])
        if self.take("("):
            return self.function(name, at)
        if name not in self.variables:
            if self.names is not None and name not in self.reserved and name not in self.names:
                few = ", ".join(f"`{one}`" for one in sorted(self.names)[:12]) or "none"
                self.wrong(f"there is no field `{shown(name, 60)[1:-1]}`; there are {few}", at)
            self.used.setdefault(name, at)
        run, present = terms.look_up(name), terms.is_there(name)
        return Term(run, None, from_candidate=True, present=present, name=name)

    def function(self, name: str, at: int) -> Term:
        if name not in ("has", "matches") and name not in _FUNCTIONS:
            self.wrong(_no_function(name), at)
        argument = self.conditional()
        if name == "matches":
            self.need(argument, at, "`matches`", "text")
            self.expect(",")
            term = self.text_method(name, argument, self.conditional(), at)
            self.expect(")")
            return term
        self.expect(")")
        if name == "has":
            if argument.present is None:
                self.wrong("`has` asks for a field: `has(value.name)`", at)
            if argument.name is not None:
                self.guarded.add(argument.name)
            return self.made(argument.present, "boolean", argument)
        make, kind = _FUNCTIONS[name]
        wanted = {"size": ("text", "list", "object"), "date": ("text",)}.get(name, ("list",))
        self.need(argument, at, f"`{name}`", *wanted)
        return self.made(make(argument.run), kind, argument)


def _constant(value: Any) -> Term:
    literal = value if isinstance(value, str) else None
    return Term(lambda _: value, terms.type_of(value), literal=literal)


def _listed(kinds: Collection[str | None]) -> str:
    return " and ".join(sorted(f"a {kind}" for kind in kinds if kind))


def _no_function(name: str) -> str:
    known = (*sorted({"has", "matches", *_FUNCTIONS, *_TEXT_METHODS}), *_MACROS)
    return f"there is no function `{shown(name, 40)[1:-1]}`; there are {', '.join(known)}"

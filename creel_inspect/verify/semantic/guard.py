"""What similarity cannot see: two texts that differ in a number, a unit, a negation or a direction.

No embedding model told a sentence from its negation, or "by 10 %" from "by 90 %". So a text that
says another number, unit, polarity or direction than the reference has not the same meaning,
however alike the two sound.

What is decided, and how:

- **Numbers and units** of one text must all be in the other, whatever their order; written
  differently is the same ("3 million", "3,000,000"; "10 percent", "0.1"; "5 kg", "5000 g"). An
  ordinal, the word "one" or a label such as Q3 may be left out, but not differ.
- **Bounds, periods, order**: 500 is not "at least 500", "per day" not "per week", and "10 men and
  20 women" not "20 men and 10 women". What is ambiguous is only what is written so too: tons are
  no tonnes, and "$" is no CAD (it is USD).
- **Negation**: one text negates something and the other nothing; or what one negates, the other
  says in a clause without negation. "Unapproved" negates where the other text says "approved".
- **Directions**: opposites such as rise and fall, before and after, approve and reject, where the
  two texts have only opposite sides in common. A sentence turned round ("A before B", "B after A")
  is the same.

The words are English's; numbers and symbols are anyone's. It does not see who did what to whom,
which number belongs to what where the wording changed too, opposites that are not in its list, or
negation without a word of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from creel_inspect.verify.plain import shown
from creel_inspect.verify.semantic.guard_numbers import (
    MOST_MENTIONS,
    Mention,
    agree,
    mentions,
    plain_text,
)
from creel_inspect.verify.semantic.guard_phrases import bounds, order, periods
from creel_inspect.verify.semantic.guard_words import (
    COMPARED,
    Cue,
    Opposites,
    Word,
    content_stem,
    counts,
    cue_at,
    doubted,
    is_content,
    negations,
    prefix_negated,
    sides_of,
    stem,
    words_of,
)

MOST_CHARACTERS = 20_000
"""A longer text is not read."""


_ENOUGH = 20
"""Differences beyond these are not looked for."""


@dataclass(frozen=True)
class Difference:
    """One thing that the two texts say differently."""

    kind: str
    """``number``, ``order``, ``negation`` or ``direction``."""
    candidate: str
    reference: str

    def __str__(self) -> str:
        return f"the candidate says {self.candidate}, the reference {self.reference}"


def differences(candidate: str, reference: str) -> list[Difference]:
    """What the two texts say differently, the surest first; empty if nothing was found.

    Raises:
        ValueError: If a text is longer than ``MOST_CHARACTERS``.
    """
    texts = (
        plain_text(candidate[: MOST_CHARACTERS + 1]),
        plain_text(reference[: MOST_CHARACTERS + 1]),
    )
    # Compatibility forms may be longer: one character, eighteen letters.
    if max(map(len, (candidate, reference, *texts))) > MOST_CHARACTERS:
        raise ValueError(f"a text is longer than {MOST_CHARACTERS:,} characters")
    numbers = mentions(texts[0]), mentions(texts[1])
    found = list(_numbers(*numbers))
    if not found:
        found = [
            Difference(kind, *pair)
            for kind, seen in (("number", bounds), ("number", periods), ("order", order))
            for pair in seen(texts, *numbers)
        ]
    words = words_of(texts[0]), words_of(texts[1])
    cues = negations(words[0]), negations(words[1])
    explained: tuple[set[int], set[int]] = (set(), set())
    sides = _sides(words[0], cues[0]), _sides(words[1], cues[1])
    for opposites in sides[0]:
        if opposites in sides[1]:
            pair = sides[0][opposites], sides[1][opposites]
            found.extend(_directions(opposites, words, pair, explained))
    found.extend(_negation(words, cues, explained))
    return found


def _numbers(ours: Sequence[Mention], theirs: Sequence[Mention]) -> Iterator[Difference]:
    if max(len(ours), len(theirs)) >= MOST_MENTIONS:
        many = f"{MOST_MENTIONS} numbers or more"
        yield Difference("number", many, "so many that they are not compared")
        return
    left, right = _unmatched(ours, theirs), _unmatched(theirs, ours)
    # A weak one may be missing on one side; with one of its sort on the other, they differ.
    sorts = {one.sort for one in left}, {one.sort for one in right}
    left = [one for one in left if not one.weak or one.sort in sorts[1]]
    right = [one for one in right if not one.weak or one.sort in sorts[0]]
    if left or right:
        yield Difference(
            "number",
            _listed(left, f"nothing like {_listed(right, '')}"),
            _listed(right, f"nothing like {_listed(left, '')}"),
        )


def _unmatched(some: Sequence[Mention], others: Sequence[Mention]) -> list[Mention]:
    readings = {reading for one in others for reading in one.readings}
    left = []
    for one in some:
        if not one.readings & readings and not any(agree(one, other) for other in others):
            left.append(one)
            if len(left) > _ENOUGH:
                break
    return left


def _listed(some: Sequence[Mention], nothing: str) -> str:
    listed = ", ".join(dict.fromkeys(shown(one.written, 40) for one in some[:4]))
    more = f" and {len(some) - 4} more" if len(some) > 4 else ""
    return listed + more or nothing


@dataclass(frozen=True)
class _Side:
    """A word of a pair of opposites in a text, and what it comes to with its negation."""

    place: int
    written: str
    state: int
    """0 or 1, the side; 2 or 3, its negation where that is not the other side."""
    key: str
    cue: int | None
    """Where it is negated."""

    @property
    def sense(self) -> tuple[str, int]:
        return self.key, self.state


def _sides(words: list[Word], cues: list[Cue]) -> dict[Opposites, list[_Side]]:
    places = {one.place for one in cues}
    found: dict[Opposites, list[_Side]] = {}
    for place, word in enumerate(words):
        if place in places:
            continue
        if word.text in ("up", "down") and not _moves(words, place):
            continue
        for opposites, number in sides_of(word.text):
            if not counts(words, place, opposites):
                continue
            key = _key(words, place) if opposites is COMPARED else ""
            if key is None:
                continue
            near = [at for at in range(place - 5, place) if at in places]
            cue = next((at for at in near if words[at].clause == word.clause), None)
            state, written = number, word.text
            if doubted(words, place):
                state, written = 1 - number, f"{words[place - 1].text} {word.text}"
            elif cue is not None:
                state = 1 - number if opposites.contradictory else number + 2
                written = " ".join(one.text for one in words[cue : place + 1])
            found.setdefault(opposites, []).append(_Side(place, written, state, key, cue))
    return found


def _moves(words: list[Word], place: int) -> bool:
    """Whether "up" or "down" says how something changed: up by 5, down from 70."""
    after = words[place + 1].text if place + 1 < len(words) else ""
    return after in ("by", "from") or after[:1].isdigit()


def _key(words: list[Word], place: int) -> str | None:
    """What is compared: "than", a number, or the stem of a word; None if nothing is."""
    after = [word.text for word in words[place + 1 : place + 5]]
    if "than" in after:
        return "than"
    if after and after[0].isdigit():
        return "than"
    return (
        None if words[place].text in ("over", "under") else content_stem(after[0]) if after else ""
    )


def _directions(
    opposites: Opposites,
    words: tuple[list[Word], list[Word]],
    sides: tuple[list[_Side], list[_Side]],
    explained: tuple[set[int], set[int]],
) -> Iterator[Difference]:
    keys = {one.key for one in sides[0]} & {one.key for one in sides[1]}
    ours, theirs = ([one for one in side if one.key in keys] for side in sides)
    if not ours or not theirs:
        return
    senses = {one.sense for one in ours}, {one.sense for one in theirs}
    # A negation that the other text says too, if in another way, needs no counterpart there.
    for side, (some, other) in enumerate(((ours, senses[1]), (theirs, senses[0]))):
        explained[side].update(
            one.cue for one in some if one.cue is not None and one.sense in other
        )
    pair = shown(ours[0].written, 40), shown(theirs[0].written, 40)
    apart = not senses[0] & senses[1]
    may_turn = opposites.turned or ours[0].key == "than"
    if may_turn and len(ours) == len(theirs) == 1 and max(ours[0].state, theirs[0].state) < 2:
        turned = _turned(words[0], ours[0].place, words[1], theirs[0].place)
        if turned and not apart:
            yield Difference("direction", f"{pair[0]} the other way round", pair[1])
        apart = apart and not turned
    if apart:
        yield Difference("direction", *pair)


def _turned(one: list[Word], place: int, other: list[Word], at: int) -> bool:
    """Whether what stands before the word in one text stands after it in the other."""
    left, right = _around(one, place)
    before, after = _around(other, at)
    straight, crossed = (left & before, right & after), (left & after, right & before)
    # A verb beside the word stays on its side, whatever has changed places.
    if all(crossed) and not all(straight):
        return True
    return sum(map(len, crossed)) > sum(map(len, straight))


def _around(words: list[Word], place: int) -> tuple[set[str], set[str]]:
    """The stems before a word and after it; for "After A, B", B comes before."""
    before, after = words[:place], words[place + 1 :]
    if not any(is_content(word.text) for word in before):
        before = [word for word in after if word.clause != words[place].clause]
        after = [word for word in after if word.clause == words[place].clause]
    left, right = (
        {word.text for word in side if is_content(word.text)} for side in (before, after)
    )
    left, right = {stem(one) for one in left}, {stem(one) for one in right}
    return (left - right, right - left) if left and right else (set(), set())


def _negation(
    words: tuple[list[Word], list[Word]],
    plain: tuple[list[Cue], list[Cue]],
    explained: tuple[set[int], set[int]],
) -> Iterator[Difference]:
    cues: list[list[Cue]] = []
    whole: list[list[Cue]] = []
    for side in (0, 1):
        own = {one.place: one for one in plain[side]}
        for place, target in prefix_negated(words[side], words[1 - side]):
            before = [at for at in (place - 2, place - 1) if at in own]
            for at in before:  # "not uncommon" is common
                del own[at]
            if not before:
                own[place] = cue_at(words[side], place, target)
        whole.append(list(own.values()))
        cues.append([own[at] for at in sorted(own) if at not in explained[side]])
    if bool(cues[0]) != bool(cues[1]):
        says = [shown(side[0].written, 40) if side else "no negation" for side in cues]
        yield Difference("negation", says[0], says[1])
        return
    for side in (0, 1):
        pair = _denied(words[side], cues[side], words[1 - side], cues[1 - side])
        if pair:
            yield Difference("negation", *(pair if side == 0 else pair[::-1]))
            return
    denied, said = zip(*(_by_polarity(words[side], whole[side]) for side in (0, 1)), strict=True)
    moved = denied[0] & said[1], said[0] & denied[1]
    if all(moved):  # not A but B; not B but A
        told = [shown(f"a negation with {min(one)}", 60) for one in moved]
        yield Difference("negation", told[0], told[1])


def _by_polarity(words: list[Word], cues: list[Cue]) -> tuple[set[str], set[str]]:
    """The stems that stand only in clauses with a negation, and only in clauses without."""
    denying = {one.clause for one in cues}
    stems: tuple[set[str], set[str]] = (set(), set())
    for word in words:
        stems[0 if word.clause in denying else 1].add(content_stem(word.text))
    return stems[0] - stems[1] - {""}, stems[1] - stems[0] - {""}


def _denied(
    words: list[Word], cues: list[Cue], others: list[Word], other_cues: list[Cue]
) -> tuple[str, str] | None:
    """What one text negates, wherever it says it, and the other says without negation."""
    denying = {one.clause for one in cues}
    said = {content_stem(word.text) for word in words if word.clause not in denying}
    other_denying = {one.clause for one in other_cues}
    clauses: dict[str, list[Word]] = {}
    for word in others:
        clauses.setdefault(content_stem(word.text), []).append(word)
    for cue in cues:
        places = clauses.get(cue.target, []) if cue.target and cue.target not in said else []
        if places and not any(word.clause in other_denying for word in places):
            return shown(cue.written, 40), shown(places[0].text, 40)
    return None

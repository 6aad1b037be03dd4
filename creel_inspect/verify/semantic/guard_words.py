"""English words that negate, and pairs of opposites."""

import re
from dataclasses import dataclass

from creel_inspect.verify.values.units import unit_tokens


def word_set(words: str) -> frozenset[str]:
    """The words of a text, between its spaces."""
    return frozenset(words.split())


_TOKEN = re.compile(
    r"(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)|(?P<number>\d+(?:[.,]\d+)*)|(?P<stop>[.;:!?,()\n]|>=|<=|[<>≥≤])"
)
_CLAUSE_WORDS = word_set("and but while whereas although though however because which who when")


@dataclass(frozen=True)
class Word:
    """A word of a text, in small letters, and the number of the clause that it stands in."""

    text: str
    clause: int


@dataclass(frozen=True)
class Cue:
    """A negation: where, as written, in which clause, and the stem of what it negates."""

    place: int
    written: str
    clause: int
    target: str


def words_of(text: str) -> list[Word]:
    """The words, numbers and comparison signs of a text; ``isn't`` is ``is`` and ``not``."""
    found: list[Word] = []
    clause = 0
    for token in _TOKEN.finditer(text):
        written = token[0].casefold()
        if token["stop"] and written in ".;:!?,()\n":
            clause += 1
            continue
        if written in _CLAUSE_WORDS:
            clause += 1
        base, negated = _contracted(written)
        if base:
            found.append(Word(base, clause))
        if negated:
            found.append(Word("not", clause))
    return _bounds(found)


_BOUNDS: dict[tuple[str, ...], str] = {
    ("on", "track"): "ontrack", ("on", "schedule"): "ontrack",
    ("off", "track"): "offtrack", ("behind", "schedule"): "offtrack",
    ("at", "least"): "≥", ("at", "most"): "≤", ("up", "to"): "≤",
    **{(no, less, "than"): "≥" for no in ("no", "not") for less in ("less", "fewer", "lower")},
    **{(no, more, "than"): "≤" for no in ("no", "not") for more in ("more", "greater", "higher")},
}  # fmt: skip


def _bounds(words: list[Word]) -> list[Word]:
    """The words with "at least" and its like as one sign: "no fewer than" denies nothing."""
    found: list[Word] = []
    place = 0
    while place < len(words):
        for many in (2, 3):
            sign = _BOUNDS.get(tuple(word.text for word in words[place : place + many]))
            if sign:
                found.append(Word(sign, words[place].clause))
                place += many
                break
        else:
            found.append(words[place])
            place += 1
    return found


_UNMARKED = {
    word.replace("'", ""): word
    for word in [
        "isn't",
        "aren't",
        "wasn't",
        "weren't",
        "don't",
        "doesn't",
        "didn't",
        "hasn't",
        "haven't",
        "hadn't",
        "couldn't",
        "wouldn't",
        "shouldn't",
        "mustn't",
    ]
}


def _contracted(word: str) -> tuple[str, bool]:
    word = _UNMARKED.get(word, word)
    if word in ("can't", "cannot", "won't", "shan't"):
        return {"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall"}[word], True
    if word.endswith("n't"):
        return word[:-3], True
    return word.removesuffix("'s").replace("'", ""), False


_ENDINGS = ("ation", "ions", "ing", "ion", "als", "ed", "es", "al", "ly", "e", "s")


def stem(word: str) -> str:
    """A word without its commonest endings, so that approve, approved and approval are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


_FUNCTION_WORDS = word_set(
    "a an the this that these those it its he she they we you i his her their our to of in on at "
    "by for from with as is are was were be been being am has have had do does did will would "
    "shall should can could may might must also yet ever any all very so too such than then there "
    "here and or but if while whereas although though however because which who when not no "
    "never nor neither none without only more most less"
)


def is_content(word: str) -> bool:
    """Whether a word carries meaning of its own."""
    return word not in _FUNCTION_WORDS


def content_stem(word: str) -> str:
    """The stem of a word that carries meaning of its own; "" for any other."""
    return "" if word in _FUNCTION_WORDS or word.isdigit() or len(word) < 3 else stem(word)


_CUES = word_set(
    "not no never none nobody nothing nowhere neither nor without hardly barely "
    "scarcely lack lacks lacked lacking"
)
_CUE_PHRASES = {
    "failed": ("to",), "fails": ("to",), "fail": ("to",), "failing": ("to",), "failure": ("to",),
    "unable": ("to",), "refused": ("to",), "refuses": ("to",), "refuse": ("to",),
    "false": ("that",), "untrue": ("that",), "incorrect": ("that",), "wrong": ("that",),
    "absence": ("of",), "free": ("of", "from"), "devoid": ("of",),
}  # fmt: skip
_DOUBTS = word_set("doubt doubts question")
_COMPARED = word_set("later earlier longer shorter")


def negations(words: list[Word]) -> list[Cue]:
    """What negates in a text, without what only looks so (no. 5, not only, no fewer than)."""
    places = [place for place in range(len(words)) if _negates(words, place)]
    kept: list[int] = []
    for place in places:
        text = words[place].text
        if text == "nor" and kept and words[place].clause - words[kept[-1]].clause <= 1:
            continue  # neither … nor is one
        near = kept and place - kept[-1] <= 2 and words[kept[-1]].clause == words[place].clause
        if near and words[kept[-1]].text in ("not", "never", "no") and text != "nor":
            kept.pop()  # not without, never failed to
            continue
        if near and words[kept[-1]].text in _CUE_PHRASES and text in ("not", "never"):
            kept.pop()  # refused to not pay
            continue
        kept.append(place)
    return [_cue(words, place) for place in kept]


def _negates(words: list[Word], place: int) -> bool:
    text = words[place].text
    after = words[place + 1].text if place + 1 < len(words) else ""
    later = words[place + 2].text if place + 2 < len(words) else ""
    if text in ("zero", "nil", "0"):  # "0 °C" and "0 percent" are quantities
        return not (unit_tokens(after) or len(after) == 1)
    if text in _CUE_PHRASES:
        return after in _CUE_PHRASES[text]
    if text not in _CUES:
        return False
    if text in ("no", "without") and after in _DOUBTS:
        return False
    if text == "no" and (after.isdigit() or after == "matter"):
        return False
    if text in ("no", "not") and after in _COMPARED and later == "than":
        return False
    before = words[place - 1].text if place else ""
    return not (text == "not" and (after in ("only", "just", "merely") or before == "or"))


def _cue(words: list[Word], place: int) -> Cue:
    clause = words[place].clause
    target, end = "", place
    skip = 1 if words[place].text in _CUE_PHRASES else 0
    for number in range(place + 1 + skip, min(place + 6, len(words))):
        if words[number].clause != clause:
            break
        if found := content_stem(words[number].text):
            target, end = found, number
            break
    written = " ".join(word.text for word in words[place : end + 1])
    return Cue(place, written, clause, target)


def cue_at(words: list[Word], place: int, target: str) -> Cue:
    """A word that negates by its prefix: its target is what stands behind it."""
    return Cue(place, words[place].text, words[place].clause, target)


_PREFIXES = ("un", "non", "dis", "in", "im", "ir", "il")
_ADJECTIVE = re.compile(r".{2,}(?:able|ible|ive|ent|ant|al|ate|ite|ete|ect|ular|uble|ible)(?:ly)?")
_NOT_NEGATED = word_set("invaluable inflammable implant instate infamous unless until")


def prefix_negated(words: list[Word], others: list[Word]) -> list[tuple[int, str]]:
    """Where a word is another text's word with a negative prefix, which that text has not.

    Gives the place and the stem of the word behind the prefix: unapproved, where the other text
    says approved; "non" and "not" may stand apart from it by a hyphen.
    """
    own = {word.text for word in words}
    other = {word.text for word in others}
    stems = {stem(word) for word in other - own}
    found: list[tuple[int, str]] = []
    for place, word in enumerate(words):
        text = word.text
        if text == "non" and place + 1 < len(words):
            found.append((place, stem(words[place + 1].text)))
            continue
        if text in _NOT_NEGATED or text in other:
            continue
        for prefix in _PREFIXES:
            bare = text.removeprefix(prefix)
            strict = prefix in ("un", "non", "dis") or _ADJECTIVE.fullmatch(bare)
            if bare != text and len(bare) >= 4 and strict and stem(bare) in stems:
                found.append((place, stem(bare)))
                break
    return found


@dataclass(frozen=True)
class Opposites:
    """Two sides of one scale.

    Attributes:
        sides: The stems and words of either side.
        contradictory: Whether not one is the other: what is not accepted is rejected, but what
            does not rise need not fall.
        turned: Whether "A before B" says "B after A".
    """

    sides: tuple[frozenset[str], frozenset[str]]
    contradictory: bool = False
    turned: bool = False


def _pair(one: str, other: str, contradictory: bool = False, turned: bool = False) -> Opposites:
    return Opposites((word_set(one), word_set(other)), contradictory, turned)


OPPOSITES = (
    _pair(
        "increas rise rises rose risen rising grow grows grew grown growth gain climb surg soar "
        "expand up",
        "decreas fall fell fallen falling declin drop dropp reduc reduct shrink shrank shrunk "
        "diminish plung lowered lowering down",
    ),
    _pair("more greater higher larger bigger above over", "less fewer lower smaller below under"),
    _pair("after following", "before prior", turned=True),
    _pair("earlier", "later", turned=True),
    _pair("minimum ≥ >=", "maximum ≤ <="),
    _pair(
        "approv accept authoris authoriz grant endors permit allow",
        "reject refus deni deny disapprov forbid forbidden prohibit veto vetoed",
        contradictory=True,
    ),
    _pair("pass succeed success successful", "fail failur unsuccessful", contradictory=True),
    _pair("present presence", "absent absence", contradictory=True),
    _pair("includ", "exclud omit omitt", contradictory=True),
    _pair("true correct", "false wrong", contradictory=True),
    _pair("improv better", "worsen deteriorat worse"),
    _pair("accelerat", "decelerat slow slower"),
    _pair("heat warm", "cool chill"),
    _pair("exothermic", "endothermic"),
    _pair("oxidis oxidiz oxid", "reduct reduc"),
    _pair("open", "clos shut"),
    _pair("enabl activat", "disabl deactivat"),
    _pair("profit", "loss losses"),
    _pair("import", "export"),
    _pair("buy buys buying bought purchas", "sell sold sale sales", turned=True),
    _pair("left", "right"),
    _pair("north northern", "south southern"),
    _pair("east eastern", "west western"),
    _pair("best", "worst"),
    _pair("insid", "outsid"),
    _pair("positiv", "negativ"),
    _pair("begin begins began begun start", "end ends ended ending stop stopp ceas finish"),
    _pair("add adds added adding", "remov"),
    _pair("strengthen", "weaken"),
    _pair("all every each", "some few several most"),
    _pair("until till", "from since"),
    _pair("shall must", "may"),
    _pair("doubt doubts", "undoubted undoubtedly doubtless", contradictory=True),
    _pair("within", "before prior"),
    _pair("reach met meets achiev attain", "miss misses missing", contradictory=True),
    _pair("ontrack", "offtrack", contradictory=True),
    _pair("partial partially partly", "full fully complete completely entirely wholly"),
    _pair("planned scheduled intended", "completed finished done"),
    _pair("valid", "void", contradictory=True),
    _pair("guilty", "innocent", contradictory=True),
    _pair("net", "gross"),
    _pair("cis", "trans"),
    _pair("agree agreed agrees", "refus", contradictory=True),
)
COMPARED = OPPOSITES[1]
UNTIL, OBLIGED = (one for one in OPPOSITES if one.sides[0] & {"until", "shall"})
"""Their side counts only for the same thing: more water, less water; more than 5, less than 5."""
_SIDES = {
    word: [
        (opposites, number)
        for opposites in OPPOSITES
        for number, side in enumerate(opposites.sides)
        if word in side
    ]
    for word in frozenset().union(*(side for one in OPPOSITES for side in one.sides))
}


def sides_of(word: str) -> list[tuple[Opposites, int]]:
    """The pairs of opposites that a word belongs to, and on which side."""
    return _SIDES.get(word) or _SIDES.get(stem(word)) or []


_NAMED_TIMES = word_set(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)


def counts(words: list[Word], place: int, opposites: Opposites) -> bool:
    """Whether a word has the sense that makes it one of the opposites."""
    text = words[place].text
    before = words[place - 1].text if place else ""
    after = [word.text for word in words[place + 1 : place + 5]]
    if opposites is UNTIL:  # from 2030, but not from the laboratory, nor from 5 to 10
        timed = bool(after) and (after[0][0].isdigit() or after[0] in _NAMED_TIMES)
        ranged = text == "from" and any(one in ("to", "until", "till", "≤") for one in after)
        return timed and not ranged
    if opposites is OBLIGED:  # not the month; "may not" is "must not"
        month = text == "may" and before in ("in", "of", "by", "since", "until", "last", "next")
        dated = before[:1].isdigit() or (bool(after) and after[0][0].isdigit())
        return not month and not dated and not _CUES & {before, *after[:2]}
    if text == "most":
        return bool(after) and (after[0] == "of" or after[0].endswith("s")) and before != "the"
    return not (text == "all" and before in ("at", "above", "after"))


def doubted(words: list[Word], place: int) -> bool:
    """Whether "doubt" is no doubt."""
    before = words[place - 1].text if place else ""
    return words[place].text in _DOUBTS and before in ("no", "without", "beyond")

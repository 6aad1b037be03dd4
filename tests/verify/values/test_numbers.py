"""Properties of reading: however a number is written, it is read back."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from creel_inspect.verify.values.quantity import read_quantity
from creel_inspect.verify.values.reading import number_text

DECIMALS = st.decimals(
    min_value=-(10**12), max_value=10**12, allow_nan=False, allow_infinity=False, places=4
)
UNDER_TEN = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def grouped(number, group, decimal):
    whole, _, rest = format(number, ",f").partition(".")
    return whole.replace(",", group) + decimal + rest


def in_words(number):
    """English words, from the rules of a grammar book."""
    if number < 10:
        return UNDER_TEN[number]
    if number < 20:
        return TEENS[number - 10]
    if number < 100:
        return TENS[number // 10] + (f"-{UNDER_TEN[number % 10]}" if number % 10 else "")
    for size, word in (
        (10**9, "billion"),
        (10**6, "million"),
        (1000, "thousand"),
        (100, "hundred"),
    ):
        if number >= size:
            head, rest = divmod(number, size)
            link = " and " if rest and rest < 100 else " "
            return f"{in_words(head)} {word}{link + in_words(rest) if rest else ''}"
    raise AssertionError


def only(text, **how):
    found = read_quantity(text, **how)
    assert len(found.readings) == 1, (text, str(found), found.problem)
    return found.readings[0]


@settings(max_examples=80, deadline=None)
@given(DECIMALS)
def test_a_decimal_written_in_many_ways_is_read_back(number):
    right = Fraction(number)
    for text in (
        format(number, "f"),
        grouped(number, ",", "."),
        grouped(number, ".", ","),
        grouped(number, " ", ","),
        grouped(number, "\u202f", "."),
        grouped(number, "'", "."),
        grouped(number, "’", ","),
        format(number, ".30e"),
        format(number, "f").replace("-", "−"),
        format(number, "f").translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
    ):
        assert only(text).value == right
    assert only(grouped(number, ".", ","), locale="de").value == right
    assert only(grouped(number, ",", "."), locale="en").value == right
    assert only(f"({grouped(abs(number), ',', '.')})").value == -abs(right)
    assert only(f"{grouped(number, ',', '.')} USD").value == right
    assert only(f"{grouped(number, ',', '.')} million").value == right * 10**6
    assert only(f"{grouped(number, ',', '.')} × 10⁻⁵ kg").value == right / 10**5


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**12 - 1))
def test_a_whole_number_in_words_is_read_back(number):
    assert only(in_words(number)).value == number
    assert only(in_words(number).replace("-", " ").replace(" and ", " ").upper()).value == number


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_range_in_words_or_digits_keeps_its_ends(one, other):
    low, high = sorted((one, other))
    for text in (f"{low}-{high}", f"{low} – {high}", f"between {low} and {high}"):
        reading = only(text)
        assert (reading.value, reading.high) == (low, high)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=30) | st.text("0123456789.,-+%()/eE €$kmMµ±~to and", max_size=20))
def test_any_text_is_read_or_refused_with_a_reason(text):
    found = read_quantity(text)
    assert bool(found.readings) != bool(found.problem)


@settings(max_examples=150, deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20))
def test_a_shown_number_of_reasonable_length_is_the_number(number):
    text = number_text(Fraction(number))
    if len(number.as_tuple().digits) < 30:
        assert Fraction(Decimal(text)) == Fraction(number)
    assert len(text) < 70


def test_a_number_without_a_short_decimal_is_shown_as_a_ratio_or_rounded():
    assert number_text(Fraction(1, 3)) == "1/3"
    assert number_text(Fraction(10**50)) == "1E+50"
    assert number_text(Fraction(5e-324)) == "4.9406564584124654E-324"

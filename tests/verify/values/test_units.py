"""Units: what spellings mean, exact factors, and pint's traps."""

import math
import subprocess
import sys
from fractions import Fraction

import pytest

from creel_inspect.verify.values.money import currency_codes
from creel_inspect.verify.values.quantity import read_quantity
from creel_inspect.verify.values.reading import converted
from creel_inspect.verify.values.units import _OWN, _registry, _tables, conversion, unit_tokens


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("1,5 kg", (Fraction(3, 2), "kilogram")),  # pint: 15
        ("1 000 kg", (1000, "kilogram")),  # pint: 0
        ("pH 7", (7, "pH")),  # pint: picohenry
        ("100 F", (100, "degree_Fahrenheit")),  # pint: farad
    ],
)
def test_what_pint_reads_wrong_is_read_right(text, right):
    (reading,) = read_quantity(text).readings
    assert (reading.value, reading.unit) == right


@pytest.mark.parametrize("text", ["9**9**9", "m**9**9**9", "5 m**9**9**9", "5 kg**99999", "5 pH/m"])
def test_what_makes_pint_hang_is_refused(text):
    assert not read_quantity(text).readings


# Definitions: SI brochure; international yard and pound 1959; ITS-90 offsets; thermochemical
# calorie; US gallon 231 cubic inches.
@pytest.mark.parametrize(
    ("unit", "into", "value", "right"),
    [
        ("kg", "g", 5, 5000),
        ("lb", "g", 1, "453.59237"),
        ("g", "lb", "453.59237", 1),
        ("in", "cm", 1, "2.54"),
        ("mi", "km", 1, "1.609344"),
        ("°C", "K", 25, "298.15"),
        ("°F", "°C", 212, 100),
        ("K", "°F", "255.372222222222", "-0.0000000000004"),
        ("atm", "kPa", 1, "101.325"),
        ("bar", "Pa", 1, 100000),
        ("kWh", "MJ", 1, "3.6"),
        ("kcal", "kJ", 1, "4.184"),
        ("US gallons", "L", 1, "3.785411784"),
        ("M", "mol/L", 2, 2),
        ("mM", "mol/m3", 1, 1),
        ("mg/L", "g/m3", 7, 7),
        ("g/mL", "kg/m³".replace("³", "3"), 1, 1000),
        ("km/h", "m/s", 36, 10),
        ("h", "min", 2, 120),
        ("wk", "d", 1, 7),
        ("ha", "m2", 1, 10000),
        ("KiB", "bytes", 1, 1024),
        ("kJ/mol", "kcal/mol", "4.184", 1),
        ("N·m", "J", 1, 1),
        ("m s^-1", "m/s", 3, 3),
        ("percent", "ppm", 1, 10000),
        ("basis points", "percentage points", 25, "0.25"),
        ("µg", "mcg", 1, 1),
        ("micrograms", "µg", 1, 1),
        ("mcg", "ng", 1, 1000),
    ],
)
def test_units_convert_exactly(unit, into, value, right):
    (one,), (other,) = unit_tokens(unit.replace("µ", "μ")), unit_tokens(into.replace("µ", "μ"))
    factor, offset = conversion(one, other)
    assert Fraction(value) * factor + offset == Fraction(right)


@pytest.mark.parametrize(
    ("unit", "into"),
    [("kg", "m"), ("percent", "percentage points"), ("wt%", "vol%"), ("wt%", "percent"),
     ("kg", "percent"), ("pH", "M"), ("equiv", "mol"), ("g/L", "mol/L")],
)  # fmt: skip
def test_units_of_different_dimensions_do_not_convert(unit, into):
    (one,), (other,) = unit_tokens(unit), unit_tokens(into)
    assert converted(one, other) is None


def test_money_never_converts():
    assert converted("EUR", "USD") is None
    assert converted("USD", "kilogram") is None
    assert converted("USD", "percent") is None
    assert converted("USD", "USD") == (1, 0)


@pytest.mark.parametrize(
    ("one", "other"), [("mm", "Mm"), ("mg", "Mg"), ("mW", "MW"), ("mPa", "MPa"), ("m", "M")]
)
def test_case_tells_symbols_apart(one, other):
    assert unit_tokens(one) != unit_tokens(other)
    assert unit_tokens(one)
    assert unit_tokens(other)


def test_pint_knows_every_unit_of_the_tables():
    registry, _ = _registry()
    for table in _tables():
        for tokens in table.values():
            for token in tokens:
                assert token in _OWN or registry.Unit(token) is not None


@pytest.mark.parametrize("text", ["", " ", "foo", "kg kg", "kg/", "/kg", "kg//m", "kg^0",
                                  "kg^10", "kg^^2", "°C/m", "m/s/kg/m/s", "a/b c", "%/kg",
                                  "x" * 10_000])  # fmt: skip
def test_what_is_no_whitelisted_unit_is_none(text):
    assert unit_tokens(text) == ()


def test_reading_units_does_not_load_pint():
    code = (
        "import sys; from creel_inspect.verify import build_verifier as b; "
        "v = b('numeric_tolerance', unit='kg'); "
        "assert v.verify('5 kg', 5).passed and not v.verify('$5', 6).passed; "
        "sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("USD", ("USD",)), ("usd", ("USD",)), ("€", ("EUR",)), ("euros", ("EUR",)),
        ("Canadian dollars", ("CAD",)), ("British pounds", ("GBP",)), ("Japanese yen", ("JPY",)),
        ("¥", ("JPY", "CNY")), ("zł", ("PLN",)), ("all", ()), ("cup", ()), ("XXQ", ()), ("", ()),
    ],
)  # fmt: skip
def test_currencies_by_code_symbol_and_name(text, codes):
    assert currency_codes(text) == codes


def test_no_angle_or_amount_of_information_is_a_plain_number():
    # To pint a radian, a turn and a bit are 1: 60 rpm would be 6.28 Hz, and 1 bit/s 1 Hz.
    registry, _ = _registry()
    symbols, names = _tables()
    tokens = {one for table in (symbols, names) for units in table.values() for one in units}
    plain = {one for one in tokens - set(_OWN) if registry.Quantity(1, one).dimensionless}
    assert not plain


@pytest.mark.parametrize(
    ("unit", "into", "right"),
    [
        ("1/minute", "hertz", Fraction(1, 60)),  # one revolution per minute
        ("1/hour", "1/minute", Fraction(1, 60)),
        ("radian/second", "hertz", None),
        ("degree/second", "hertz", None),
        ("bit/second", "hertz", None),
        ("radian", "dimensionless", None),
        ("degree", "percent", None),
        ("byte", "bit", 8),
        ("newton*meter", "joule", 1),
        ("USD/metric_ton", "USD/kilogram", Fraction(1, 1000)),
        ("USD/metric_ton", "EUR/metric_ton", None),
        ("USD/metric_ton", "USD/meter", None),
        ("USD/metric_ton", "USD", None),
        ("USD/metric_ton", "1/metric_ton", None),
    ],
)
def test_rates_and_angles_convert_only_within_their_kind(unit, into, right):
    found = converted(unit, into)
    assert found == (None if right is None else (right, 0))


def test_half_a_turn_is_pi():
    factor, offset = converted("degree", "radian")
    assert (float(factor * 180), offset) == (pytest.approx(math.pi, rel=1e-12), 0)


@pytest.mark.parametrize(
    "text", ["/", "per ", "1/", "per per h", "per m/s", "//h", "1/1/h", "per °C"]
)
def test_a_rate_is_per_one_plain_unit(text):
    assert not unit_tokens(text)

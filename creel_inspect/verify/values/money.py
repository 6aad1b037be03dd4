"""Currencies by code, symbol and name, as ISO 4217 codes. Nothing is converted.

Codes and English names are CLDR's, through Babel. A sign that several currencies share ("$",
"kr", "pounds") has several codes.
"""

from functools import cache

from babel.numbers import get_currency_name, get_currency_precision, list_currencies

_DOLLARS = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN")
_SYMBOLS: dict[str, tuple[str, ...]] = {
    "$": _DOLLARS, "US$": ("USD",), "US $": ("USD",), "U.S. $": ("USD",),
    "$US": ("USD",), "U.S.$": ("USD",), "C$": ("CAD",),
    "CA$": ("CAD",), "CAD$": ("CAD",), "A$": ("AUD",), "AU$": ("AUD",), "NZ$": ("NZD",),
    "HK$": ("HKD",), "S$": ("SGD",), "NT$": ("TWD",), "MX$": ("MXN",), "R$": ("BRL",),
    "€": ("EUR",), "£": ("GBP",), "GB£": ("GBP",), "UK£": ("GBP",),
    "¥": ("JPY", "CNY"), "JP¥": ("JPY",), "CN¥": ("CNY",),
    "円": ("JPY",), "元": ("CNY",), "₹": ("INR",), "₽": ("RUB",), "₩": ("KRW",), "₺": ("TRY",),
    "₴": ("UAH",), "₫": ("VND",), "₪": ("ILS",), "฿": ("THB",), "₦": ("NGN",), "₱": ("PHP",),
    "₡": ("CRC",), "₸": ("KZT",), "₾": ("GEL",), "₼": ("AZN",), "₵": ("GHS",),
    "zł": ("PLN",), "Kč": ("CZK",), "Ft": ("HUF",), "RMB": ("CNY",),
    "kr": ("SEK", "NOK", "DKK", "ISK"), "kr.": ("SEK", "NOK", "DKK", "ISK"),
    "Rs": ("INR", "PKR", "LKR", "NPR", "MUR"), "Rs.": ("INR", "PKR", "LKR", "NPR", "MUR"),
    "Fr.": ("CHF",), "SFr.": ("CHF",),
}  # fmt: skip
_WORDS: dict[str, tuple[str, ...]] = {
    "dollar": _DOLLARS, "u.s. dollar": ("USD",), "american dollar": ("USD",),
    "united states dollar": ("USD",),
    "pound": ("GBP",), "pound sterling": ("GBP",), "pounds sterling": ("GBP",),
    "sterling": ("GBP",), "yen": ("JPY",), "yuan": ("CNY",), "renminbi": ("CNY",),
    "franc": ("CHF", "XOF", "XAF"), "peso": ("MXN", "ARS", "CLP", "COP", "PHP", "CUP"),
    "rupee": ("INR", "PKR", "LKR", "NPR", "MUR"), "won": ("KRW",), "zloty": ("PLN",),
    "rouble": ("RUB",), "ruble": ("RUB",), "rand": ("ZAR",), "real": ("BRL",), "reais": ("BRL",),
    "krona": ("SEK", "ISK"), "kronor": ("SEK",), "krone": ("NOK", "DKK"), "kroner": ("NOK", "DKK"),
}  # fmt: skip
_SMALL_CODES = {"usd", "eur", "gbp", "jpy", "chf", "cad", "aud", "nzd", "inr", "cny", "sek", "nok"}
_LONGEST = 40


@cache
def _codes() -> frozenset[str]:
    return frozenset(list_currencies())


@cache
def _names() -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for code in sorted(_codes()):
        for count in (1, 2):
            names[get_currency_name(code, count=count, locale="en").lower()] = (code,)
    for word, codes in _WORDS.items():
        names[word] = names[word + "s"] = codes
    return names


def currency_codes(text: str) -> tuple[str, ...]:
    """The ISO 4217 codes that a code, symbol or English name may mean; empty if none.

    Codes are written in capitals, the commonest also small ("usd"), since others are words.
    """
    if not text or len(text) > _LONGEST:
        return ()
    if found := _SYMBOLS.get(text):
        return found
    if len(text) == 3 and text.isascii() and (text.isupper() or text in _SMALL_CODES):
        return (text.upper(),) if text.upper() in _codes() else ()
    return _names().get(text.lower(), ()) if text[-1:].isalpha() else ()


@cache
def _symbols_by_length() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(sorted(_SYMBOLS.items(), key=lambda one: -len(one[0])))


def currency_at(text: str, start: int) -> tuple[tuple[str, ...], int] | None:
    """The currency that stands at a place before a number: its codes, and where it ends."""
    if (code := text[start : start + 3]).isalpha() and not text[start + 3 : start + 4].isalpha():
        codes = currency_codes(code)
        if codes:
            return codes, start + 3
    for symbol, codes in _symbols_by_length():
        if text.startswith(symbol, start):
            return codes, start + len(symbol)
    return None


@cache
def most_decimals(code: str) -> int:
    """How many decimals an amount of a currency has, from CLDR: 2 for USD, 0 for JPY, 3 for KWD."""
    return get_currency_precision(code)


def is_currency(token: str) -> bool:
    """Whether a unit token is a currency's: no other token is three capitals."""
    return len(token) == 3 and token.isupper()

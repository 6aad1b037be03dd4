"""A verdict in words."""

from creel_inspect.scoring.explain import explanation
from creel_inspect.verify import failing, passing


def test_the_reason_stands_first_and_alone_where_there_is_nothing_else():
    assert explanation(passing("2 of 3 items are there")) == "**2 of 3 items are there**"


def test_numbers_lists_and_parts_each_have_their_table():
    told = explanation(
        failing(
            "no",
            precision=0.5,
            passes=True,
            missing=["a", "b"],
            extra=[],
            parts={"x": {"score": 1.0, "passed": True}, "y": {"score": 0.25}},
            violations=[{"path": "$.a", "rule": "minimum"}],
        )
    )
    assert told.split("\n\n") == [
        "**no**",
        "|  |  |\n| --- | --- |\n| precision | 0.500 |\n| passes | yes |",
        "missing:",
        "|  |\n| --- |\n| a |\n| b |",
        "parts:",
        "|  | score | passed |\n| --- | --- | --- |\n| x | 1.000 | yes |\n| y | 0.250 |  |",
        "violations:",
        "| path | rule |\n| --- | --- |\n| $.a | minimum |".replace("$", "\\$"),
    ]


def test_no_text_of_a_model_makes_a_row_a_tag_or_a_heading():
    hostile = "a | b\n| c |\n# d <script>alert(1)</script> **e** [f](http://x) `g` \u202e"
    told = explanation(failing(hostile, missing=[hostile], parts={hostile: {hostile: hostile}}))
    assert "<script" not in told
    assert "\u202e" not in told
    assert "\n# d" not in told
    for line in told.splitlines():
        if line.startswith("|"):
            bare = line.replace("\\|", "")
            assert bare.count("|") in {2, 3}, line


def test_a_long_table_is_cut_and_says_how_much_is_not_shown():
    told = explanation(failing("no", missing=[str(n) for n in range(100)]))
    assert told.endswith("… 60 more")
    assert "| 39 |" in told
    assert "| 40 |" not in told

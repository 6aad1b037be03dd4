"""Questions longer than a log's summaries hold are looked at whole."""

import pytest

from creel_inspect.compare import compare, load_frame
from creel_inspect.compare.fairness import questions
from creel_inspect.compare.refusing import CompareError
from tests.compare.log_files import write_log

LONG = "x" * 6_000


def logs(folder, **changed):
    """Two models that were asked three long questions; the second, some of them otherwise."""
    asked = {name: f"{LONG} {name}" for name in "abc"}
    write_log(folder, dict.fromkeys("abc", 1), model="mockllm/one", questions=asked)
    write_log(folder, dict.fromkeys("abc", 0), model="mockllm/two", questions={**asked, **changed})
    return load_frame(folder)


def test_questions_that_differ_only_after_the_summaries_cut_are_refused(tmp_path):
    made = logs(tmp_path, b=f"{LONG} another")
    # All that the summaries hold of them is the same.
    assert made.groupby("case")["content"].nunique().tolist() == [1, 1, 1]
    with pytest.raises(CompareError) as error:
        compare(made)
    assert "the input or the target of 1 case is another in another run:\n    b\n" in str(
        error.value.message
    )
    assert "the 2 common cases" in error.value.message
    report = compare(made, common=True)
    assert [row.case for row in report.comparisons[0].rows] == ["a", "c"]
    ((one,),) = [comparison.left_out for comparison in report.comparisons]
    assert (one.count, one.examples) == (1, ["b"])


def test_where_all_differ_nothing_is_common(tmp_path):
    made = logs(tmp_path, **{name: f"{LONG} another {name}" for name in "abc"})
    with pytest.raises(CompareError, match="--common does not help"):
        compare(made)
    with pytest.raises(CompareError, match="no case in common"):
        compare(made, common=True)


def test_equal_long_questions_are_compared_without_a_word(tmp_path):
    warnings = compare(logs(tmp_path)).comparisons[0].warnings
    assert not any("longer" in told or "too many" in told for told in warnings)


def test_targets_are_looked_at_too(tmp_path):
    for model, end in (("one", "x"), ("two", "y")):
        write_log(tmp_path, {"a": 1}, model=f"mockllm/{model}", targets={"a": LONG + end})
    with pytest.raises(CompareError, match="the input or the target of 1 case"):
        compare(load_frame(tmp_path))


def test_what_cannot_be_read_whole_is_counted_in_a_warning(tmp_path):
    made = logs(tmp_path, b=f"{LONG} another")
    # By its name, the last that a run is read from.
    last = made.sort_values("run_id")["log"].iloc[-1]
    made.loc[made["log"] == last, "log"] = str(tmp_path / "gone.eval")
    warnings = " ".join(compare(made).comparisons[0].warnings)
    assert "the input or the target of 3 cases is longer than the logs' summaries hold" in warnings


@pytest.mark.parametrize(
    ("most", "told"), [(2, "3 cases are too many to read"), (3, "of 3 cases is longer than")]
)
def test_more_than_can_be_read_in_time_is_counted_in_a_warning(tmp_path, monkeypatch, most, told):
    monkeypatch.setattr(questions, "MOST_READ", most)
    made = logs(tmp_path, b=f"{LONG} another")
    assert told in " ".join(compare(made).comparisons[0].warnings)


def test_short_questions_are_read_once_a_case(tmp_path, monkeypatch):
    read = []
    real = questions.read_whole

    def counting(places):
        wanted = list(places)
        read.append(len(wanted))
        return real(wanted)

    monkeypatch.setattr(questions, "read_whole", counting)
    for model in "xyz":
        write_log(tmp_path, dict.fromkeys("abcd", 1), model=f"mockllm/{model}")
    compare(load_frame(tmp_path))
    assert read == [4, 0]

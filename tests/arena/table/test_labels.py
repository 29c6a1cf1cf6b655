import pytest

from arena.table.labels import Labels


@pytest.mark.parametrize(
    ("names", "texts", "shared"),
    [
        (["a:depth=6", "b:depth=6"], ["a", "b"], "depth=6"),
        (["a:x=1,depth=6", "b:depth=6,y=2"], ["a:x=1", "b:y=2"], "depth=6"),
        (["a:depth=6", "b"], ["a:depth=6", "b"], ""),
        (["a", "b"], ["a", "b"], ""),
        (["a:depth=6", "a:depth=6#2"], ["a:depth=6", "a:depth=6#2"], ""),
        (["a:depth=6"], ["a:depth=6"], ""),
        (["a:depth=2,h=f.py:g", "f.py:C:depth=2,h=f.py:g"], ["a", "f.py:C"], "depth=2,h=f.py:g"),
        (["x/f.py:C:n=1", "x/f.py:C:n=2"], ["x/f.py:C:n=1", "x/f.py:C:n=2"], ""),
        (["llm:m@u;seed=1;prompt=grid", "llm:m@u;seed=1", "random"], ["llm:m:prompt=grid", "llm:m", "random"], ""),
        (["a:h=x(y.py:f,n=1", "a:h=x(y.py:f,n=2"], ["a:h=x(y.py:f,n=1", "a:h=x(y.py:f,n=2"], ""),
    ],
)
def test_labels_leave_out_what_all_names_have(names, texts, shared):
    labels = Labels.among(names)
    assert [labels.of(name) for name in names] == texts
    assert labels.shared == shared


def test_no_labels_are_needed_for_nobody():
    assert Labels.among([]).texts == {}


def test_what_all_agents_have_cannot_command_the_terminal():
    assert Labels({}, "name=\x1b[1m").note == "all agents have name=\\x1b[1m"

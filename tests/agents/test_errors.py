"""What a message names that might have been meant."""

from pathlib import Path

from agents.errors import no_file


def test_of_files_of_one_name_three_are_named():
    known = [f"{folder}/run.sqlite" for folder in "abcde"]
    assert str(no_file(Path("run.sqlite"), known)).count("/run.sqlite") == 3
    assert str(no_file(Path("run.sqlite"), known[:1])).endswith(": did you mean a/run.sqlite?")
    assert str(no_file(Path("x"), known)) == "there is no file x"

"""What a message names that might have been meant."""

from pathlib import Path

from agents.errors import InputError, PlainError, Unavailable, missing, no_file, unknown


def test_of_files_of_one_name_three_are_named():
    known = [f"{folder}/run.sqlite" for folder in "abcde"]
    assert str(no_file(Path("run.sqlite"), known)).count("/run.sqlite") == 3
    assert str(no_file(Path("run.sqlite"), known[:1])).endswith(": did you mean a/run.sqlite?")
    assert str(no_file(Path("x"), known)) == "there is no file x"


def test_an_unknown_name_is_answered_with_up_to_three_like_it_or_else_with_all():
    assert str(unknown("level", "mediun", ["hard", "medium", "easy"])) == "no level 'mediun': did you mean medium?"
    assert str(unknown("part", "aa", ["ab", "ac", "ad", "ae"])).count(" or ") == 2
    assert str(unknown("part", "ab", iter(["abx", "aby"]))) == "no part 'ab': did you mean aby or abx?"
    assert str(unknown("level", "zzz", ["hard", "easy"])) == "no level 'zzz': there are easy, hard"
    assert isinstance(unknown("level", "x", []), InputError)
    assert str(unknown("level", "x", [])) == "no level 'x': there are none"


def test_a_missing_package_is_named_with_its_extra():
    assert (
        str(missing("httpx, which asks,", "llm"))
        == "httpx, which asks, is not installed: pip install 'connect4-arena[llm]'"
    )


def test_of_a_missing_file_those_of_its_folder_and_ending_are_named(tmp_path):
    for name in ("games.csv", "games.txt", "other.csv", "gamer.csv"):
        (tmp_path / name).touch()
    assert str(no_file(tmp_path / "gamess.csv")) == (
        f"there is no file {tmp_path}/gamess.csv: did you mean {tmp_path}/games.csv or {tmp_path}/gamer.csv "
        f"or {tmp_path}/other.csv?"
    )
    assert str(no_file(tmp_path / "games.sqlite")) == f"there is no file {tmp_path}/games.sqlite"
    assert str(no_file(Path("a.csv"), ["a.csv"])) == "there is no file a.csv"
    assert str(no_file(Path("a.csv"), ["a.csv", "b.csv"])) == "there is no file a.csv: did you mean b.csv?"
    assert str(no_file(tmp_path / "gone" / "games.csv")) == f"there is no file {tmp_path}/gone/games.csv"
    assert str(no_file(Path("runs/b.csv"), ["runs/a.csv", "b.csv"])).endswith("did you mean runs/a.csv or b.csv?")


def test_errors_that_users_cause_say_what_they_are():
    error = Unavailable("the server is down")
    assert (str(error), error.place, error.output) == ("the server is down", 0, "")
    assert isinstance(error, InputError)
    assert isinstance(error, ValueError)
    assert not isinstance(PlainError("x"), InputError)

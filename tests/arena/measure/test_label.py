import json

import pytest
from needs import needed
from recorded import holds, plain
from slow_solver import SlowSolver

import arena as package
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from arena.measure import label as module
from arena.measure.exercises import questions, sample
from arena.measure.label import Label, known_labels, labels_of, read_positions, refuse, write

SMALL = Rules(4, 4)


FORMS = ["jsonl", "csv", "json", "txt"]


@pytest.fixture(scope="module")
def boards():
    return sample(40, 3, range(6, 14), SMALL)


@pytest.fixture(scope="module")
def labels(boards):
    return labels_of(boards, {}, columns=True, mebibytes=1)


def test_scores_are_those_of_a_slow_search(boards, labels):
    slow = SlowSolver(SMALL)
    for board, each in zip(boards, labels, strict=True):
        assert (each.position, each.score) == (board.text, slow.score(board.own, board.opp))
        for column in range(4):
            assert (each.columns[column] is None) == (column not in board.legal_moves())
        assert each.score == max(score for score in each.columns if score is not None)


def test_threads_and_what_is_known_change_nothing(boards, labels):
    assert labels_of(boards, {}, columns=True, threads=3, mebibytes=1) == labels
    found = {(board.own, board.opp): each for board, each in zip(boards[:10], labels, strict=False)}
    solved = []
    assert labels_of(boards, found, columns=True, mebibytes=1, progress=lambda: solved.append(1)) == labels
    assert (len(solved), len(found)) == (30, 40)


def test_without_columns_only_the_score_is_asked_for(boards, labels):
    assert labels_of(boards, {}, mebibytes=1) == [Label(each.position, each.score) for each in labels]


@pytest.mark.parametrize("form", FORMS)
def test_a_file_is_read_back_as_it_was_written(form, labels, tmp_path):
    path = tmp_path / f"labels.{form}"
    write(path, labels, SMALL)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    for (board, score, columns), each in zip(read_positions(path, SMALL), labels, strict=True):
        assert board.text == each.position
        assert score in ({None} if form == "json" else {each.score})
        assert columns == (None if form == "txt" else each.columns)
    assert list(known_labels(path, SMALL, columns=False).values()) == (
        [Label(each.position, each.score) for each in labels] if form == "txt" else labels
    )


def test_parquet_has_the_same_columns(labels, tmp_path):
    needed("pyarrow")
    write(tmp_path / "labels.parquet", labels, SMALL)
    assert list(known_labels(tmp_path / "labels.parquet", SMALL, columns=True).values()) == labels


@pytest.mark.parametrize("columns", [True, False])
def test_a_reader_of_parquet_finds_the_fields_of_the_other_forms_and_no_more(labels, tmp_path, columns):
    parquet = needed("pyarrow.parquet")
    some = labels if columns else [Label(each.position, each.score) for each in labels]
    for name in ("labels.parquet", "labels.jsonl"):
        write(tmp_path / name, some, SMALL)
    rows = parquet.ParquetFile(tmp_path / "labels.parquet").read().to_pylist()
    lines = (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    assert [list(row) for row in rows] == [["position", "score", "columns"]] * len(some)
    assert rows == [json.loads(line) for line in lines]


def test_the_course_counts_columns_from_0_and_marks_full_ones(tmp_path):
    path = tmp_path / "course.json"
    board = Board.from_moves("1111112")
    write(path, labels_of([board], {}, columns=True, mebibytes=1), STANDARD)
    [position] = json.loads(path.read_text())["positions"]
    assert (position["moves"], position["depth"], len(position["scores"])) == ("0000001", 7, 7)
    assert [place for place, score in enumerate(position["scores"]) if score == -1000] == [0]


def test_the_courses_own_scores_are_solved_again(tmp_path):
    path = tmp_path / "pons_eval.json"
    row = {"moves": "11233453244341332252256560511064", "scores": [-5, -5, -1000, -1000, -5, -5, 5], "depth": 32}
    path.write_text(json.dumps({"meta": {"description": "weak"}, "positions": [row]}))
    [(board, score, columns)] = read_positions(path)
    assert (board.ply, score, columns) == (32, None, None)


def test_lines_of_pons_may_lack_the_score_and_the_empty_board_has_no_moves(tmp_path):
    path = tmp_path / "set.txt"
    path.write_text("\ufeff44 1\n4453\n\n 1\n44 1\n")
    assert [(board.text, score) for board, score, _ in read_positions(path)] == [("44", 1), ("4453", None), ("", 1)]
    found = [Label("44", 1), Label("", 1)]  # of a position without a score nothing is known
    assert list(known_labels(path, STANDARD, columns=False).values()) == found
    assert known_labels(path, STANDARD, columns=True) == {}


HELD = {
    "bare.jsonl": '\ufeff{"position": "12"}\n\n{"position": "2244", "score": null, "columns": null}\n'
                  '{"position": "12"}\n',
    "scored.jsonl": '{"position": "12", "score": 1}\n{"position": "21", "score": -2}\n{"position": "", "score": 0}\n'
                    '{"position": "1111", "columns": [null, 1, -2, 0]}\n'
                    '{"position": "4444", "score": -1, "columns": [-1, -3, -2, null]}\n'
                    '{"position": "12", "score": 7}\n',
    "bare.csv": "\ufeffposition\n12\n4444\n12\n",
    "orders.csv": "score,position\n1,123\n2,321\n-1,124\n-2,214\n",
    "scored.csv": 'score,position,columns,more\n,12,,x\n0,21,,y\n,1111,"[null, 1, -2, 0]",\n'
                  '-1,4444,"[-1, -3, -2, null]",z\n',
    "scored.txt": "12 1\n\n21   -2\n1111\n\n1111 5\n",
    "exact.json": '{"meta": {"scores": "exact"}, "positions": [{"moves": "01", "scores": [0, 1, -2, 1], "depth": 2},'
                  ' {"moves": "0000", "scores": [-1000, 0, -1, -1]}, {"moves": "", "scores": [0, 0, 0, 0]}]}',
    "weak.json": '{"meta": {}, "positions": [{"moves": [0, 1], "scores": [0, 5, -2, 1]}]}',
    "said.json": '{"meta": {"scores": "weak"}, "positions": [{"moves": "0000", "scores": [-1000, 5, 5, 5]}]}',
}  # fmt: skip


def test_what_a_file_lacks_is_not_known_and_what_it_has_twice_counts_once(tmp_path, request):
    found = {}
    for name, text in HELD.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found[name] = [(board.text, score, columns) for board, score, columns in read_positions(tmp_path / name, SMALL)]
        for columns in (True, False):
            kept = known_labels(tmp_path / name, SMALL, columns=columns)
            found[f"{name}, columns {columns}"] = [
                (label.position, label.score, label.columns, discs == (board.own, board.opp))
                for discs, label in kept.items()
                for board in (Board.from_moves(label.position, SMALL),)
            ]
    holds("labels-held", plain(found), request)


def test_a_file_of_each_form_has_these_lines(labels, tmp_path, request):
    some = [*labels[:3], next(each for each in labels if None in each.columns)]
    plainer = [Label(each.position, each.score) for each in some]
    found = {}
    for name, rows in (("with", some), ("without", plainer)):
        for form in FORMS if name == "with" else ("jsonl", "csv", "txt"):
            write(tmp_path / f"{name}.{form}", rows, SMALL)
            text = (tmp_path / f"{name}.{form}").read_bytes().decode()
            found[f"{name} columns, {form}"] = json.loads(text) if form == "json" else text.split("\n")
    wide = Rules(11, 4)
    board = Board.from_moves("11,1,10", wide)
    write(tmp_path / "wide.jsonl", [Label(board.text, 0, (0,) * 11)], wide)
    [(again, score, columns)] = read_positions(tmp_path / "wide.jsonl", wide)
    found["wide"] = again.text, score, columns
    ten = Rules(10, 4)
    write(tmp_path / "ten.json", [Label("10,1,2", -1, (None, *[-1] * 9))], ten)
    found["ten"] = json.loads((tmp_path / "ten.json").read_text())
    holds("labels-written", plain(found), request)


@pytest.mark.parametrize("form", FORMS)
def test_a_file_is_written_whole_or_not_at_all(tmp_path, form):
    path, wrong = tmp_path / f"a.{form}", Label("1", 0, object())
    path.write_text("precious")
    if form != "txt":  # which has no columns
        with pytest.raises(TypeError):
            write(path, [Label("1", 0, (0, 0, 0, 0)), wrong], SMALL)
    assert ([file.name for file in tmp_path.iterdir()], path.read_text()) == ([path.name], "precious")
    with pytest.raises(InputError, match=rf"none/a\.{form} cannot be written"):
        write(tmp_path / "none" / f"a.{form}", [], SMALL)
    write(path, [], SMALL)
    assert "precious" not in path.read_text()


def test_a_missing_number_of_a_table_is_none():
    assert [module._whole(value) for value in (None, float("nan"), 3.0, "-2", 0)] == [None, None, 3, -2, 0]
    assert module._row({"position": 44, "score": float("nan"), "columns": [1.0, float("nan")]}) == (
        "44", None, (1, None)
    )  # fmt: skip
    assert module._row({"position": "44", "score": "", "columns": ""}) == ("44", None, None)


def test_an_interruption_keeps_the_labels_that_were_found(boards, labels):
    found, steps = {}, []

    def step():
        steps.append(len(found))
        if len(steps) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        labels_of(boards, found, 1, 1, step)
    assert steps == [1, 2, 3, 4, 5]
    late = sorted(boards, key=lambda board: -board.ply)[:5]
    assert set(found) == {(board.own, board.opp) for board in late}  # later plies come first
    assert labels_of(boards, found, mebibytes=1) == [Label(each.position, each.score) for each in labels]


def test_labels_of_another_board_or_of_most_fours_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("6 1\n")
    assert [board.text for board, *_ in read_positions(tmp_path / "a.txt")] == ["6"]
    with pytest.raises(InputError, match="line 1: move 1: column 6 does not exist"):
        read_positions(tmp_path / "a.txt", SMALL)
    with pytest.raises(InputError, match="the standard rules alone, not most-fours"):
        read_positions(tmp_path / "a.txt", Rules(7, 6, most_fours=True))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "44\n48 1\n", r"a\.txt, line 2: move 2: column 8 does not exist"),
        ("a.txt", "1212121\n", r"a\.txt, line 1: the game is already over"),
        ("a.txt", "", "it names no position"),
        ("a.txt", "44 1\n44 two\n", r"a\.txt, line 2: '44 two' is not moves without blanks"),
        ("a.foo", "", "no kind of file for labels '.foo': there are .csv"),
        ("a.jsonl", '{"position": "44"', "does not hold labelled positions as .jsonl"),
        ("a.jsonl", '\n{"position": "44", "score": 1, "columns": [1, 0]}', "line 2: 2 columns have scores"),
        ("a.jsonl", '{"position": "44", "score": 3, "columns": [0,0,0,1,0,0,0]}', "the score is 3, but not the best"),
        ("a.jsonl", '{"position": "44", "columns": [0,0,0,null,0,0,0]}', "not those that can be played"),
        ("a.csv", "moves,score\n44,1\n", "it has no column 'position'"),
        ("a.jsonl", '{"moves": "44"}', r"a\.jsonl does not hold labelled positions: it has no column 'position'"),
        ("a.json", '{"positions": []}', "it has no column 'meta'"),
        ("a.JSON", '{"meta": {}, "positions": [{"moves": "7", "scores": [0]}]}', "position 1: move 1: column 8 does"),
        (
            "a.json",
            '{"meta": {"scores": "exact"}, "positions": [{"moves": "", "scores": [0]}]}',
            "position 1: 1 columns have scores",
        ),
        ("a.csv", "position,score\n44,x\n", "does not hold labelled positions as .csv files do: ValueError"),
        ("folder", None, "no kind of file for labels 'folder'"),
        ("a.csv", "position,score,columns\n44,1,\n48,1,\n", r"a\.csv, line 3: move 2: column 8 does not exist"),
        ("a.json", "[]", "does not hold"),
        ("missing.txt", None, r"missing\.txt cannot be read: No such file"),
        ("", None, "no kind of file for labels"),
        ("a.txt", "44 1\n1212121 0\n", r"line 2: the game is already over \(first player won\)"),
        ("a.jsonl", '{"position": "44", "columns": [0,0,0,1,0,0,0,0]}', "8 columns have scores"),
        ("a.jsonl", '{"position": "444444", "columns": [0,0,0,1,0,0,0]}', "7 columns have scores, which are not those"),
        ("a.jsonl", '{"position": "44", "score": 0, "columns": [-3,-2,-1,-1,-2,-3,-3]}', "the score is 0, but not the"),
    ],
)
def test_what_no_file_of_labels_has_is_refused_with_its_place(name, text, message, tmp_path):
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_positions(tmp_path / name)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".txt"])
def test_a_folder_is_no_file_of_labels(tmp_path, suffix):
    path = tmp_path / f"labels{suffix}"
    path.mkdir()
    with pytest.raises(InputError, match=rf"^{path} cannot be read: Is a directory$"):
        read_positions(path)


def test_parquet_is_told_before_the_work_where_nothing_writes_it(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(module, "find_spec", asked.append)
    for name in ("labels.parquet", "LABELS.PARQUET"):
        for call in (
            lambda path: refuse(path, SMALL, columns=False),
            lambda path: write(path, [], SMALL),
            read_positions,
        ):
            with pytest.raises(InputError, match=r"^parquet files are written by pyarrow, which is not installed"):
                call(tmp_path / name)
    assert set(asked) == {"pyarrow"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".txt"])
def test_a_file_that_is_no_text_is_refused_in_a_short_line(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"SQLite format 3\0\xfb\xae" * 5000)
    with pytest.raises(InputError) as raised:
        read_positions(path)
    assert str(raised.value).startswith(f"{path} does not hold labelled positions as {suffix} files do: ")
    assert len(str(raised.value)) < len(str(path)) + 300
    assert "\n" not in str(raised.value)


def test_what_cannot_be_written_is_refused_before_the_work(tmp_path):
    with pytest.raises(InputError, match="add --moves"):
        refuse(tmp_path / "a.json", SMALL, columns=False)
    with pytest.raises(InputError, match="of 10 at most"):
        refuse(tmp_path / "a.json", Rules(12, 4), columns=True)
    with pytest.raises(InputError, match="of 10 at most"):
        refuse(tmp_path / "a.json", Rules(11, 4), columns=True)
    with pytest.raises(InputError, match="no such folder"):
        refuse(tmp_path / "nowhere" / "a.csv", SMALL, columns=False)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=r"folder\.csv cannot be written: it is a folder"):
        refuse(tmp_path / "folder.csv", SMALL, columns=False)
    for name, rules, columns in (
        ("a.json", Rules(10, 4), True),
        ("a.json", SMALL, True),
        ("a.csv", Rules(12, 4), False),
    ):
        refuse(tmp_path / name, rules, columns=columns)


def test_a_grade_takes_positions_from_a_file_and_solves_only_what_it_does_not_know(labels, tmp_path):
    path = tmp_path / "labels.jsonl"
    write(path, [*labels[:30], *(Label(each.position, each.score) for each in labels[30:])], SMALL)
    boards, scores = questions(path, 1, None, SMALL)
    assert (len(boards), len(scores)) == (40, 30)
    late, _ = questions(path, 1, [12], SMALL)
    assert {board.ply for board in late} == {12}
    with pytest.raises(InputError, match="has no position of 3 to 3 plies"):
        questions(path, 1, [3], SMALL)


def test_from_python_it_is_a_table(tmp_path):
    path = tmp_path / "labels.csv"
    table = package.label(10, plies=[8, 9], columns=True, mebibytes=1, rules="4x4", out=path)
    assert list(table.columns) == ["position", "score", "columns"]
    assert len(read_positions(path, SMALL)) == len(table) == 10
    assert len(package.grade(["greedy"], positions=path, rules="4x4")) == 1

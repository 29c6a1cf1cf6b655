from agents.specs.registry import parse
from arena.store.sources import digest


def test_the_files_of_hosted_players_have_digests_that_change_with_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.py").write_text("def policy(seen): return 0\n")
    (tmp_path / "k.py").write_text("def any_name(a): return 0\n")
    specs = [parse("pettingzoo:p.py:policy"), parse("kaggle:k.py"), parse("k.py")]
    before = [digest(spec) for spec in specs]
    assert None not in before
    for name in ("p.py", "k.py"):
        (tmp_path / name).write_text((tmp_path / name).read_text() + "x = 1\n")
    assert all(digest(spec) not in (None, old) for spec, old in zip(specs, before, strict=True))

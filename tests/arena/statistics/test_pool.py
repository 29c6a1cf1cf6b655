import itertools

from arena.statistics.pool import parts


def test_groups_join_as_soon_as_a_game_links_them():
    assert parts([]) == []
    assert parts([("a", "a")]) == [{"a"}]
    links = [("a", "b"), ("c", "d"), ("e", "f"), ("b", "c")]
    assert sorted(map(sorted, parts(links))) == [["a", "b", "c", "d"], ["e", "f"]]
    for order in itertools.permutations(links):
        assert sorted(map(sorted, parts(order))) == sorted(map(sorted, parts(links)))

"""The names of the package `arena`: those of its functions, and what is said of others."""

import inspect
from importlib.metadata import version
from operator import attrgetter

import pytest
from needs import needed

import arena
from arena import python
from arena.perfect import python as perfect


def test_every_name_is_that_of_the_function_in_python_and_is_listed():
    assert sorted(arena.__all__) == sorted([*python.__all__, *perfect.__all__])
    for module in (python, perfect):
        assert all(getattr(arena, name) is getattr(module, name) for name in module.__all__)
    assert arena.__version__ == version("connect4-arena")
    assert {*arena.__all__, "__version__", "__doc__"} <= {*dir(arena)}


def test_another_name_is_told_with_what_python_needs_to_suggest_a_near_one():
    with pytest.raises(AttributeError, match=r"^module 'arena' has no attribute 'depht'$") as error:
        arena.depht  # noqa: B018  it is asked for
    assert (error.value.name, error.value.obj) == ("depht", arena)


def test_a_function_of_a_plugin_is_told_where_it_is():
    counts = needed("arena.plugins.counts")
    with pytest.raises(AttributeError, match=r"no attribute 'elo': from arena.plugins.counts import elo$"):
        arena.elo  # noqa: B018  it is asked for
    assert counts.elo([1, 2, 3]).score > 0.5
    with pytest.raises(AttributeError, match="no attribute 'eloo'"):
        counts.eloo  # noqa: B018  it is asked for


SIGNATURES = """
arena.audit run * workers=1 progress=False
arena.compare heuristics * search='alphabeta:order=centre' depth=None nodes=None seconds=None openings=None rounds=100
    seed=1 rules='7x6x4' out=None isolation=None workers=1 cluster=None progress=False
arena.depths agents depth=range(1, 9) * positions=() openings=None rounds=10 seed=None rules='7x6x4' budget=10.0
    why=False isolation=None progress=False warn=warn_caller
arena.evaluate positions='' heuristics=() * compiled=True rules='7x6x4'
arena.grade agents depth=range(1, 7) * positions=500 seed=1 plies=None ladder=None workers=1 rules='7x6x4'
    isolation=None progress=False warn=warn_caller
arena.load path
arena.move agent position='' * rules='7x6x4' isolation=None
arena.order positions='' orderings=() * rules='7x6x4'
arena.perft depth position='' * divide=False rules='7x6x4'
arena.plot run figure=None
arena.run agents=() * rounds=None openings=None seed=None format=None pairs=None include_self=None rules=None
    nodes=None seconds=None clock=None margin=None sprt=None out=None resume=None add=() replay=() workers=1
    isolation=None cluster=None progress=False
arena.solve positions='' * columns=False book=True threads=None rules='7x6x4' found=<lambda>
arena.solve_random count * plies=None seed=1 threads=None rules='7x6x4' progress=False
arena.verify * positions=40 depth=6 seed=1 heuristics=() orderings=() rules='7x6x4' progress=False
counts.elo counts
counts.rate run * anchor=None
counts.sprt counts elo0 elo1 * alpha=0.05 beta=0.05 model='normalized'
diff.diff old new agents=()
study.check file
study.new path='study.toml'
study.play file out=None * workers=None command='' progress=False say=<lambda> warn=warn_caller
study.verify folder * workers=None command='' progress=False say=<lambda> warn=warn_caller
tune.tune heuristic * search='alphabeta:order=centre' depth=4 positions=4000 evaluations=300 seed=1 workers=1
    rules='7x6x4' progress=False
assignment.job.assignment hand_ins * out=None marks=None depth=4 rounds=None seconds=None margin=0.1 seed=1
    public=False isolation=None workers=None command='' progress=False say=<lambda> warn=warn_caller
"""
"""What Python users may give to each function, and what it takes where they give nothing."""


def signature(function):
    """Return the parameters of a function with their defaults; those after the star have to be named."""
    words, starred = [], False
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            words, starred = [*words, "*"], True
        default = parameter.default
        told = getattr(default, "__name__", repr(default))
        words.append(name if default is parameter.empty else f"{name}={told}")
    return " ".join(words)


@pytest.mark.parametrize(
    "line", SIGNATURES.strip().replace("\n    ", " ").splitlines(), ids=lambda line: line.split()[0]
)
def test_a_function_takes_what_it_always_took(line):
    place, _, parameters = line.partition(" ")
    folder, _, name = place.partition(".")
    if folder == "arena":
        function = getattr(arena, name)
    else:
        needed(f"arena.plugins.{place.rpartition('.')[0]}")
        function = attrgetter(place)(arena.plugins)
    assert signature(function) == parameters

from pathlib import Path

import pytest

from agents.jit.compiler import JIT
from arena.cli import cli
from arena.cli import commands as offered
from arena.cli.hints import GONE, INSTEAD, instead_of, meant
from arena.plugins import offers


def test_the_bare_command_prints_its_help(arena):
    bare = arena()
    assert (bare.code, bare.err) == (0, "")
    assert bare.out == arena("--help").out
    assert "Play a tournament" in bare.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tournament", "no command 'tournament': arena run is what does it"),
        ("stats", "no command 'stats': arena show is what does it"),
        ("Leaderboard", "no command 'Leaderboard': arena show is what does it"),
        ("help", "no command 'help': arena --help is what does it"),
        ("player", "no command 'player': arena play is what does it"),
        ("shwo", "'shwo': did you mean show?"),
        ("eval 12 --depth 3", "no option '--depth': nothing is searched here; arena move alphabeta:depth=4 MOVES"),
        ("run greedy --depth 4", "no option '--depth': it belongs into an agent's spec, as in alphabeta:depth=4"),
        ("perft -3", "arena perft: no option '-3': depths cannot be negative"),
        ("run --bogus", "arena run: No such option"),
        ("--bogus", "arena: No such option"),
    ],
)
def test_what_is_meant_is_suggested_before_what_has_near_letters(arena, words, said):
    answer = arena(*words.split())
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


MEANT = {
    "run": "tournament match tourney start simulate battle",
    "show": "leaderboard standings ranking results result table stats crosstable",
    "list": "runs ls history status",
    "depths": "states nodes cost performance speed",
    "eval": "evaluate value score",
    "move": "best bestmove ask choose",
    "replay": "watch view",
    "agents": "bots players engines algorithms levels",
    "heuristics": "evaluations evaluators",
    "order": "orders sort",
    "show FILE --plot": "plot figure chart",
    "verify": "test agree",
    "show FILE --table NAME --style csv": "csv dump",
    "--help": "help",
    "--version": "version",
    "report": "html page",
    "tune": "optimise optimize fit train",
    "serve": "browser web gui ui",
    "rate": "ratings rating",
    "play": "human game player",
    "solve": "perfect solver",
    "audit": "blunders analyse analyze",
    "grade": "exam marks",
    "solve --random N --json": "dataset data generate random",
}
"""Words that people type, by the command that does what they mean."""


@pytest.mark.parametrize("command", MEANT)
def test_words_that_people_type_lead_to_the_command_that_does_what_they_mean(command):
    assert [word for word in MEANT[command].split() if meant().get(word) != command] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("eval --depth; order --depth", "arena move alphabeta:depth=4 MOVES searches"),
        ("run --jobs; run --workers; compare --jobs; compare --workers; audit --jobs; audit --workers", "-j N"),
        ("run --why; compare --why", "arena depths AGENT... --why"),
        ("run --times", "arena depths AGENT... and arena compare HEURISTIC..."),
        ("compare --times", "always ends with searches by turns"),
        ("verify --against", "arena run pons:COMMAND perfect --audit"),
        ("run --disguise", "llm:MODEL;prompt=FILE"),
        ("run --strict", "arena check FOLDER"),
        ("run --isolate", "in processes of their own without an option"),
        ("compare --budget", "arena run --resume FILE --budget 1h"),
        ("compare --anchor", "arena show FILE --anchor HEURISTIC=ELO"),
        ("show --faults", "arena show FILE --table faults"),
        ("show --blunders", "arena show FILE --table blunders"),
        ("run --fail-on-faults", "--fail-if faults"),
        ("show --regret", "arena audit FILE"),
        ("replay --solve", "arena solve MOVES"),
        ("compare --heuristic", "arena compare smart-aware powers-of-ten"),
        ("perft -3; perft -N", "depths cannot be negative"),
        ("replay -12", "the numbers of games cannot be negative"),
        ("elo -3; sprt -40", "counts cannot be negative"),
        ("show -1; move -7", "numbers cannot be negative"),
        ("grade --mirror", "arena check AGENT"),
        ("rate --nash; rate --los", "arena show FILE --table pairings"),
        ("tree --dot", "--html FILE"),
        ("tune --start", "arena tune 'windows(1,10,100,1000)'"),
        ("serve --files", "--agent FILE.py and --agent FOLDER"),
        ("explain --lines; explain --seconds", "its search has a bound"),
        ("diff --fail-if-estimate", "--fail-if 'score<-0.1'"),
        *(
            ("; ".join(f"{name} --{key}" for name in ("run", "move", "play", "grade", "uci", "engine")), said)
            for key, said in (
                ("depth", "alphabeta:depth=4"),
                ("nodes", "alphabeta:nodes=10000"),
                ("seconds", "alphabeta:seconds=0.1"),
                ("heuristic", "alphabeta:heuristic=smart-aware"),
                ("order", "alphabeta:order=centre"),
            )
        ),
    ],
)
def test_an_option_of_another_command_or_version_has_its_hint(options, said):
    for command, option in map(str.split, options.split("; ")):
        assert said in (instead_of(command, option) or ""), (command, option)


def test_an_option_that_nobody_means_and_a_setting_where_no_agent_plays_have_no_hint():
    assert instead_of("run", "--bogus") is instead_of("show", "--depth") is instead_of("depths", "--why") is None


def test_a_command_that_is_gone_has_the_near_way(arena):
    assert not GONE.keys() & offered().keys()
    assert set(GONE) >= {"merge", "benchmark", "bench", "book", "export", "cite", "label"}
    for name in GONE:
        answer = arena(name, "greedy")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == f"arena: no such command: {name}; arena {name} is gone: {GONE[name]}\n"


def test_the_short_option_shows_the_version(arena):
    assert arena("-V").out == arena("--version").out != ""


def test_suggestions_name_what_there_is_for_what_there_is_not():
    assert not meant().keys() & offered().keys()
    assert {each.split()[0] for each in meant().values()} <= {*offered(), "--help", "--version"}
    hints = [*INSTEAD, *(offer.row[:2] for offer in offers("HINTS", installed=False))]
    for name, option in hints:
        command = cli.get_command(None, name)
        assert option not in {text for each in command.params for text in each.opts}


def test_every_help_says_where_more_stands(arena):
    for name in offered():
        assert "\n  More: " in arena(name, "--help").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run smart-aware greedy", "'smart-aware' is a heuristic and no agent: alphabeta:heuristic=smart-aware"),
        ("move windows(1,10,100,1000)", "is a heuristic and no agent: alphabeta:heuristic=windows(1,10,100,1000)"),
        ("move centre", "'centre' is an ordering and no agent: alphabeta:order=centre searches with it"),
    ],
)
def test_a_heuristic_in_an_agents_place_is_told_how_it_plays(arena, words, said):
    assert said in arena(*words.split()).err


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_cannot_be_compiled_names_the_option_of_the_command(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    return int(f'{own}' + open)\n")
    assert "; --compiled no runs it as plain Python" in arena("eval", "44", "--heuristic", f"{mine}:evaluate").err
    said = arena("compare", "zero", f"{mine}:evaluate", "--depth", 1, "--rounds", 1, "-j", 1, "--no-store").err
    assert "; --search alphabeta:order=centre,compiled=no runs it as plain Python" in said


@pytest.mark.parametrize("name", sorted({page for offer in offers("COMMANDS") for page in offer.row[4].split(", ")}))
def test_the_pages_that_helps_name_are_there(name):
    assert (Path(__file__).parents[3] / name).is_file()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("orderings", "score(own, opp, column)"),
        ("order", "score(own, opp, column)"),
        ("heuristics", "evaluate(own, opp)"),
        ("move", "a win in n plies is 1000000 - n"),
        ("perft", "Equal positions count as often as they are reached"),
        ("show", "Standings list the strongest first"),
        ("run --help-all", "'A v B'"),
    ],
)
def test_a_help_says_what_its_numbers_and_words_mean(arena, name, said):
    assert said in " ".join(arena(*name.split(), "--help").out.split())

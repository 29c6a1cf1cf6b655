import json
from dataclasses import asdict

import pytest

from agents.board import Outcome, Rules
from agents.errors import InputError
from arena.games.entries import invited
from arena.games.formats import FixedFormat
from arena.games.isolation import Isolation
from arena.games.plan import DEFAULT_FIELD, Plan, refuse_unfit
from arena.games.referee import CONDITIONS
from arena.records import Job

TWO, THREE = ("random", "greedy"), ("random", "greedy", "mcts")


def test_what_is_not_asked_for_has_its_default():
    plan = Plan(TWO)
    assert asdict(plan) | {"isolation": None} == {
        "agents": TWO, "openings": "plies:4", "rounds": 20, "seed": 1, "format": "round-robin", "pairs": (),
        "include_self": False, "rules": asdict(Rules(7, 6, 4)), "nodes": None, "seconds": None, "margin": 0.1,
        "sprt": None, "isolation": None, "comparison": None, "clock": None,
    }  # fmt: skip
    assert asdict(Isolation()) == {
        "patience": 60.0, "memory": 1024, "sandbox": False, "everyone": False, "nobody": False, "folder": "",
        "entries": (), "debug": "",
    }  # fmt: skip
    assert (CONDITIONS.margin, CONDITIONS.limits.seconds) == (0.1, None)
    assert len(DEFAULT_FIELD) == 6
    assert DEFAULT_FIELD[0] == "minimax:depth=6,heuristic=powers-of-ten"
    assert DEFAULT_FIELD[-1] == "alphabeta:depth=6,order=centre,heuristic=smart-aware"


LARGE = 1 << 62
EDGES = [("rounds", 1, LARGE), ("seed", 0, LARGE), ("nodes", 1, LARGE), ("seconds", 0.0001, 86_400.0),
         ("margin", 0.0, 3600.0)]  # fmt: skip
BEYOND = [
    *(("rounds", "a whole number from 1", value) for value in (0, -3, LARGE + 1)),
    *(("seed", "a whole number from 0", value) for value in (-1, LARGE + 1)),
    *(("nodes", "a whole number from 1", value) for value in (0, LARGE + 1)),
    *(("seconds", "a number from 0.0001 to 86400", value) for value in (0.0, -1.0, 86_400.5, float("nan"))),
    *(("margin", "a number from 0 to 3600", value) for value in (-0.01, 3600.5, float("nan"))),
]


@pytest.mark.parametrize(("name", "least", "most"), EDGES)
def test_a_number_is_taken_up_to_its_bounds(name, least, most):
    for value in (least, most):
        assert getattr(Plan(TWO, **{name: value}), name) == value


@pytest.mark.parametrize(("name", "bound", "value"), BEYOND)
def test_a_number_beyond_its_bounds_is_refused_by_its_name(name, bound, value):
    with pytest.raises(InputError, match=f"^{name} is {bound}, not {value}$"):
        Plan(TWO, **{name: value})


@pytest.mark.parametrize(
    ("name", "bounds", "beyond", "told"),
    [
        ("patience", (0.001, 86_400.0), (0.0, 86_401.0), "positive and at most a day"),
        ("memory", (64, 1 << 20), (63, (1 << 20) + 1), "from 64 to 1048576 megabytes"),
    ],
)
def test_strangers_have_time_and_memory_within_bounds(name, bounds, beyond, told):
    for value in bounds:
        assert getattr(Isolation(**{name: value}), name) == value
    for value in beyond:
        with pytest.raises(InputError, match=f"^{name} must be {told}, not {value}"):
            Isolation(**{name: value})


@pytest.mark.parametrize("other", [{"everyone": True}, {"sandbox": True}])
def test_nobody_apart_goes_with_nothing_else(other):
    assert Isolation(nobody=True).nobody
    with pytest.raises(InputError, match="not both"):
        Isolation(nobody=True, **other)


def test_a_tournament_needs_two_agents_or_one_that_meets_itself():
    with pytest.raises(InputError, match="a tournament needs two agents; --include-self lets one meet itself"):
        Plan(("random",))
    assert Plan(("random",), include_self=True, rounds=2).jobs() == [Job(0, 0, 0), Job(0, 0, 1)]
    for include_self in (False, True):
        with pytest.raises(InputError, match="a tournament needs two agents"):
            Plan((), include_self=include_self)


def test_an_agent_that_is_there_again_has_a_number():
    assert Plan(("a", "b", "a", "a", "b"), format="gauntlet").names() == ["a", "b", "a#2", "a#3", "b#2"]


def test_pairs_take_the_place_of_the_formats():
    plan = Plan(THREE, pairs=(("mcts", "random"),), rounds=1)
    assert plan.pairings() == [(2, 0)]
    assert plan.jobs() == [Job(2, 0, 0), Job(0, 2, 0)]
    assert plan.tournament() == FixedFormat([(2, 0)], 1)
    assert plan.tournament().most == 2
    numbered = Plan(("random", "greedy", "random"), rounds=1, pairs=(("random#2", "greedy"), ("greedy", "random#2")))
    assert numbered.jobs() == [Job(2, 1, 0), Job(1, 2, 0)]
    with pytest.raises(InputError, match="pair names 'nobody'"):
        Plan(TWO, pairs=(("random", "nobody"),))
    assert Plan(THREE, rounds=4).tournament().most == 24


def test_in_a_gauntlet_only_the_first_plays_them_all():
    plan = Plan(("random", "greedy", "minimax"), rounds=3, format="gauntlet")
    assert {(job.first, job.second) for job in plan.jobs()} == {(0, 1), (1, 0), (0, 2), (2, 0)}
    assert len(plan.jobs()) == 12


def test_specs_stand_for_several_agents():
    assert invited(["minimax:depth=1..3", "random"])[0] == (
        "minimax:depth=1",
        "minimax:depth=2",
        "minimax:depth=3",
        "random",
    )


def test_a_format_that_is_none_is_refused():
    with pytest.raises(InputError, match="'chess'"):
        Plan(TWO, format="chess")


def test_the_default_field_is_a_tournament():
    assert len(Plan(invited(DEFAULT_FIELD)[0]).jobs()) == 600


@pytest.mark.parametrize(
    "damage", [{"agents": None}, {"rules": {"width": 3}}, {"pairs": [1]}, {"colour": "red"}, {"rounds": "many"}]
)
def test_a_document_that_is_damaged_is_refused(damage):
    with pytest.raises(InputError, match="the stored plan cannot be read"):
        Plan.from_document(Plan(TWO).document() | damage)


def test_where_results_decide_who_meets_all_wait_for_the_next_game():
    agents = ("greedy", "random", "random")
    first = dict.fromkeys(Plan(agents[:2], rounds=1).jobs(), Outcome.FIRST_WINS)
    assert Plan(agents, rounds=1, format="knockout").waiting({}) == {0, 1, 2}
    assert Plan(agents, rounds=1).waiting(first) == {0, 1, 2}
    assert Plan(agents, rounds=1, format="gauntlet").waiting(first) == {0, 2}
    assert Plan(agents[:2], rounds=1).waiting(first) == set()
    for name in ("knockout", "swiss"):
        assert Plan(agents[:2], rounds=1, format=name).waiting(first) == set()
        assert Plan(agents[:2], rounds=1, format=name).waiting(dict([*first.items()][:1])) == {0, 1}


def test_who_is_in_no_pair_is_idle():
    assert Plan(THREE, pairs=(("mcts", "random"),)).idle() == {1}
    assert Plan(THREE, pairs=(("mcts", "mcts"),), include_self=True).idle() == {0, 1}
    assert Plan(THREE, format="knockout").idle() == Plan(THREE, format="gauntlet").idle() == set()


def test_whom_an_earlier_version_dropped_meets_nobody_in_a_fixed_schedule():
    def read(*dropped, **rest):
        return Plan.from_document(Plan(THREE, rounds=1, **rest).document() | {"dropped": [*dropped]})

    assert read() == Plan(THREE, rounds=1)
    assert (read("greedy").pairings(), read("greedy").idle()) == ([(0, 2)], {1})
    assert read("greedy", include_self=True).pairings() == [(0, 0), (0, 2), (2, 2)]
    assert read("greedy", format="gauntlet").jobs() == [Job(0, 2, 0), Job(2, 0, 0)]
    assert read("greedy", pairs=(("mcts", "greedy"), ("mcts", "random"))).pairings() == [(2, 0)]
    again = Plan.from_document(read("greedy").document() | {"dropped": ["greedy"]})
    assert again == read("greedy")
    for name in ("swiss", "knockout"):
        assert read("greedy", format=name) == Plan(THREE, rounds=1, format=name)
    with pytest.raises(InputError, match=r"^the stored plan cannot be continued: without random nobody meets anybody$"):
        read("random", format="gauntlet")


@pytest.mark.parametrize("key", ["population", "strata", "looks", "adaptive"])
def test_what_a_run_notes_beside_its_plan_is_no_part_of_it(key):
    plan = Plan(THREE, rounds=3, pairs=(("random", "mcts"), ("greedy", "mcts")))
    assert Plan.from_document(plan.document() | {key: [3]}) == plan


def test_a_plan_without_what_later_versions_added_is_read():
    data = Plan(THREE).document()
    del data["isolation"], data["comparison"]
    assert Plan.from_document(data) == Plan.from_document(data | {"order": "fair"}) == Plan(THREE)
    with pytest.raises(InputError, match="cannot be continued: nothing plays the order 'another' any more"):
        Plan.from_document(data | {"order": "another"})
    data = Plan(TWO, isolation=Isolation(entries=(None, None), debug="talk.txt")).document()
    assert (data["isolation"]["entries"], "debug" in data["isolation"]) == ((None, None), False)


@pytest.mark.parametrize(
    ("rest", "rules", "clock"),
    [
        ({}, {"columns": 7, "rows": 6, "connect": 4}, None),
        ({"rules": Rules(5, 4, 3), "clock": "60+1"}, {"columns": 5, "rows": 4, "connect": 3}, "60+1"),
        ({"rules": Rules(most_fours=True), "seconds": 2.0},
         {"columns": 7, "rows": 6, "connect": 4, "most_fours": True}, None),
    ],
)  # fmt: skip
def test_a_plan_is_written_without_what_earlier_versions_did_not_know_and_read_again(rest, rules, clock):
    plan = Plan(TWO, rounds=3, nodes=5, isolation=Isolation(memory=99, folder="/f"), **rest)
    document = plan.document()
    assert (document["rules"], document.get("clock"), "clock" in document) == (rules, clock, clock is not None)
    assert Plan.from_document(json.loads(json.dumps(document))) == plan


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ({"clock": "60:1"}, "clock '60:1': it is SECONDS or"),
        ({"clock": ""}, "clock ''"),
        ({"clock": "60", "seconds": 1.0}, "choose one of --seconds, for a move, and --clock, for a game"),
        ({"sprt": "elo0=0,elo1=30,model=bayesian"}, "takes 3 counts, of games"),
        ({"sprt": "elo0=0,elo1=30", "format": "knockout"}, "a sequential test takes a match of two agents"),
        ({"sprt": "elo0=0,elo1=30", "include_self": True}, "a sequential test takes a match of two agents"),
    ],
)
def test_terms_that_contradict_each_other_are_refused(rest, said):
    with pytest.raises(InputError, match=said):
        Plan(TWO, **rest)


@pytest.mark.parametrize(
    ("pairings", "fits"),
    [([(0, 1)], True), ([(1, 0)], True), ([(0, 0)], False), ([(0, 1), (1, 2)], False), ([(0, 2)], False), ([], False)],
)
def test_a_sequential_test_is_of_one_pair_of_two(pairings, fits):
    if fits:
        refuse_unfit("elo0=0,elo1=30", pairings)
        return
    with pytest.raises(InputError, match=r"^a sequential test takes a match of two agents$"):
        refuse_unfit("elo0=0,elo1=30", pairings)

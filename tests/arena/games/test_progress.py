"""Where work is shared: this machine's processors, or the machines of a cluster."""

from types import SimpleNamespace

import pytest

from agents.errors import InputError
from arena.games import progress
from arena.games.progress import Watch, bar, cluster_at, cores, workers_of
from arena.store import machine


def offered(monkeypatch, *names):
    """Let plugins offer clusters of these names, each of which says where it is."""

    def maker(name):
        return lambda address, say: say(f"{name} at {address}") or (name, address)

    offers = [SimpleNamespace(load=lambda place, name=name: {0: maker(name)}[place]) for name in names]
    monkeypatch.setattr(progress, "offers", lambda kind: offers if kind == "CLUSTERS" else [])


def test_the_first_cluster_that_is_offered_plays_and_says_so(monkeypatch):
    said = []
    offered(monkeypatch, "one", "other")
    assert cluster_at("host:1234", said.append) == ("one", "host:1234")
    assert said == ["one at host:1234"]
    assert cluster_at("local:2") == ("one", "local:2")
    assert cluster_at(None, said.append) is None
    assert len(said) == 1


def test_a_cluster_that_nobody_offers_is_refused(monkeypatch):
    offered(monkeypatch)
    assert cluster_at(None) is None
    with pytest.raises(InputError, match="--cluster is not installed"):
        cluster_at("local:2")


@pytest.mark.parametrize("number", [0, -1, 1.5, "2", "x"])
def test_a_number_of_processes_is_whole_and_not_below_one(number):
    for ask in (cores, workers_of) if number != 1.5 else (cores,):
        with pytest.raises(InputError, match=f"^{number!r} is no number of processes"):
            ask(number)


def test_processes_are_one_for_each_processor_or_as_many_as_asked_for_and_a_cluster_is_itself(monkeypatch):
    monkeypatch.setattr(progress.os, "sched_getaffinity", lambda process: {0, 3, 5}, raising=False)
    monkeypatch.setattr(progress, "cores", cores)
    cluster = object()
    assert [workers_of(number) for number in (1, 7, cluster)] == [1, 7, cluster]
    assert [cores(1), cores(7)] == [1, 7]


@pytest.mark.parametrize(("processors", "number"), [(6, 6), (None, 1)])
def test_without_affinity_the_processors_of_the_machine_count(monkeypatch, processors, number):
    monkeypatch.setattr(progress.os, "sched_getaffinity", lambda process: {0, 3, 5}, raising=False)
    assert cores(None) == 3
    monkeypatch.delattr(progress.os, "sched_getaffinity")
    monkeypatch.setattr(progress.os, "cpu_count", lambda: processors)
    assert cores(None) == number


@pytest.mark.parametrize(("others", "note"), [(0.5, ""), (3.0, "rough: other programs used 3.0 of 4 cores")])
def test_a_measurement_is_stored_with_its_seed_its_command_and_the_load_since_it_began(monkeypatch, others, note):
    monkeypatch.setattr(machine, "BUSY", 0.25)
    used = machine.Load(others, 4)
    monkeypatch.setattr(machine, "load", lambda: lambda: used)
    meta, said = Watch(7, "c4-arena depths").end()
    assert meta | {"seed": 7, "command": "c4-arena depths", "load": used.document()} == meta
    assert said == note
    meta, _ = Watch().end()
    assert (meta["seed"], meta["command"]) == (None, None)


def test_a_bar_is_made_by_the_callers_function_or_is_none_or_counts_in_units(capsys):
    made = []
    assert bar(lambda *given, **more: made.append((given, more)) or "mine", "games", 9, initial=2) == "mine"
    assert made == [(("games", 9), {"initial": 2})]
    assert bar(False, "games", 9, initial=2).disable
    with bar(True, "games", 9, initial=2) as meter:
        assert (meter.total, meter.unit, meter.n, bool(meter.dynamic_ncols)) == (9, " games", 2, True)
    assert "2/9" in capsys.readouterr().err

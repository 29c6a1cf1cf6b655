"""Where work is shared: this machine's processors, or the machines of a cluster."""

from types import SimpleNamespace

import pytest

from agents.errors import InputError
from arena.games import progress
from arena.games.progress import cluster_at, cores, workers_of


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

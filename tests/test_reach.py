"""What a reader comes to from a command's file: no plugin but its own, and no more than it is now."""

from .list_reach import reaches

MOST = {"perft": 40, "eval": 43, "elo": 68, "show": 64, "run": 80}
"""Modules of the arena, rounded up; a number falls with the next module that a command does without."""


def test_a_command_leads_to_no_plugin_but_its_own():
    from arena.plugins import offers

    own = {offer.row[0]: offer.folder.split(".")[2:] for offer in offers("COMMANDS", installed=False)}
    assert {name: sorted(plugins) for name, (_, _, plugins) in reaches().items()} == own


def test_a_command_leads_to_no_more_modules_than_it_did():
    assert {name: modules for name, (modules, _, _) in reaches().items() if modules > MOST.get(name, 110)} == {}

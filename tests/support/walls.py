"""Whether a sandbox can be had here."""

import os

import pytest

from agents.errors import InputError
from agents.remote import sandbox


def refused():
    try:
        sandbox.bubblewrap()
    except InputError:
        return True
    return False


inside = pytest.mark.skipif(
    os.environ.get("CI") != "true" and refused(), reason="bubblewrap is missing or refused here"
)

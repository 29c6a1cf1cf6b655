"""axe-core from the npm registry: what it finds wrong with how a page serves those who cannot see or point."""

import functools
import subprocess
import tarfile
import tempfile
from pathlib import Path

import pytest
from needs import needed

SERIOUS = {"serious", "critical"}
COLOURS = ["color-contrast", "link-in-text-block"]
LOOKS = [(width, scheme) for width in (400, 1280) for scheme in ("light", "dark")]


@functools.cache
def script():
    """Return axe's script, packed by npm into a folder that is thrown away; None where npm does not get it."""
    npm = needed("npm")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([npm, "pack", "axe-core@4", "--silent"], cwd=folder, capture_output=True, check=False)
        archives = list(Path(folder).glob("*.tgz"))
        if not archives:
            return None
        with tarfile.open(archives[0]) as archive:
            return archive.extractfile("package/axe.min.js").read().decode()


def faults(page, rules=None):
    """Return the serious faults of the page that is shown, by these rules, each with the elements that have it."""
    if script() is None:
        pytest.skip("needs axe-core from the npm registry")
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"() => {{ {script()} }}")
    found = page.evaluate("async rules => (await axe.run(rules)).violations", {"runOnly": rules} if rules else {})
    return [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in SERIOUS]


def faults_in_every_look(page):
    """Return the page's serious faults on a telephone and a desk, in light and dark, by look, where it has any.

    Dark differs from light in colours alone.
    """
    found = {}
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found[width, scheme] = faults(page, COLOURS if scheme == "dark" else None)
    return {look: wrong for look, wrong in found.items() if wrong}

"""What is installed: every file of the packages, the parts of pages included."""

from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]


def test_the_wheel_has_every_file_that_pages_and_programs_are_made_of():
    built = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    there = {
        path.relative_to(ROOT).as_posix()
        for package in ("agents", "arena")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"arena/plugins/serve/templates/run.html", "arena/plugins/serve/static/play.js", "arena/py.typed"} <= there
    assert there - built == set()

"""Our agents in Kaggle's ConnectX: `arena submission AGENT` writes one file that plays by itself.

The other way round, a file as Kaggle takes it plays here as it is: `bot.py`, or `kaggle:bot.py`.
"""

from __future__ import annotations

import base64
import io
import re
import zipfile
from pathlib import Path

import agents
from agents.errors import InputError
from agents.remote.spec import PREFIXES
from agents.specs.registry import Spec, parse
from arena.store.sources import files_of
from arena.store.writing import replacing

SHARE = 0.8
"""The part of Kaggle's time for a move that the agent gets, where it has no limits of its own."""


def submission(agent: str, out: Path, *, seed: int = 0) -> int:
    """Write an agent into a file that Kaggle's ConnectX takes, and return its bytes.

    agent: a spec of a built-in agent, of one in a Python file, whose imports and data beside it come along, or of a
    network. The file holds the package `agents`; it needs numpy and numba, and for networks onnxruntime, which Kaggle's
    image has or can install. seed: of the games' chance. Raises InputError for commands and several agents.
    """
    spec = parse(agent)
    if spec.kind in PREFIXES and spec.kind != "onnx":
        raise InputError(f"agent {agent!r}: a submission holds built-in agents, Python files and networks")
    packed, text = _packed(spec)
    source = TEMPLATE.format(
        agent=agent.replace("\\", "/").replace('"', "'"), spec=text, seed=seed, share=SHARE,
        files="\n".join(re.findall(".{1,120}", base64.b85encode(packed).decode())),
    )  # fmt: skip
    with replacing(out) as beside:
        beside.write_text(source, encoding="utf-8")
    return len(source)


def _packed(spec: Spec) -> tuple[bytes, str]:
    """Return a zip file with all that the agent needs, and its spec with FILES for the folder of its own files."""
    home, text = Path(agents.__file__).parent, spec.text
    named = {str(value) for value in (spec.kind, *spec.parameters.values()) if re.search(r"\.py:|\.onnx$", str(value))}
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(home.rglob("*")):
            own = path.suffix in {".py", ".book"} or (path.suffix == ".onnx" and spec.kind == "net")
            if own and path.is_file():
                archive.write(path, path.relative_to(home.parent))
        for number, value in enumerate(sorted(named)):
            typed = value.partition(".py:")[0] + ".py" if ".py:" in value else value
            main = Path(typed).absolute()
            for path in files_of(main) if main.suffix == ".py" else {main}:
                archive.write(path, f"files/{number}/{path.relative_to(main.parent)}")
            text = text.replace(typed, f"FILES/{number}/{main.name}")
    return into.getvalue(), text


TEMPLATE = '''"""The agent "{agent}" of Connect4 Arena, for Kaggle's ConnectX; written by `arena submission`."""

import base64
import io
import sys
import tempfile
import zipfile

SPEC, SEED, SHARE = {spec!r}, {seed}, {share}
_made = {{}}


def _agent():
    """Unpack the files at the end of this one, and make the agent."""
    folder = tempfile.mkdtemp()
    zipfile.ZipFile(io.BytesIO(base64.b85decode(FILES.replace("\\n", "")))).extractall(folder)
    sys.path.insert(0, folder)
    from agents.players.guests import hosted
    from agents.specs.registry import parse

    spec = parse(SPEC.replace("FILES", folder + "/files"))
    if spec.kind != "onnx":
        return spec.build()
    source = spec.source()
    return hosted(source.words, dict(source.options))


FILES = """
{files}
"""


def act(observation, configuration):
    """Return the column to play."""
    agent = _made.get("agent") or _made.setdefault("agent", _agent())
    from agents.agent import Limits, new_game, prepare
    from agents.board import Board, Rules

    rules = Rules(configuration["columns"], configuration["rows"], configuration["inarow"])
    cells, mark = observation["board"], observation["mark"]
    bits = [
        1 << column * (rules.rows + 1) + rules.rows - 1 - row
        for row in range(rules.rows)
        for column in range(rules.columns)
    ]
    own, opp = (sum(bit for bit, cell in zip(bits, cells) if cell == side) for side in (mark, 3 - mark))
    if (own | opp).bit_count() < 2:
        prepare(agent, rules, SPEC)
        new_game(agent, SEED)
    limits = Limits(seconds=SHARE * configuration["actTimeout"])
    answer = agent.choose(Board.from_discs(own, opp, rules), limits)
    return int(getattr(answer, "column", answer))
'''

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
from agents.network.player import LAYOUTS, OWN
from agents.specs.registry import Spec, parse
from agents.specs.sources import WHOLE
from arena.store.sources import files_of
from arena.store.writing import replacing

SHARE = 0.8
"""The part of Kaggle's time for a move that the agent gets, where it has no limits of its own."""


def submission(agent: str, out: Path, *, seed: int = 0) -> int:
    """Write an agent into a file that Kaggle's ConnectX takes, and return its bytes.

    agent: a spec of a built-in agent, of one in a Python file, with its imports and the data beside it, or of a
    network. The file holds the package `agents`; its first lines name what else it imports. seed: of the games'
    chance. Raises InputError for commands and several agents.
    """
    spec = parse(agent)
    if spec.kind in {*WHOLE} - {"onnx"}:
        what = "plays on Kaggle as it is" if spec.kind == "kaggle" else "is none of these"
        raise InputError(f"a submission holds built-in agents, Python files and networks; {agent} {what}")
    if spec.kind == "net":  # its file comes along, also where another submission brought `agents` into the process
        settings = "".join(f";{key}={value}" for key, value in spec.parameters.items())
        spec = parse(f"onnx:{OWN};layout={LAYOUTS[0]}{settings}")
    packed, text = _packed(spec)
    source = TEMPLATE.format(
        agent=agent.replace("\\", "/").replace('"', "'"), spec=text, seed=seed, share=SHARE,
        needs="numpy, onnxruntime" if spec.kind == "onnx" else "numpy, numba",
        files="\n".join(re.findall(".{1,120}", base64.b85encode(packed).decode())),
    ).encode()  # fmt: skip
    with replacing(out) as beside:
        beside.write_bytes(source)
    return len(source)


def _packed(spec: Spec) -> tuple[bytes, str]:
    """Return a zip file with all that the agent needs, and its spec with FILES for the folder of its own files."""
    home, text, into = Path(agents.__file__).parent, spec.text, io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(home.rglob("*")):
            if path.suffix in {".py", ".book"}:
                archive.write(path, path.relative_to(home.parent))
        values = map(str, (spec.kind, *spec.parameters.values()))
        named = {re.sub(r"(.*\.py):.*", r"\1", value) for value in values if re.search(r"\.py:|\.onnx$", value)}
        places = {}
        for number, typed in enumerate(sorted(named)):
            main = Path(typed).absolute()
            for path in sorted(files_of(main)) if main.suffix == ".py" else [main]:
                archive.write(path, f"files/{number}/{path.relative_to(main.parent)}")
            places[typed] = f"FILES/{number}/{main.name}"
    if places:  # all at once: one name may end as another
        names = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
        text = re.sub(names, lambda match: places[match[0]], text)
    return into.getvalue(), text


TEMPLATE = '''"""The agent "{agent}" of Connect4 Arena, for Kaggle's ConnectX; written by `arena submission`.

It holds all that it runs but for these packages: {needs}.
"""

import base64
import io
import sys
import tempfile
import zipfile

FILES = """
{files}
"""
made = []


def act(observation, configuration):
    """Return the column to play; the first call unpacks the files and makes the agent."""
    if not made:
        folder = tempfile.mkdtemp()
        zipfile.ZipFile(io.BytesIO(base64.b85decode(FILES.replace("\\n", "")))).extractall(folder)
        sys.path.insert(0, folder)
        from agents.bridges.submission import ForKaggle

        made.append(ForKaggle({spec!r}.replace("FILES", folder + "/files"), {seed}, {share}))
    return made[0](observation, configuration)
'''

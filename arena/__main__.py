"""The command: `arena`, or `python -m arena`. It can be stopped from here on, while all the rest is imported."""

import _signal as signal  # type: ignore[import-not-found]  # built in: `signal` takes long enough to be interrupted
import gc
import os
import sys

INTERRUPTED = {128 + getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


def main() -> None:
    """Import the command line and run it."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
            signal.signal(number, stop)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each of its threads takes 0.1 s of a core to start
    gc.set_threshold(50_000)  # rows by the ten thousand, none of them in a circle, are not gone through again and again
    try:
        from arena.cli import main as run

        run()
    except SystemExit as ended:
        if ended.code in INTERRUPTED:  # what a signal left half freed cannot be freed as Python ends
            sys.unraisablehook = lambda _: None
        raise
    except Exception:
        other = another()
        if not other:
            raise
        sys.stderr.write(
            f"arena: {other} is another distribution's package agents, which hides the one of connect4-arena: install "
            "connect4-arena into an environment of its own\n"
        )
        sys.exit(2)
    finally:
        gc.freeze()  # at its end Python would look for circles in all that was imported, for a fifth of a second


def another() -> str:
    """Return where a package `agents` stands that is not this project's and is imported in its place; "" for none."""
    from importlib.util import find_spec

    spec = find_spec("agents")
    if spec is None:
        return ""
    place = spec.origin or str(next(iter(spec.submodule_search_locations or ()), ""))
    try:
        with open(place, encoding="utf-8") as file:  # noqa: PTH123  pathlib takes longer to import
            return "" if "Connect Four" in file.read() else place
    except OSError:
        return place


def stop(number: int, _: object) -> None:
    """Say so, and end at once: an error raised within an import may be taken for one of its own."""
    sys.stdout.flush()
    os.write(2, b"arena: interrupted\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()

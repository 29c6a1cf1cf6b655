"""The command: `arena`, or `python -m arena`. It can be stopped from here on, while all the rest is imported."""

import _signal as signal  # type: ignore[import-not-found]  # built in: `signal` takes long enough to be interrupted
import gc
import os
import sys


def main() -> None:
    """Import the command line and run it."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
            signal.signal(number, stop)
    gc.set_threshold(50_000)  # rows by the ten thousand, none of them in a circle, are not gone through again and again
    try:
        from arena.cli import main as run

        run()
    finally:
        gc.freeze()  # at its end Python would look for circles in all that was imported, for a fifth of a second


def stop(number: int, _: object) -> None:
    """Say so, and end at once: an error raised within an import may be taken for one of its own."""
    sys.stdout.flush()
    os.write(2, b"arena: interrupted\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()

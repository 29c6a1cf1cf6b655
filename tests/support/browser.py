"""A real browser for the tests of pages: Debian's chromium, in which each page has a profile of its own.

It starts with a file's first page and ends with the file, as `conftest.py` has it.
"""

from contextlib import ExitStack, contextmanager

from needs import needed

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


_running = ExitStack()
_browsers = []


def started():
    """Return the browser, which runs until `ended`: to start it takes longer than most tests."""
    if not _browsers:
        chromium = needed("chromium")
        playwright = _running.enter_context(needed("playwright.sync_api").sync_playwright())
        _running.callback(_browsers.clear)
        _browsers.append(playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS))
        _running.callback(_browsers[0].close)
    return _browsers[0]


def ended():
    """End the browser, if it runs, and the event loop with which it is spoken to."""
    _running.close()


@contextmanager
def page(*, width=1280, height=900, scheme="light", scripts=True, touch=False, allowed=()):
    """Yield an empty page. On leaving, fail if a page complained, or asked for an address that is not allowed."""
    complaints = []
    context = started().new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=scripts, has_touch=touch
    )
    try:
        found = context.new_page()
        found.set_default_timeout(30_000)
        found.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        found.on("pageerror", lambda error: complaints.append(str(error)))
        found.on("request", lambda asked: complaints.append(asked.url) if foreign(asked.url, allowed) else None)
        yield found
    finally:
        context.close()
    assert complaints == []


def foreign(url, allowed):
    """Tell whether an address leads anywhere but to a file, into the page itself, or where the test allows."""
    return not url.startswith(("file:", "data:", "about:", "blob:", *allowed))

"""The styles in which a report is a text; of the documents of JSON other tests read the rows."""

from arena.table.styles import STYLES as ALL

STYLES = [name for name, style in ALL.items() if style.document is None]

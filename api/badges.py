"""A badge: one line of text about an entry as an SVG picture, for other people's pages."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

#: Mean widths of a sans-serif face of 11 px; the text is drawn exactly as wide as is said here.
_WIDE, _NARROW, _OTHER = 10.0, 3.6, 6.7
_PADDING = 8.0


def badge(standing: str, board: str) -> str:
    """An SVG with where an entry stands and on which board, such as ``rank 2 of 31``."""
    parts, at = [], 0.0
    for text, paper in ((standing, "#0f4c5c"), (board, "#3d454c")):
        inner = sum(map(_width, text))
        wide = round(inner + 2 * _PADDING, 1)
        parts.append(
            f'<rect x="{at:g}" width="{wide:g}" height="20" fill="{paper}"/>'
            f'<text x="{at + _PADDING:g}" y="14" textLength="{inner:.1f}" '
            f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        )
        at = round(at + wide, 1)
    words = f"{standing} · {board}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{at:g}" height="20" role="img" '
        f"aria-label={quoteattr(words)}><title>{escape(words)}</title>"
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f"{''.join(parts)}</g></svg>\n"
    )


def _width(letter: str) -> float:
    if letter in "mwMW@%":
        return _WIDE
    return _NARROW if letter in "iljtfrI.,:;/()[]|! " else _OTHER

"""Pictures that other sites show beside a link: where an entry stands, what a board holds."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

#: What sites that show links ask for, in pixels.
SIZE = (1200, 630)

_LEFT, _RIGHT = 70, 1130
_PAPER, _INK, _MUTED, _LINE = "#0f3440", "#ffffff", "#a9c6cf", "#2b5766"
_BAR, _SPREAD = "#5fb3c4", "#f2c14e"
_LONGEST = 200  # characters of any line; what is longer would not be read

#: Raised when the same card is drawn otherwise.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Bar:
    """A score as a bar from 0 to 1, and its spread around the end."""

    label: str
    value: str  # the same in words
    mean: float
    std: float | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """What a picture says, from the top down."""

    above: str
    title: str
    fact: str
    bars: tuple[Bar, ...] = ()


@lru_cache(maxsize=64)
def png(card: Card) -> bytes:
    """The picture, `SIZE` large."""
    image = Image.new("RGB", SIZE, _PAPER)
    draw = ImageDraw.Draw(image)
    _line(draw, card.above, 70, 34, _MUTED)
    _line(draw, card.title, 125, 76, _INK, least=44)
    _line(draw, card.fact, 240, 46, _SPREAD)
    for place, bar in enumerate(card.bars):
        _bar(draw, bar, 335 + 95 * place)
    draw.line((_LEFT, 548, _RIGHT, 548), _LINE, 2)
    _line(draw, "Graph Robustness Leaderboard", 565, 30, _MUTED)
    content = io.BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()


def _line(
    draw: ImageDraw.ImageDraw, text: str, top: int, size: int, colour: str, least: int = 24
) -> None:
    """A line as large as fits, at most ``size``; what is too long for ``least`` ends in dots."""
    said = "".join(one if one.isprintable() else " " for one in text[:_LONGEST])
    width = _RIGHT - _LEFT
    font = _font(size)
    while size > least and draw.textlength(said, font) > width:
        size -= 2
        font = _font(size)
    if draw.textlength(said, font) > width:
        while said and draw.textlength(f"{said}…", font) > width:
            said = said[:-1]
        said = f"{said.rstrip()}…"
    draw.text((_LEFT, top), said, colour, font)


def _bar(draw: ImageDraw.ImageDraw, bar: Bar, top: int) -> None:
    _line(draw, f"{bar.label}  {bar.value}", top, 32, _INK)
    low, high = top + 48, top + 66
    draw.rectangle((_LEFT, low, _RIGHT, high), _LINE)
    draw.rectangle((_LEFT, low, _at(bar.mean), high), _BAR)
    if bar.std:
        middle = (low + high) // 2
        first, last = _at(bar.mean - bar.std), _at(bar.mean + bar.std)
        draw.line((first, middle, last, middle), _SPREAD, 4)
        for end in (first, last):
            draw.line((end, low, end, high), _SPREAD, 4)


def _at(fraction: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * min(max(fraction, 0.0), 1.0)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The face that comes with Pillow."""
    return ImageFont.load_default(size)

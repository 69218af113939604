"""Makes outlines.txt: paths of pieces in a box of 100 by 100, y downwards.

    python3 make.py PIECES FONT > outlines.txt

PIECES is a checkout of https://github.com/LexLuengas/chessnut-pieces (Apache-2.0), commit
2b8eaf14a31edad7e9deb53b1473e1d4857868a9; FONT is LXGWWenKai-Regular.ttf, version 1.250, of
Debian's package fonts-lxgw-wenkai (OFL-1.1). Needs fontTools.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import DecomposingRecordingPen, RecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont

PIECES = {"K": "♔♚", "Q": "♕♛", "R": "♖♜", "B": "♗♝", "N": "♘♞", "P": "♙♟"}
CHARACTERS = "帥仕相傌俥炮兵將士象馬車砲卒歩香桂銀金角飛玉王と杏圭全龍"
# The side of the drawings of chess, and the longer side of a character in the box.
SIDE, LONGER = 800, 96


def short(number):
    """A number of tenths."""
    whole, tenth = divmod(abs(number), 10)
    text = f"{whole or ''}.{tenth}" if tenth else str(whole)
    return f"-{text}" if number < 0 else text


def joined(numbers):
    text = ""
    for number in map(short, numbers):
        text += number if not text or number[0] == "-" else f" {number}"
    return text


def compact(recorded):
    """Steps between rounded points, so that errors do not add up."""
    text, here, start = "", (0, 0), (0, 0)

    def step(command, points):
        nonlocal text, here
        points = [tuple(round(10 * value) for value in point) for point in points]
        if command in "l" and points[-1] == here:
            return
        steps = [value - base for point in points for value, base in zip(point, here)]
        if command == "l" and 0 in steps:
            text += f"v{short(steps[1])}" if steps[0] == 0 else f"h{short(steps[0])}"
        else:
            text += command + joined(steps)
        here = points[-1]

    for operator, points in recorded:
        if operator == "moveTo":
            here = start = tuple(round(10 * value) for value in points[0])
            text += "M" + joined(here)
        elif operator == "lineTo":
            step("l", points)
        elif operator == "curveTo":
            step("c", points)
        elif operator == "qCurveTo":
            for pair in decomposeQuadraticSegment(points):
                step("q", pair)
        elif operator == "closePath":
            text, here = text + "z", start
    return text


def scaled(path):
    assert not re.search("[aA]", path), path
    recording = RecordingPen()
    scale = 100 / SIDE
    parse_path(path, TransformPen(recording, (scale, 0, 0, scale, 0, 0)))
    return compact(recording.value)


def disc(cx, cy, radius):
    cx, cy, radius = (round(1000 * float(it) / SIDE) for it in (cx, cy, radius))
    arc = f"a{joined((radius, radius))} 0 1 0 "
    return f"M{joined((cx - radius, cy))}{arc}{short(2 * radius)} 0{arc}{short(-2 * radius)} 0z"


def shapes(element):
    """The shapes below an element: whether they are details, and their paths.

    Of a silhouette that is there as itself and again as its edge, the edge is left out."""
    get = element.get
    style = get("style", "")
    if "display:none" in style:
        return
    tag = element.tag.split("}")[-1]
    detail = "F2F2F2" in style + get("fill", "") + get("stroke", "")
    if tag == "path":
        yield detail, scaled(get("d"))
    elif tag == "line":
        yield detail, scaled(f"M{get('x1')},{get('y1')}L{get('x2')},{get('y2')}")
    elif tag == "circle":
        yield detail, disc(get("cx"), get("cy"), get("r"))
    else:
        assert tag in ("svg", "g"), tag
    children = list(element)
    if (get("id") or "").startswith("silhouette"):
        children = children[:1]
    for child in children:
        yield from shapes(child)


def piece(path):
    found = list(shapes(ElementTree.parse(path).getroot()))
    body = "".join(path for detail, path in found if not detail)
    ink = "".join(path for detail, path in found if detail)
    return f"{body} | {ink}" if ink else body


def character(font, char):
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(char)]]
    bounds, recording = BoundsPen(glyphs), DecomposingRecordingPen(glyphs)
    glyph.draw(bounds)
    left, bottom, right, top = bounds.bounds
    scale = LONGER / max(right - left, top - bottom)
    middle = ((left + right) / 2, (bottom + top) / 2)
    matrix = (scale, 0, 0, -scale, 50 - scale * middle[0], 50 + scale * middle[1])
    glyph.draw(TransformPen(recording, matrix))
    return compact(recording.value)


def main():
    pieces, font = Path(sys.argv[1]), TTFont(sys.argv[2])
    print("# Paths in a box of 100 by 100, y downwards, filled by the rule nonzero; behind a bar")
    print("# lines that are drawn in the colour of the edge. Made by make.py.")
    print("# Chess: Chessnut pieces, Copyright 2015 Alexis Luengas, Apache-2.0 (LICENSE-chess.txt),")
    print("# https://github.com/LexLuengas/chessnut-pieces, commit 2b8eaf14a31e; changed: the black")
    print("# set, for both sides, scaled and rounded, without colours and edges.")
    for letter, glyphs in PIECES.items():
        print(glyphs, piece(pieces / f"b{letter}.svg"))
    print("# Xiangqi and Shogi: outlines of characters, under the OFL-1.1 (OFL.txt).")
    for char in CHARACTERS:
        print(char, character(font, char))


main()

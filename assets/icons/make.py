"""Makes icons.ttf from Lucide's font (https://lucide.dev, ISC licence, see LICENSE): python3 make.py lucide.ttf

Icons are in the order of `Icon` in src/viewer/panels/icons.rs, from U+E000 on. Those of playback are filled.
"""
import sys
from fontTools import subset
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.areaPen import AreaPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

FILLED = "play pause skip-back step-back step-forward skip-forward backwards".split()
OTHERS = """eye eye-closed chevron-up chevron-down chevron-left chevron-right rotate-ccw x copy triangle-alert arrow-right-to-line
repeat arrow-left-right ellipsis folder clock bone pyramid square-dashed move-3d list-ordered arrow-up-down contrast layout-grid
checkers grid-3x3 arrow-down-from-line chart-column expand camera terminal sun circle-question-mark search focus type axis-3d
grid-2x2 route waypoints blend pin arrow-up-from-line box spline ruler""".split()
# Their places in Lucide's font.
CODES = {
    "play": 0xE13C, "pause": 0xE12E, "skip-back": 0xE15F, "step-back": 0xE3E9, "step-forward": 0xE3EA, "skip-forward":
    0xE160, "eye": 0xE0BA, "eye-closed": 0xE62E, "chevron-up": 0xE070, "chevron-down": 0xE06D, "chevron-left": 0xE06E,
    "chevron-right": 0xE06F, "rotate-ccw": 0xE148, "x": 0xE1B2, "copy": 0xE09E, "triangle-alert": 0xE193,
    "arrow-right-to-line": 0xE459, "repeat": 0xE146, "arrow-left-right": 0xE24A, "ellipsis": 0xE0B6, "folder": 0xE0D7,
    "clock": 0xE087, "bone": 0xE358, "pyramid": 0xE52C, "square-dashed": 0xE1CB, "move-3d": 0xE2E5, "list-ordered":
    0xE1D1, "arrow-up-down": 0xE37D, "contrast": 0xE09D, "layout-grid": 0xE0FF, "grid-3x3": 0xE0E9,
    "arrow-down-from-line": 0xE454, "chart-column": 0xE2A3, "expand": 0xE21A, "camera": 0xE064, "terminal": 0xE181,
    "sun": 0xE178, "circle-question-mark": 0xE082, "search": 0xE151, "focus": 0xE29E, "type": 0xE198, "axis-3d":
    0xE2FE, "grid-2x2": 0xE4FF, "route": 0xE53E, "waypoints": 0xE542, "blend": 0xE59C, "pin": 0xE259,
    "arrow-up-from-line": 0xE45A, "box": 0xE061, "spline": 0xE38B, "ruler": 0xE14B,
}

font = TTFont(sys.argv[1])
cmap = font.getBestCmap()
glyphs = font.getGlyphSet()


def contours(name):
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    found = []
    for step in pen.value:
        if step[0] == "moveTo":
            found.append([])
        found[-1].append(step)
    return found


def area(contour):
    pen = AreaPen()
    for operator, points in contour:
        getattr(pen, operator)(*points)
    return pen.value


width = font["head"].unitsPerEm
made, order = {}, []
for place, icon in enumerate(FILLED + OTHERS):
    pen = TTGlyphPen(None)
    if icon == "checkers":  # Lucide has none
        side = width // 6
        corners = [(x * side, y * side) for x, y in ((1, 1), (3, 1), (2, 2), (1, 3), (3, 3), (4, 2), (2, 4), (4, 4))]
        square = lambda x, y: [("moveTo", ((x, y),)), *(("lineTo", (at,)) for at in ((x, y + side), (x + side, y + side), (x + side, y))), ("closePath", ())]
        shown = [square(x, y) for x, y in corners]
    else:
        shown = contours(cmap[CODES["play" if icon == "backwards" else icon]])
    if icon in FILLED:  # without the inner edges of strokes
        largest = max(shown, key=lambda contour: abs(area(contour)))
        shown = [contour for contour in shown if area(contour) * area(largest) > 0]
    out = TransformPen(pen, (-1, 0, 0, 1, width, 0)) if icon == "backwards" else pen
    for contour in shown:
        for operator, points in contour:
            getattr(out, operator)(*points)
    order.append((place, pen.glyph()))

keep = subset.Subsetter(subset.Options(notdef_outline=False, layout_features=[], name_IDs=[0, 1, 2], drop_tables=["GSUB", "GPOS", "GDEF"]))
keep.populate(unicodes=sorted(cmap)[-len(order):])
keep.subset(font)
kept = font.getBestCmap()
codes = sorted(kept)
for (place, glyph), code in zip(order, codes):
    name = kept[code]
    font["glyf"][name] = glyph
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (width, getattr(glyph, "xMin", 0))
# egui's colour picker has a button with a clipboard.
font["cmap"].tables = [CmapSubtable.newSubtable(12)]
wide = font["cmap"].tables[0]
wide.platformID, wide.platEncID, wide.language, wide.format, wide.reserved, wide.length = 3, 10, 0, 12, 0, 0
wide.cmap = {0xE000 + place: kept[code] for place, code in enumerate(codes)} | {0x1F4CB: kept[codes[(FILLED + OTHERS).index("copy")]]}
font["maxp"].recalc(font)
font.save("icons.ttf")

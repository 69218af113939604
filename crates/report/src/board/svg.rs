//! A board as a self-contained SVG picture, on a surface of its own, so that it looks the same on
//! light and dark pages.

use super::board_caption;
use super::outlines::{Outline, outline};
use crate::plot::Svg;
use leitai_game::view::{Cells, Figure, MarkKind, Piece, Place, Shape, Tint, View};

/// The side of a cell in pixels.
const CELL: f64 = 40.0;

/// The radius of discs.
const RADIUS: f64 = 0.43 * CELL;

/// The style of the classes. Surface colours follow the colour scheme of the reader; pieces have an
/// edge, so that they are visible on both.
const STYLE: &str = "\
.board .ground{fill:#edd3a1}.board .a{fill:#4f9a6b}.board .b{fill:#3d7f56}\
.board.wooden .a{fill:none}.board.checkered .a{fill:#f0dcb8}.board.checkered .b{fill:#b98b5e}\
.board .line{stroke:#4a3618;stroke-width:1.5;fill:none}.board .dot{fill:#4a3618}\
.board .label{fill:#4a3618;font-family:sans-serif}\
.board .black{color:#1c1c1c}.board .white{color:#fafafa}.board .red{color:#b71c1c}\
.board .blue{color:#1a4f9c}.board .green{color:#1b6b33}.board .yellow{color:#f2c417}\
.board .disc,.board .glyph{fill:currentColor}\
.board .ring{fill:none;stroke:currentColor;stroke-width:1.2}\
.board .body{fill:currentColor;stroke:#4a3618;stroke-width:3}\
.board .ink{fill:none;stroke:#4a3618;stroke-width:2}.board .black.ink{stroke:#f4efe4}\
.board .edge{stroke:#4a3618;stroke-width:1.2}.board .token{fill:#fff6e0}\
.board .glyph{font-family:'LXGW WenKai','Noto Serif CJK TC','Songti TC',KaiTi,serif}\
.board .from,.board .to{fill:none;stroke:#0b57d0;stroke-width:3.5}\
.board .from{stroke-dasharray:5 4}.board .point{fill:#e8710a;stroke:#fff6e0;stroke-width:1.2}\
.board.squares .from,.board.squares .to{stroke:#ffd54f}\
@media(prefers-color-scheme:dark){.board .ground{fill:#a98550}\
.board .a{fill:#3b7a53}.board .b{fill:#2f6344}\
.board.checkered .a{fill:#c9b08a}.board.checkered .b{fill:#8a6641}\
.board .line,.board .edge{stroke:#241a0a}.board .dot,.board .label{fill:#1d1508}\
.board .token{fill:#efe2c4}}";

/// The picture: an SVG document, which can also be embedded in a page. Places, pieces and marks
/// have titles; the title of the picture names the side to move.
pub fn board_svg(view: &View) -> String {
    let (columns, rows) = (view.columns.len() as f64, view.rows.len() as f64);
    let [width, height] = [columns, rows].map(|cells| cells * CELL);
    // Labels must be readable at a width of 300 pixels.
    let font = (width / 27.0).max(15.0);
    let longest = view.rows.iter().map(|label| label.chars().count()).max();
    let left = font * (0.6 * longest.unwrap_or(0) as f64 + 0.7);
    let right = 0.5 * font;
    let caption = board_caption(view);
    let whole = [
        left + width + right,
        right + height + 1.5 * font * (1.0 + caption.len() as f64),
    ];
    let drawing = Drawing {
        view,
        origin: [left, right],
    };
    let title = format!("{}: {}", view.game, caption.join("; "));
    let mut svg = Svg::new(whole[0], whole[1], &title);
    svg.cell("ground", [0.0, 0.0], whole);
    drawing.cells(&mut svg);
    drawing.lines(&mut svg);
    drawing.labels(&mut svg, font);
    for piece in &view.pieces {
        drawing.piece(&mut svg, piece);
    }
    drawing.marks(&mut svg);
    for (line, words) in (2..).zip(caption) {
        let longest = whole[0] / (0.56 * words.chars().count() as f64);
        let at = [
            whole[0] / 2.0,
            right + height + 1.5 * font * f64::from(line) - 0.5 * font,
        ];
        svg.sized(at, font.min(longest), "label", &words);
    }
    let class = match view.cells {
        Cells::Points => "board points",
        Cells::Squares => "board squares",
        Cells::Wooden => "board wooden",
        Cells::Checkered => "board checkered",
    };
    svg.finish_styled(class, STYLE)
}

struct Drawing<'a> {
    view: &'a View,
    /// The upper left corner of the first cell.
    origin: [f64; 2],
}

impl Drawing<'_> {
    /// The middle of a cell.
    fn middle(&self, place: Place) -> [f64; 2] {
        self.at(place, 0.5)
    }

    /// The point of this place on lines and for dots.
    fn crossing(&self, place: Place) -> [f64; 2] {
        match self.view.cells {
            Cells::Points => self.middle(place),
            Cells::Squares | Cells::Wooden | Cells::Checkered => self.at(place, 0.0),
        }
    }

    /// A point of a cell by its distance from the upper left corner, in cells.
    fn at(&self, place: Place, inside: f64) -> [f64; 2] {
        let [left, top] = self.origin;
        let [column, row] = [place.column, place.row].map(|it| it as f64 + inside);
        [left + CELL * column, top + CELL * row]
    }

    fn cells(&self, svg: &mut Svg) {
        if self.view.cells == Cells::Points {
            return;
        }
        for row in 0..self.view.rows.len() {
            for column in 0..self.view.columns.len() {
                // The lower left square is dark.
                let is_dark = (column + self.view.rows.len() - row) % 2 == 1;
                let class = match self.view.cells {
                    Cells::Checkered if is_dark => "b",
                    Cells::Checkered => "a",
                    _ => "a edge",
                };
                svg.cell(class, self.at(Place::new(column, row), 0.0), [CELL; 2]);
            }
        }
    }

    fn lines(&self, svg: &mut Svg) {
        for line in &self.view.lines {
            svg.curve("line", &line.map(|place| self.crossing(place)));
        }
        for &dot in &self.view.dots {
            svg.disc("dot", self.crossing(dot), 0.11 * CELL);
        }
    }

    fn labels(&self, svg: &mut Svg, font: f64) {
        let (rows, columns) = (&self.view.rows, &self.view.columns);
        for (row, label) in rows.iter().enumerate() {
            let [left, y] = self.middle(Place::new(0, row));
            let x = 0.45 * (left - CELL / 2.0);
            svg.sized([x, y + 0.36 * font], font, "label", label);
        }
        for (column, label) in columns.iter().enumerate() {
            let [x, bottom] = self.at(Place::new(column, rows.len()), 0.0);
            let at = [x + CELL / 2.0, bottom + 1.05 * font];
            svg.sized(at, font, "label", label);
        }
    }

    fn piece(&self, svg: &mut Svg, piece: &Piece) {
        let figure = &piece.figure;
        let words = [piece.side.unwrap_or_default(), figure.name, &piece.at];
        let words: Vec<&str> = words.into_iter().filter(|it| !it.is_empty()).collect();
        let middle = self.middle(piece.place);
        svg.group("piece", &words.join(" "), |svg| draw(svg, figure, middle));
    }

    fn marks(&self, svg: &mut Svg) {
        for mark in &self.view.marks {
            let [x, y] = self.middle(mark.place);
            match mark.kind {
                MarkKind::From => svg.disc("from", [x, y], 0.46 * CELL),
                MarkKind::To => svg.disc("to", [x, y], 0.46 * CELL),
                MarkKind::Check => svg.disc("check", [x, y], 0.46 * CELL),
                MarkKind::Point => {
                    let [far, down] = [0.24 * CELL, 0.14 * CELL];
                    let corners = [
                        [x, y - 2.0 * down],
                        [x + far, y + down],
                        [x - far, y + down],
                    ];
                    svg.area("point", &corners);
                }
            }
        }
    }
}

fn draw(svg: &mut Svg, figure: &Figure, [x, y]: [f64; 2]) {
    let tint = match figure.tint {
        Tint::Black => "black",
        Tint::White => "white",
        Tint::Red => "red",
        Tint::Blue => "blue",
        Tint::Green => "green",
        Tint::Yellow => "yellow",
    };
    let glyph = figure.glyph.to_string();
    // Height of the middle of Chinese characters above their base line.
    let write = |svg: &mut Svg, size: f64, body: &str| match outline(figure.glyph) {
        None => svg.sized([x, y + 0.36 * size], size, &format!("glyph {tint}"), &glyph),
        Some(Outline { path, ink }) => {
            svg.outline(&format!("{body} {tint}"), path, [x, y], size);
            if let Some(ink) = ink {
                svg.outline(&format!("ink {tint}"), ink, [x, y], size);
            }
        }
    };
    match figure.shape {
        Shape::Disc => svg.disc(&format!("edge disc {tint}"), [x, y], RADIUS),
        Shape::Token => {
            svg.disc("edge token", [x, y], RADIUS);
            svg.disc(&format!("ring {tint}"), [x, y], RADIUS - 3.0);
            write(svg, 0.62 * CELL, "glyph");
        }
        Shape::Glyph => write(svg, 0.9 * CELL, "body"),
        Shape::WedgeUp | Shape::WedgeDown => {
            let is_turned = figure.shape == Shape::WedgeDown;
            let sign = if is_turned { -CELL } else { CELL };
            let corners = WEDGE.map(|[across, down]| [x + sign * across, y + sign * down]);
            svg.area("edge token", &corners);
            let turned = |svg: &mut Svg| write(svg, 0.56 * CELL, "glyph");
            if is_turned {
                svg.turned([x, y], turned);
            } else {
                turned(svg);
            }
        }
    }
}

/// The corners of a piece of Shogi in cells, from its middle.
const WEDGE: [[f64; 2]; 5] = [
    [0.0, -0.46],
    [0.3, -0.32],
    [0.4, 0.42],
    [-0.4, 0.42],
    [-0.3, -0.32],
];

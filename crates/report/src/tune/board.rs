//! Numbers on the board of a game.

use super::palette::Scale;
use crate::plot::{Anchor, Svg};
use leitai_game::numbers::{Board, Look};

/// A board with a number on each square; squares without a number are blank.
pub(super) struct Figure<'a> {
    pub(super) board: &'a Board,
    pub(super) title: &'a str,
    /// The numbers in reading order.
    pub(super) values: &'a [Option<i64>],
    pub(super) scale: Scale,
    /// Formats a number.
    pub(super) write: fn(i64) -> String,
    /// Returns the tooltip of a square, without its name.
    pub(super) tip: &'a dyn Fn(usize) -> String,
}

/// A number with its place and colour on the board.
struct Mark<'a> {
    row: usize,
    column: usize,
    text: String,
    class: &'a str,
}

impl Figure<'_> {
    pub(super) fn draw(&self) -> String {
        match self.board.look {
            Look::Squares => self.on_squares(),
            Look::Points { river, palaces } => {
                let (after, words) = river;
                let points = Points {
                    columns: self.board.columns,
                    rows: self.rows(),
                    river: after,
                };
                self.on_points(&points, words, palaces)
            }
        }
    }

    fn rows(&self) -> usize {
        self.board.squares.len() / self.board.columns.max(1)
    }

    /// The file letters and the rank numbers.
    fn labels(&self) -> (Vec<&str>, Vec<&str>) {
        let names = self.board.squares.iter().map(|name| name.split_at(1));
        let files = names.clone().take(self.board.columns).map(|(file, _)| file);
        let rows = names.step_by(self.board.columns.max(1)).map(|(_, row)| row);
        (files.collect(), rows.collect())
    }

    /// Draws each number by `mark`.
    fn marks(&self, svg: &mut Svg, mark: impl Fn(&mut Svg, &Mark<'_>)) {
        for (square, (value, name)) in self.values.iter().zip(&self.board.squares).enumerate() {
            let Some(value) = *value else { continue };
            let tip = format!("{name}: {}", (self.tip)(square));
            let text = (self.write)(value);
            let is_long = text.chars().count() > 4;
            let drawn = Mark {
                row: square / self.board.columns,
                column: square % self.board.columns,
                text,
                class: if is_long { "long" } else { "value" },
            };
            svg.group(&self.scale.class(value), &tip, |svg| mark(svg, &drawn));
        }
    }

    fn on_squares(&self) -> String {
        const SIDE: f64 = 44.0;
        const LEFT: f64 = 32.0;
        const TOP: f64 = 26.0;
        let [width, height] = [self.board.columns, self.rows()].map(|count| SIDE * count as f64);
        let height = TOP + height + 44.0;
        let mut svg = Svg::new(LEFT + width + 16.0, height, self.title);
        let (files, rows) = self.labels();
        let middle = |place: usize| SIDE * (place as f64 + 0.5);
        for place in 0..files.len().max(rows.len()) {
            if let Some(file) = files.get(place) {
                let above = [LEFT + middle(place), TOP - 8.0];
                svg.label(above, Anchor::Middle, "tick", file);
            }
            if let Some(row) = rows.get(place) {
                let beside = [LEFT - 12.0, TOP + middle(place) + 4.0];
                svg.label(beside, Anchor::Middle, "tick", row);
            }
        }
        self.marks(&mut svg, |svg, mark| {
            let corner = [
                LEFT + SIDE * mark.column as f64,
                TOP + SIDE * mark.row as f64,
            ];
            svg.cell("square", corner, [SIDE; 2]);
            let middle = [corner[0] + 0.5 * SIDE, corner[1] + 0.5 * SIDE + 4.5];
            svg.label(middle, Anchor::Middle, "value", &mark.text);
        });
        let below = [LEFT + 0.5 * width, height - 24.0];
        self.scale.draw(&mut svg, below, self.write);
        svg.finish_in_page("board")
    }

    fn on_points(
        &self,
        points: &Points,
        words: [(usize, &str); 2],
        palaces: [[usize; 4]; 2],
    ) -> String {
        const RADIUS: f64 = 17.5;
        let (right, bottom) = (points.columns - 1, points.rows - 1);
        let height = points.y(bottom) + 88.0;
        let mut svg = Svg::new(Points::x(right) + 28.0, height, self.title);
        points.lines(&mut svg, palaces);
        let middle = f64::midpoint(points.y(points.river), points.y(points.river + 1)) + 6.0;
        for (column, words) in words {
            svg.label([Points::x(column), middle], Anchor::Middle, "river", words);
        }
        let (files, rows) = self.labels();
        for (row, name) in rows.iter().enumerate() {
            svg.label([14.0, points.y(row) + 4.0], Anchor::Middle, "tick", name);
        }
        for (column, letter) in files.iter().enumerate() {
            let below = [Points::x(column), points.y(bottom) + 34.0];
            svg.label(below, Anchor::Middle, "tick", letter);
        }
        self.marks(&mut svg, |svg, mark| {
            let at = [Points::x(mark.column), points.y(mark.row)];
            svg.disc("disc", at, RADIUS);
            svg.label([at[0], at[1] + 4.5], Anchor::Middle, mark.class, &mark.text);
        });
        let below = [Points::x(right / 2), height - 22.0];
        self.scale.draw(&mut svg, below, self.write);
        svg.finish_in_page("board")
    }
}

/// A board whose pieces stand on the intersections of lines.
struct Points {
    columns: usize,
    rows: usize,
    /// The row above the river.
    river: usize,
}

impl Points {
    /// Distance of two lines.
    const STEP: f64 = 41.0;
    /// Extra width of the river, so that its name is readable.
    const RIVER: f64 = 19.0;
    const LEFT: f64 = 44.0;
    const TOP: f64 = 24.0;

    fn x(column: usize) -> f64 {
        Self::LEFT + Self::STEP * column as f64
    }

    fn y(&self, row: usize) -> f64 {
        let river = if row > self.river { Self::RIVER } else { 0.0 };
        Self::TOP + Self::STEP * row as f64 + river
    }

    /// Draws the lines of the board: files that end at the river, ranks, palaces.
    fn lines(&self, svg: &mut Svg, palaces: [[usize; 4]; 2]) {
        let (x, y) = (Self::x, |row| self.y(row));
        let (right, bottom) = (self.columns - 1, self.rows - 1);
        let corner = [x(0) - 5.0, y(0) - 5.0];
        let size = [x(right) - x(0) + 10.0, y(bottom) - y(0) + 10.0];
        svg.cell("rim", corner, size);
        for row in 0..self.rows {
            svg.curve("wood", &[[x(0), y(row)], [x(right), y(row)]]);
        }
        for file in 0..self.columns {
            if file == 0 || file == right {
                svg.curve("wood", &[[x(file), y(0)], [x(file), y(bottom)]]);
            } else {
                svg.curve("wood", &[[x(file), y(0)], [x(file), y(self.river)]]);
                svg.curve(
                    "wood",
                    &[[x(file), y(self.river + 1)], [x(file), y(bottom)]],
                );
            }
        }
        for [left, right, top, bottom] in palaces {
            svg.curve("wood", &[[x(left), y(top)], [x(right), y(bottom)]]);
            svg.curve("wood", &[[x(left), y(bottom)], [x(right), y(top)]]);
        }
    }
}

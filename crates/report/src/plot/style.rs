//! Styles that distinguish the series of a plot.

/// Colours that remain distinguishable with colour blindness, and contrast with white (Okabe and
/// Ito, 2008).
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// Dashes of lines; the first is a solid line.
const DASHES: [&str; 5] = ["", "9 3", "2 3", "9 3 2 3", "9 3 2 3 2 3"];

/// The number of shapes of marks.
pub(crate) const SHAPES: usize = 4;

/// Colour, shape and dash of one series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The colour of line and marks, as `#rrggbb`.
    pub colour: &'static str,
    pub(crate) shape: usize,
    dash: &'static str,
}

impl Style {
    /// The style of the series with this index.
    ///
    /// Neighbours have different shapes, so that a plot of a few series needs no colours. Of the
    /// first 24 no two have the same mark, of the first 30 no two the same line, and of the first
    /// 120 no two both.
    pub fn of(index: usize) -> Self {
        let (round, colour) = (index / COLOURS.len(), index % COLOURS.len());
        // Each round of colours begins with another shape.
        let shape = colour + (SHAPES - round % SHAPES);
        Self {
            colour: COLOURS[colour],
            shape: shape % SHAPES,
            dash: DASHES[round % DASHES.len()],
        }
    }

    /// The attributes of a line of this width.
    pub fn line(&self, width: f64) -> String {
        match self.dash {
            "" => format!("stroke-width=\"{width}\""),
            dash => format!("stroke-width=\"{width}\" stroke-dasharray=\"{dash}\""),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::Hash;

    use super::*;

    fn different<T: Hash + Eq>(count: usize, of: impl Fn(Style) -> T) -> bool {
        let all: HashSet<T> = (0..count).map(|index| of(Style::of(index))).collect();
        all.len() == count
    }

    #[test]
    fn series_are_distinguishable() {
        assert!(different(4, |style| style.shape));
        assert!(different(24, |style| (style.colour, style.shape)));
        assert!(different(30, |style| (style.colour, style.dash)));
        let whole = |style: Style| (style.colour, style.shape, style.dash);
        assert!(different(120, whole));
        for index in 0..200 {
            assert_ne!(
                Style::of(index).shape,
                Style::of(index + 1).shape,
                "{index}"
            );
        }
        assert_eq!(Style::of(0).line(2.0), "stroke-width=\"2\"");
    }
}

//! The points of the board and their names.

/// The distance between two rows in a padded index: 19 points and one border point.
pub(super) const STRIDE: u16 = 20;

/// The letters of the columns in names, without `I`.
pub(super) const LETTERS: &[u8; 19] = b"ABCDEFGHJKLMNOPQRST";

/// A point of the board as a padded index: 20 × (row + 1) + (column + 1), where row 0 is the top
/// one. It does not depend on the board size, and its neighbours are always 1 and 20 away. All
/// other indices are border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub u16);

impl Point {
    /// The point of a column and a row, each 0 to 18, counted from the left and from the top.
    #[inline]
    pub const fn new(col: u8, row: u8) -> Point {
        Point(STRIDE * (row as u16 + 1) + col as u16 + 1)
    }

    /// The column, 0 at the left; meaningless for border points.
    #[inline]
    pub const fn col(self) -> u8 {
        (self.0 % STRIDE).wrapping_sub(1) as u8
    }

    /// The row, 0 at the top; meaningless for border points.
    #[inline]
    pub const fn row(self) -> u8 {
        (self.0 / STRIDE).wrapping_sub(1) as u8
    }

    /// Returns whether this is a point of a board of `size`.
    #[inline]
    pub const fn is_on(self, size: u8) -> bool {
        self.col() < size && self.row() < size
    }

    /// The four neighbours, in ascending order. At the edge of the board some are border points.
    #[inline]
    pub const fn neighbours(self) -> [Point; 4] {
        [
            Point(self.0.wrapping_sub(STRIDE)),
            Point(self.0.wrapping_sub(1)),
            Point(self.0.wrapping_add(1)),
            Point(self.0.wrapping_add(STRIDE)),
        ]
    }

    /// The four diagonal neighbours, in ascending order. At the edge of the board some are border
    /// points.
    #[inline]
    pub const fn diagonals(self) -> [Point; 4] {
        [
            Point(self.0.wrapping_sub(STRIDE + 1)),
            Point(self.0.wrapping_sub(STRIDE - 1)),
            Point(self.0.wrapping_add(STRIDE - 1)),
            Point(self.0.wrapping_add(STRIDE + 1)),
        ]
    }

    /// The name on a board of `size`, as in GTP: a letter for the column without `I`, and the row
    /// counted from the bottom, as `D6`. `?` for points outside the board.
    pub fn name(self, size: u8) -> String {
        match LETTERS.get(usize::from(self.col())) {
            Some(&letter) if self.is_on(size) => {
                format!("{}{}", char::from(letter), size - self.row())
            }
            _ => "?".to_owned(),
        }
    }

    /// The point of a name like `D6` or `d6` on a board of `size`.
    pub fn from_name(name: &str, size: u8) -> Option<Point> {
        let (&letter, digits) = name.as_bytes().split_first()?;
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let letter = letter.to_ascii_uppercase();
        let col = LETTERS.iter().position(|&it| it == letter)? as u8;
        let number: u8 = name.get(1..)?.parse().ok()?;
        let row = size.checked_sub(number)?;
        (size <= 19 && col < size && row < size).then(|| Point::new(col, row))
    }

    /// The name in SGF: two letters without gaps, `aa` at the top left. Empty for border points.
    pub fn sgf(self) -> String {
        if !self.is_on(19) {
            return String::new();
        }
        [self.col(), self.row()]
            .map(|it| char::from(b'a' + it))
            .iter()
            .collect()
    }

    /// The point of an SGF name on a board of `size`.
    pub fn from_sgf(name: &str, size: u8) -> Option<Point> {
        let &[col, row] = name.as_bytes() else {
            return None;
        };
        let (col, row) = (col.checked_sub(b'a')?, row.checked_sub(b'a')?);
        (size <= 19 && col < size && row < size).then(|| Point::new(col, row))
    }

    /// The points of a board of `size`, row by row from the top.
    pub fn all(size: u8) -> impl Iterator<Item = Point> {
        let size = size.min(19);
        (0..size).flat_map(move |row| (0..size).map(move |col| Point::new(col, row)))
    }
}

//! The information in the name and the header of a table: its pieces, and their order in the index
//! of a position.
//!
//! The format is that of Ronald de Man's win-draw-loss tables, described here only as far as the
//! crate that reads them depends on it.

/// The pieces of a table, from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material {
    /// The number of each piece: white ones from 1 (pawn) to 6 (king), black ones from 9 to 14.
    count: [u8; 16],
}

const LETTERS: &str = " PNBRQK";
const WHITE_PAWN: usize = 1;
const BLACK_PAWN: usize = 9;
const KINGS: [u8; 2] = [6, 14];

impl Material {
    /// The pieces of a name such as `KQPvKR`; `None` if no table has the name: each side has its
    /// pieces from the queen down, and the stronger side comes first.
    pub(super) fn of(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut count = [0; 16];
        let mut sides = [Vec::new(), Vec::new()];
        for (place, side) in [white, black].into_iter().enumerate() {
            for letter in side.chars() {
                let piece = LETTERS.find(letter).filter(|&piece| piece > 0)?;
                sides[place].push(std::cmp::Reverse(piece));
                count[8 * place + piece] += 1;
            }
        }
        let [white, black] = sides;
        let is_sorted = white.is_sorted() && black.is_sorted();
        let is_first = white.len() > black.len() || (white.len() == black.len() && white <= black);
        let kings = KINGS.map(|king| count[usize::from(king)]);
        let material = Self { count };
        let is_known = is_sorted && is_first && kings == [1, 1];
        (is_known && (3..=7).contains(&material.pieces())).then_some(material)
    }

    pub(super) fn pieces(&self) -> u32 {
        self.count.iter().copied().map(u32::from).sum()
    }

    pub(super) fn has_pawns(&self) -> bool {
        self.count[WHITE_PAWN] + self.count[BLACK_PAWN] > 0
    }

    /// Returns whether both sides have the same pieces.
    pub(super) fn is_symmetric(&self) -> bool {
        self.count[..8] == self.count[8..]
    }

    /// The numbers of pawns: of the side whose pawns lead, and of the other.
    fn pawns(&self) -> [u8; 2] {
        let (white, black) = (self.count[WHITE_PAWN], self.count[BLACK_PAWN]);
        if black > 0 && (white == 0 || white > black) {
            [black, white]
        } else {
            [white, black]
        }
    }

    /// Bytes of the list of pieces: the pieces, and the order of one or two leading groups.
    pub(super) fn list_length(&self) -> usize {
        self.pieces() as usize + 1 + usize::from(self.pawns()[1] > 0)
    }

    /// The number of positions of a table with this list of pieces; the list is in the lower or the
    /// upper halves of the bytes. `file` is the file, 0 to 3, of the first pawn.
    pub(super) fn positions(&self, list: &[u8], upper: bool, file: usize) -> Option<u64> {
        let half = |byte: &u8| if upper { byte >> 4 } else { byte & 15 };
        let list: Vec<u8> = list.iter().map(half).collect();
        let [first, second] = self.pawns();
        let (orders, pieces) = list.split_at_checked(list.len() - self.pieces() as usize)?;
        let mut groups = self.groups(pieces)?.into_iter();
        let leading = if self.has_pawns() {
            let pawns = groups.next()?;
            let is_led = matches!(usize::from(pawns.0), WHITE_PAWN | BLACK_PAWN);
            (is_led && pawns.1 == first).then_some(())?;
            usize::from(first)
        } else {
            // The two kings if no other piece is single, otherwise three single pieces.
            let singles = (0..16).filter(|&piece| self.count[piece] == 1).count();
            let leading = if singles == 2 { 2 } else { 3 };
            for _ in 0..leading {
                let (piece, count) = groups.next()?;
                (count == 1 && (leading == 3 || KINGS.contains(&piece))).then_some(())?;
            }
            leading
        };
        if second > 0 {
            let (pawn, count) = groups.next()?;
            let is_pawn = matches!(usize::from(pawn), WHITE_PAWN | BLACK_PAWN);
            (is_pawn && count == second).then_some(())?;
        }
        let others: Vec<u64> = groups.map(|(_, count)| u64::from(count)).collect();
        // Each group has its own position in the order.
        let places = others.len() + orders.len();
        let is_sound = orders.iter().all(|&order| usize::from(order) < places)
            && (orders.len() < 2 || orders[0] != orders[1]);
        is_sound.then_some(())?;
        let mut size = if self.has_pawns() {
            leading_pawns(leading as u64, file)
        } else if leading == 2 {
            462
        } else {
            31_332
        };
        let mut squares = 64 - leading as u64;
        if second > 0 {
            size *= choose(48 - leading as u64, u64::from(second));
            squares -= u64::from(second);
        }
        for count in others {
            size *= choose(squares, count);
            squares -= count;
        }
        Some(size)
    }

    /// Groups of equal pieces with their numbers; `None` if the pieces differ from the table's, or
    /// equal ones are not adjacent.
    fn groups(&self, pieces: &[u8]) -> Option<Vec<(u8, u8)>> {
        let groups = pieces.chunk_by(|one, next| one == next);
        let groups: Vec<(u8, u8)> = groups.map(|like| (like[0], like.len() as u8)).collect();
        let all = groups.iter().all(|&(piece, count)| {
            let known = self.count.get(usize::from(piece)).copied();
            known == Some(count)
        });
        (all && pieces.len() == self.pieces() as usize).then_some(groups)
    }
}

/// The number of placements of `count` equal pieces on `squares` squares.
fn choose(squares: u64, count: u64) -> u64 {
    (0..count).fold(1, |ways, taken| {
        ways * squares.saturating_sub(taken) / (taken + 1)
    })
}

/// The number of placements of `count` pawns of one side whose leading one is on a file.
fn leading_pawns(count: u64, file: usize) -> u64 {
    // The leading pawn of a group is nearest to the edge, and then furthest down: after it in this
    // order there are 47 squares for one on a2 and 2 fewer on each next rank.
    let behind = |rank: usize| 47 - 12 * file as u64 - 2 * rank as u64;
    (0..6).map(|rank| choose(behind(rank), count - 1)).sum()
}

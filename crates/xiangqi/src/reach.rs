//! Squares that each kind of piece can ever reach.

use super::tables::{ADVISOR, ELEPHANT, HORSE, KING, PAWN};
use super::{Kind, Square};

/// Start squares of a kind: rank 0 of these files.
const fn home(files: &[usize]) -> u128 {
    let (mut set, mut at) = (0, 0);
    while at < files.len() {
        set |= 1 << files[at];
        at += 1;
    }
    set
}

impl Kind {
    /// The squares that a red piece of this kind can reach from its start squares, by any number of
    /// moves on an otherwise empty board: 9 for a king, 5 for an advisor, 7 for an elephant, 55 for
    /// a pawn, 90 for others.
    pub fn reach(self) -> impl Iterator<Item = Square> {
        let (start, steps): (u128, fn(usize) -> u128) = match self {
            Kind::King => (home(&[4]), |from| KING[from]),
            Kind::Advisor => (home(&[3, 5]), |from| ADVISOR[from]),
            Kind::Elephant => (home(&[2, 6]), |from| ELEPHANT[from][0]),
            Kind::Horse => (home(&[1, 7]), |from| HORSE[from][0]),
            Kind::Rook | Kind::Cannon => (u128::MAX, |_| 0),
            Kind::Pawn => (home(&[0, 2, 4, 6, 8]) << 27, |from| PAWN[0][from]),
        };
        let squares = || (0..Square::COUNT).map(Square::of);
        let mut reached = start;
        loop {
            let more = squares()
                .filter(|square| reached & square.bit() != 0)
                .fold(reached, |set, square| set | steps(square.index()));
            if more == reached {
                break;
            }
            reached = more;
        }
        squares().filter(move |square| reached & square.bit() != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reaches_its_squares() {
        let counts = Kind::ALL.iter().map(|kind| kind.reach().count());
        assert_eq!(counts.collect::<Vec<_>>(), [9, 5, 7, 90, 90, 90, 55]);
        let names = |kind: Kind| {
            let names: Vec<String> = kind.reach().map(|square| square.to_string()).collect();
            names.join(" ")
        };
        assert_eq!(names(Kind::Advisor), "d0 f0 e1 d2 f2");
        assert_eq!(names(Kind::Elephant), "c0 g0 a2 e2 i2 c4 g4");
        let pawn = names(Kind::Pawn);
        assert!(
            pawn.starts_with("a3 c3 e3 g3 i3 a4 c4 e4 g4 i4 a5 b5 c5"),
            "{pawn}"
        );
    }
}

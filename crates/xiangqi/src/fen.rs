//! FEN: ten rows from rank 9 down, red in upper case, side to move, and the two counters.

use super::board::{Piece, Xiangqi};
use super::kind::Kind;
use super::square::Square;
use super::tables::{PALACE, RED_HALF};
use super::zobrist;
use leitai_game::{Position, PositionError, Side, fen_rows};

/// Maximum number of plies without a capture in a position: one more would have ended the game.
const MAX_CLOCK: u16 = 119;

/// Reads a FEN with either set of letters (`B`/`E`, `N`/`H`), with side `w`, `r` or `b`. The two
/// fields for castling and en passant of chess are optional; missing counters are 0 and 1.
pub(super) fn parse(text: &str) -> Result<Xiangqi, PositionError> {
    let wrong = |reason| PositionError::new(text, reason);
    let mut position = read(text).map_err(wrong)?;
    match judge(&mut position) {
        Ok(()) => Ok(position),
        Err(reason) => Err(wrong(reason).showing(position.view(None))),
    }
}

/// Reads the pieces; [`judge`] checks the position.
fn read(text: &str) -> Result<Xiangqi, String> {
    let mut fields = text.split_whitespace();
    let mut position = Xiangqi::empty();
    place(&mut position, fields.next().ok_or("no board")?)?;
    position.to_move = match fields.next() {
        Some("w" | "W" | "r" | "R") => Side::First,
        Some("b" | "B") => Side::Second,
        Some(other) => return Err(format!("side to move `{other}` is neither `w` nor `b`")),
        None => return Err("no side to move (`w` or `b`)".to_owned()),
    };
    let mut numbers = fields.filter(|&field| field != "-");
    position.clock.counted = counter(numbers.next(), 0, MAX_CLOCK, "half-move clock")?;
    position.move_number =
        counter(numbers.next(), 1, 100_000, "move number").map(|number: u32| number.max(1))?;
    if let Some(extra) = numbers.next() {
        return Err(format!("unexpected field `{extra}`"));
    }
    Ok(position)
}

/// The symmetric key of the position in the first two fields of a line, legal or not.
pub(super) fn text_key(line: &str) -> Option<u64> {
    let mut words = line.split(';').next()?.split_whitespace();
    let (board, side) = (words.next()?, words.next()?);
    let position = read(&format!("{board} {side}")).ok()?;
    Some(zobrist::key(&position).min(zobrist::mirrored_key(&position)))
}

/// Checks that the position is legal, and completes it.
fn judge(position: &mut Xiangqi) -> Result<(), String> {
    validate(position)?;
    position.settle();
    let us = position.to_move;
    if position.is_attacked(position.kings[us.other().index()], us) {
        return Err("the side not to move is in check, or the kings face each other".to_owned());
    }
    Ok(())
}

fn counter<T>(field: Option<&str>, default: T, max: T, what: &str) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    let Some(field) = field else {
        return Ok(default);
    };
    match field.parse() {
        Ok(value) if value <= max => Ok(value),
        Ok(_) => Err(format!("{what} {field} is above {max}")),
        Err(_) => Err(format!("{what} `{field}` is not a number from 0 to {max}")),
    }
}

fn place(position: &mut Xiangqi, board: &str) -> Result<(), String> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 10 {
        return Err(format!("{} ranks instead of 10", rows.len()));
    }
    for (row, rank) in rows.iter().zip((0..10).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(skip @ 1..=9) = letter.to_digit(10) {
                file += skip as i32;
                continue;
            }
            let kind = Kind::from_letter(letter)
                .filter(|_| letter.is_ascii())
                .ok_or_else(|| format!("`{letter}` on rank {rank} is not a piece"))?;
            let side = if letter.is_ascii_uppercase() {
                Side::First
            } else {
                Side::Second
            };
            let square = Square::at(file, rank)
                .ok_or_else(|| format!("rank {rank} has more than 9 files"))?;
            position.put(square, Piece { side, kind });
            file += 1;
        }
        if file != 9 {
            return Err(format!("rank {rank} has {file} files instead of 9"));
        }
    }
    Ok(())
}

/// Rejects positions that no sequence of moves can reach.
fn validate(position: &Xiangqi) -> Result<(), String> {
    for side in Side::BOTH {
        let name = ["red", "black"][side.index()];
        for &kind in Kind::ALL {
            let set = position.set(side, kind);
            let (count, most) = (
                set.count_ones(),
                match kind {
                    Kind::King => 1,
                    Kind::Pawn => 5,
                    _ => 2,
                },
            );
            if count > most {
                return Err(format!("{count} {name} {}s, at most {most}", kind.name()));
            }
            if kind == Kind::King && count == 0 {
                return Err(format!("no {name} king"));
            }
            if let Some(square) =
                super::square::squares(set).find(|&square| !can_stand(side, kind, square))
            {
                return Err(format!("a {name} {} cannot stand on {square}", kind.name()));
            }
        }
        let half = if side == Side::First {
            RED_HALF
        } else {
            !RED_HALF
        };
        let home = position.set(side, Kind::Pawn) & half;
        for file in 0..9 {
            let on_file = super::square::squares(home).filter(|square| square.file() == file);
            if on_file.count() > 1 {
                let file = (b'a' + file as u8) as char;
                return Err(format!(
                    "two {name} pawns on the {file} file before the river"
                ));
            }
        }
    }
    Ok(())
}

fn can_stand(side: Side, kind: Kind, square: Square) -> bool {
    // Files and ranks from the side's own point of view.
    let seen = if side == Side::First {
        square
    } else {
        square.rotated()
    };
    let (file, rank) = (seen.file(), seen.rank());
    match kind {
        Kind::King => PALACE & seen.bit() != 0 && rank <= 2,
        Kind::Advisor => PALACE & seen.bit() != 0 && rank <= 2 && (file + rank) % 2 == 1,
        Kind::Elephant => match rank {
            0 | 4 => file == 2 || file == 6,
            2 => file == 0 || file == 4 || file == 8,
            _ => false,
        },
        Kind::Pawn => rank >= 5 || (rank >= 3 && file.is_multiple_of(2)),
        Kind::Horse | Kind::Rook | Kind::Cannon => true,
    }
}

/// Writes the FEN with the letters `B` and `N`.
pub(super) fn write(position: &Xiangqi) -> String {
    let letter = |file, rank| {
        let piece = position.piece_at(Square::at(file, rank)?)?;
        let letter = piece.kind.letter();
        Some(match piece.side {
            Side::First => letter,
            Side::Second => letter.to_ascii_lowercase(),
        })
    };
    let ranks = (0..10).rev();
    let text = fen_rows(ranks.map(|rank| (0..9).map(move |file| letter(file, rank))));
    let side = if position.to_move == Side::First {
        'w'
    } else {
        'b'
    };
    format!(
        "{text} {side} - - {} {}",
        position.clock.counted, position.move_number
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    #[test]
    fn both_letter_schools_and_short_forms_read_alike() {
        let start = Xiangqi::from_fen(START).unwrap();
        assert_eq!(start.to_fen(), START);
        for text in [
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/45/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 0",
        ] {
            assert_eq!(Xiangqi::from_fen(text).unwrap(), start, "{text}");
        }
    }

    #[test]
    fn impossible_settings_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "no board"),
            ("4k4/9/9 w", "3 ranks instead of 10"),
            ("4k4/9/9/9/9/9/9/9/9/4K5 w", "rank 0 has 10 files"),
            ("4k4/9/9/9/9/9/9/9/9/4K4R w", "rank 0 has more than 9 files"),
            ("4k4/9/9/9/9/9/9/9/9/4K3 w", "rank 0 has 8 files"),
            ("4k4/9/9/9/9/9/9/9/9/4X4 w", "`X` on rank 0 is not a piece"),
            ("4k4/9/9/9/9/9/9/9/9/5K3", "no side to move"),
            ("4k4/9/9/9/9/9/9/9/9/5K3 x", "side to move `x`"),
            ("4k4/9/9/9/9/9/9/9/9/9 w", "no red king"),
            ("4k4/9/9/9/9/9/9/9/4K4/4KR3 w", "2 red kings"),
            ("4k4/9/9/9/9/9/9/R8/R8/R4K3 w", "3 red rooks, at most 2"),
            ("4k4/9/9/9/9/4K4/9/9/9/9 w", "a red king cannot stand on e4"),
            ("3k5/9/9/9/9/9/9/9/9/4KA3 w", ""),
            (
                "3k5/9/9/9/9/9/9/9/5A3/4K4 w",
                "a red advisor cannot stand on f1",
            ),
            (
                "3k5/9/9/9/9/9/9/9/2B6/4K4 w",
                "a red elephant cannot stand on c1",
            ),
            (
                "3k5/9/9/9/9/9/1P7/9/9/4K4 w",
                "a red pawn cannot stand on b3",
            ),
            (
                "3k5/9/9/9/9/9/9/P8/9/4K4 w",
                "a red pawn cannot stand on a2",
            ),
            ("3k5/9/9/9/9/P8/P8/9/9/4K4 w", "two red pawns on the a file"),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other"),
            ("4k4/9/9/9/4R4/9/9/9/9/5K3 w", "in check"),
            (
                "4k4/9/9/9/4R4/9/9/9/9/5K3 b - - 120 1",
                "half-move clock 120 is above 119",
            ),
            ("4k4/9/9/9/4R4/9/9/9/9/5K3 b - - x 1", "half-move clock `x`"),
            (
                "4k4/9/9/9/4R4/9/9/9/9/5K3 b - - 0 1 9",
                "unexpected field `9`",
            ),
        ] {
            match Xiangqi::from_fen(text) {
                Ok(_) => assert_eq!(reason, "", "{text}"),
                Err(error) => {
                    assert!(
                        !reason.is_empty() && error.reason.contains(reason),
                        "{text}: {error}"
                    );
                }
            }
        }
    }
}

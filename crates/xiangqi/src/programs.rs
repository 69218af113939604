//! Programs that play Xiangqi, and their notations of moves and positions.
//!
//! Leitai writes moves as `h2e2` (files a to i, ranks 0 to 9) and FENs with the letters `B` and `N`
//! in six fields.

use leitai_game::card::{KnownProgram, Letters, Ways};
use leitai_protocols::{CECP, UCCI, UCI};

/// The programs with known notations.
pub(super) const KNOWN: [KnownProgram; 5] = [
    KnownProgram {
        options: &[("UCI_Variant", "xiangqi"), ("Use NNUE", "false")],
        ..KnownProgram::new(
            "fairy-stockfish",
            Ways {
                rank_base: 1,
                ..Ways::of(UCI)
            },
        )
    },
    // `HoiXiangqi` of the package `HoiChess`.
    KnownProgram {
        usermove: true,
        // `new` does not clear everything: the same search finds another move after it.
        restart: true,
        ..KnownProgram::new(
            "hoixiangqi",
            Ways {
                letters: Letters::Eh,
                fen_fields: 4,
                ..Ways::of(CECP)
            },
        )
    },
    KnownProgram {
        options: &[("usebook", "false")],
        node_margin: 20_000,
        ..KnownProgram::new("elephanteye", Ways::of(UCCI))
    },
    KnownProgram::new("pikafish", Ways::of(UCI)),
    KnownProgram {
        // By default it claims draws and randomizes its moves.
        options: &[
            ("Claim repetitions", "0"),
            ("Random amplitude (0 to disable)", "0"),
            ("Randomise opening moves", "0"),
        ],
        ..KnownProgram::new(
            "sjaakii",
            Ways {
                letters: Letters::Eh,
                ..Ways::of(CECP)
            },
        )
    },
];

/// A FEN in the notation of a program.
pub(super) fn fen_for(ways: &Ways, fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let board: String = board.chars().map(|it| letter(ways.letters, it)).collect();
    let rest = fields.filter(|&field| ways.fen_fields == 6 || field != "-");
    std::iter::once(board.as_str())
        .chain(rest)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Replaces the clock of a FEN by 0 if it is at `limit` plies or beyond; `None` if it is below or
/// missing.
pub(super) fn with_clock_in_range(fen: &str, limit: u16) -> Option<String> {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    // After the board and the side.
    let clock = fields.iter_mut().skip(2).find(|field| **field != "-")?;
    let digits = clock.strip_prefix('+').unwrap_or(clock);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large for the type is beyond the limit too.
    if !is_number || digits.parse().is_ok_and(|plies: u16| plies < limit) {
        return None;
    }
    *clock = "0";
    Some(fields.join(" "))
}

/// A letter of a board in the given set of letters.
fn letter(letters: Letters, letter: char) -> char {
    match (letters, letter) {
        (Letters::Eh, 'B') => 'E',
        (Letters::Eh, 'b') => 'e',
        (Letters::Eh, 'N') => 'H',
        (Letters::Eh, 'n') => 'h',
        _ => letter,
    }
}

/// The move with ranks counted from `to` instead of `from`.
pub(super) fn shifted(text: &str, from: u8, to: u8) -> Option<String> {
    let (start, rest) = square(text, from)?;
    let (end, rest) = square(rest, from)?;
    let one = |(file, rank): (char, u8)| format!("{file}{}", rank + to);
    rest.is_empty().then(|| one(start) + &one(end))
}

/// The square at the beginning of the text, with its rank from 0 to 9, and the rest.
fn square(text: &str, base: u8) -> Option<((char, u8), &str)> {
    let mut letters = text.chars();
    let file = letters.next().filter(|file| ('a'..='i').contains(file))?;
    let digits = letters.as_str();
    let length = digits.len()
        - digits
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    let (number, rest) = digits.split_at(length);
    let canonical = !number.starts_with('0') || number == "0";
    let rank: u8 = number.parse().ok().filter(|_| canonical)?;
    let rank = rank.checked_sub(base).filter(|rank| *rank <= 9)?;
    Some(((file, rank), rest))
}

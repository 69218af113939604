//! Programs that play Xiangqi, and how they write moves and positions.
//!
//! Leitai writes moves as `h2e2` (files a to i, ranks 0 to 9) and FENs with the letters `B`
//! and `N` in six fields.

use leitai_game::card::{KnownProgram, Letters, Protocol, Ways};

/// Those whose ways are known.
pub(super) const KNOWN: [KnownProgram; 5] = [
    KnownProgram {
        options: &[("UCI_Variant", "xiangqi"), ("Use NNUE", "false")],
        ..KnownProgram::new(
            "fairy-stockfish",
            Ways {
                rank_base: 1,
                ..Ways::of(Protocol::Uci)
            },
        )
    },
    // `HoiXiangqi` of the package `HoiChess`.
    KnownProgram {
        usermove: true,
        // `new` leaves traces: the same search finds another move after it.
        restart: true,
        ..KnownProgram::new(
            "hoixiangqi",
            Ways {
                letters: Letters::Eh,
                fen_fields: 4,
                ..Ways::of(Protocol::Cecp)
            },
        )
    },
    KnownProgram {
        options: &[("usebook", "false")],
        node_margin: 20_000,
        ..KnownProgram::new("elephanteye", Ways::of(Protocol::Ucci))
    },
    KnownProgram::new("pikafish", Ways::of(Protocol::Uci)),
    KnownProgram {
        // It claims draws, and draws lots, unless it is told not to.
        options: &[
            ("Claim repetitions", "0"),
            ("Random amplitude (0 to disable)", "0"),
            ("Randomise opening moves", "0"),
        ],
        ..KnownProgram::new(
            "sjaakii",
            Ways {
                letters: Letters::Eh,
                ..Ways::of(Protocol::Cecp)
            },
        )
    },
];

/// A FEN as a program reads it.
pub(super) fn fen_for(ways: Ways, fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let board: String = board.chars().map(|it| letter(ways.letters, it)).collect();
    let rest = fields.filter(|&field| ways.fen_fields == 6 || field != "-");
    std::iter::once(board.as_str())
        .chain(rest)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A FEN whose clock stands at `limit` plies or beyond, with 0 in its place; `None` if the
/// clock stands below, or is none.
pub(super) fn with_clock_in_range(fen: &str, limit: u16) -> Option<String> {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    // After the board and the side.
    let clock = fields.iter_mut().skip(2).find(|field| **field != "-")?;
    let digits = clock.strip_prefix('+').unwrap_or(clock);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // One that is too large is beyond, too.
    if !is_number || digits.parse().is_ok_and(|plies: u16| plies < limit) {
        return None;
    }
    *clock = "0";
    Some(fields.join(" "))
}

/// A letter of a board in the letters of that school.
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

/// The square at the beginning of the text, its rank from 0 to 9, and what
/// follows.
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

//! Moves in USI (`7g7f`, `8h2b+`, `P*5e`) and in Japanese (`７六歩(77)`, `５五歩打`).

use leitai_game::{Move, MoveError};

use super::board::Shogi;
use super::generate::Each;
use super::moves::{self, Parts, unpack};
use super::piece::Kind;
use super::square::Square;

/// Ranks in Japanese, from the top.
pub(crate) const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Files in Japanese, from Black's right.
pub(crate) const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// Names of kinds in records, each with its other spellings behind it.
pub(crate) const NAMES: [(Kind, &[&str]); 14] = [
    (Kind::Pawn, &["歩", "歩兵"]),
    (Kind::Lance, &["香", "香車"]),
    (Kind::Knight, &["桂", "桂馬"]),
    (Kind::Silver, &["銀", "銀将"]),
    (Kind::Gold, &["金", "金将"]),
    (Kind::Bishop, &["角", "角行"]),
    (Kind::Rook, &["飛", "飛車"]),
    (Kind::King, &["玉", "王", "王将", "玉将"]),
    (Kind::Tokin, &["と", "と金"]),
    (Kind::ProLance, &["成香", "杏"]),
    (Kind::ProKnight, &["成桂", "圭"]),
    (Kind::ProSilver, &["成銀", "全"]),
    (Kind::Horse, &["馬", "竜馬", "龍馬"]),
    (Kind::Dragon, &["龍", "竜", "龍王", "竜王"]),
];

/// Names of kinds in CSA, by [`Kind::ALL`].
pub(crate) const CSA_NAMES: [&str; 14] = [
    "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY",
];

/// The name of a kind in records.
pub(crate) fn name(kind: Kind) -> &'static str {
    let mut names = NAMES.iter();
    names
        .find(|(other, _)| *other == kind)
        .map_or("", |(_, names)| names[0])
}

/// A square in USI: the file and the rank as a letter.
pub(crate) fn square_text(square: Square) -> String {
    let rank = char::from(b'a' + square.rank() as u8);
    format!("{}{rank}", square.file() + 1)
}

/// A square in Japanese.
#[cfg(any(test, feature = "interchange"))]
pub(crate) fn japanese_square(square: Square) -> String {
    format!("{}{}", FILES[square.file()], RANKS[square.rank()])
}

/// A move in USI.
pub(crate) fn usi(mv: Move) -> String {
    match unpack(mv) {
        None => "0000".to_owned(),
        Some(Parts::Drop { kind, to }) => format!("{}*{}", kind.letter(), square_text(to)),
        Some(Parts::Step { from, to, promotes }) => {
            let sign = if promotes { "+" } else { "" };
            square_text(from) + &square_text(to) + sign
        }
    }
}

/// A move in the Japanese of KIF: the target, the piece, the promotion, and the origin.
#[cfg(any(test, feature = "interchange"))]
pub(crate) fn japanese(position: &Shogi, mv: Move) -> String {
    match unpack(mv) {
        None => String::new(),
        Some(Parts::Drop { kind, to }) => format!("{}{}打", japanese_square(to), name(kind)),
        Some(Parts::Step { from, to, promotes }) => {
            let kind = position.piece_on(from).map_or("", |piece| name(piece.kind));
            let promotion = if promotes { "成" } else { "" };
            let (file, rank) = (from.file() + 1, from.rank() + 1);
            format!("{}{kind}{promotion}({file}{rank})", japanese_square(to))
        }
    }
}

/// Reads a legal move in USI or Japanese.
pub(crate) fn parse(position: &Shogi, text: &str) -> Result<Move, MoveError> {
    let mv = read_usi(text)
        .or_else(|| read_japanese(position, text))
        .or_else(|| read_csa(position, text));
    let mv = mv.ok_or_else(|| MoveError::Syntax(text.into()))?;
    if position.allows(mv) {
        Ok(mv)
    } else {
        Err(MoveError::Illegal(text.into()))
    }
}

fn read_square(file: char, rank: char) -> Option<Square> {
    let digit = |letter: char, first: char| {
        let place = (letter as u32).checked_sub(first as u32)? as usize;
        (place < 9).then_some(place)
    };
    Some(Square::new(digit(file, '1')?, digit(rank, 'a')?))
}

fn read_usi(text: &str) -> Option<Move> {
    let letters: Vec<char> = text.chars().take(6).collect();
    match letters[..] {
        [kind, '*', file, rank] if kind.is_ascii_uppercase() => {
            let kind = Kind::from_letter(kind).filter(|kind| *kind != Kind::King)?;
            Some(moves::drop(kind, read_square(file, rank)?))
        }
        [one, two, file, rank] => {
            let from = read_square(one, two)?;
            Some(moves::step(from, read_square(file, rank)?, false))
        }
        [one, two, file, rank, '+'] => {
            let from = read_square(one, two)?;
            Some(moves::step(from, read_square(file, rank)?, true))
        }
        _ => None,
    }
}

/// The kind with a name of CSA.
pub(crate) fn csa_kind(name: &str) -> Option<Kind> {
    let place = CSA_NAMES.iter().position(|it| *it == name)?;
    Some(Kind::ALL[place])
}

/// A square in two digits, its file and its rank.
pub(crate) fn square_of_digits(text: &str) -> Option<Square> {
    let mut digits = text.chars().map(|it| it.to_digit(10)?.checked_sub(1));
    let (file, rank) = (digits.next()??, digits.next()??);
    let is_all = digits.next().is_none();
    is_all.then(|| Square::new(file as usize, rank as usize))
}

/// Reads a move in CSA: `+7776FU`, with the piece after the move.
fn read_csa(position: &Shogi, text: &str) -> Option<Move> {
    let word = text.trim_start_matches(['+', '-']);
    let (squares, name) = word.split_at_checked(4)?;
    let kind = csa_kind(name)?;
    let (from, to) = squares.split_at(2);
    let to = square_of_digits(to)?;
    if from == "00" {
        return Kind::IN_HAND.contains(&kind).then(|| moves::drop(kind, to));
    }
    let from = square_of_digits(from)?;
    let moved = position.piece_on(from)?.kind;
    let promotes = moved != kind;
    (!promotes || moved.promoted() == Some(kind)).then(|| moves::step(from, to, promotes))
}

/// The digit of a file or rank in any script, from 0.
fn digit(letter: char) -> Option<usize> {
    let ascii = letter.to_digit(10).and_then(|it| it.checked_sub(1));
    let of = |list: &[char; 9]| list.iter().position(|it| *it == letter);
    ascii
        .map(|it| it as usize)
        .or_else(|| of(&FILES))
        .or_else(|| of(&RANKS))
}

/// Reads a move in the Japanese of KIF, with its target.
pub(crate) fn read_japanese(position: &Shogi, text: &str) -> Option<Move> {
    let text = text.trim_start_matches(['▲', '△', '☗', '☖', '▼', '▽']);
    let mut letters = text.chars();
    let file = digit(letters.next()?)?;
    let to = Square::new(file, digit(letters.next()?)?);
    read_to(position, to, letters.as_str())
}

/// Reads the piece, the promotion and the origin of a move to a square.
pub(crate) fn read_to(position: &Shogi, to: Square, text: &str) -> Option<Move> {
    let spellings = NAMES
        .iter()
        .flat_map(|(kind, names)| names.iter().map(move |name| (*kind, *name)));
    let fitting = spellings.filter(|(_, name)| text.starts_with(name));
    let (kind, name) = fitting.max_by_key(|(_, name)| name.len())?;
    let rest = &text[name.len()..];
    if rest == "打" {
        return Some(moves::drop(kind, to));
    }
    let (promotes, rest) = match rest.strip_prefix("不成") {
        Some(rest) => (false, rest),
        None => match rest.strip_prefix('成') {
            Some(rest) => (true, rest),
            None => (false, rest),
        },
    };
    if let Some(origin) = rest.strip_prefix(['(', '（']) {
        let mut digits = origin.trim_end_matches([')', '）']).chars().map(digit);
        let from = Square::new(digits.next()??, digits.next()??);
        let piece = position.piece_on(from)?;
        let is_it = piece.kind == kind && piece.side == position.turn() && digits.next().is_none();
        return is_it.then(|| moves::step(from, to, promotes));
    }
    // Without an origin, the only move that fits; a drop if no piece can move there.
    let mut found = Vec::new();
    position.generate(
        to.bit(),
        &mut Each(|mv| {
            let fits = match unpack(mv) {
                Some(Parts::Step {
                    from, promotes: it, ..
                }) => it == promotes && position.piece_on(from).is_some_and(|it| it.kind == kind),
                _ => false,
            };
            if fits {
                found.push(mv);
            }
        }),
    );
    match (found[..].first(), rest.is_empty()) {
        (Some(&mv), true) if found.len() == 1 => Some(mv),
        (None, true) if !promotes => Some(moves::drop(kind, to)),
        _ => None,
    }
}

impl Shogi {
    /// Returns whether a move is legal.
    pub(crate) fn allows(&self, mv: Move) -> bool {
        let Some(to) = moves::target(mv) else {
            return false;
        };
        let mut is_found = false;
        self.generate(to.bit(), &mut Each(|other| is_found |= other == mv));
        is_found
    }
}

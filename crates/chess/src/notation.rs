//! Moves as text: coordinates (UCI) and the short algebraic notation of PGN (SAN).

use cozy_chess::{
    BitBoard, File, Move as CozyMove, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves, util,
};

use super::board::Chess;
use super::moves::{Parts, pack, promoted, unpack};
use leitai_game::{Move, MoveError, Position};

/// Reads a move in coordinates or SAN, in the variants used by programs and files.
pub(super) fn parse(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let mut fitting = fitting(position, text).ok_or_else(|| MoveError::Syntax(text.into()))?;
    match (fitting.pop(), fitting.is_empty()) {
        (None, _) => Err(MoveError::Illegal(text.into())),
        (Some(mv), true) => Ok(mv),
        (Some(_), false) => Err(MoveError::Ambiguous(text.into())),
    }
}

/// The legal moves that match a text; `None` if it is a move in no notation.
pub(super) fn fitting(position: &Chess, text: &str) -> Option<Vec<Move>> {
    if let Some((from, to, promotion)) = coordinates(text) {
        let own = position.board.colors(position.board.side_to_move());
        let mv = |to, promotion| {
            let moved = CozyMove {
                from,
                to,
                promotion,
            };
            Some(pack(moved, own.has(to))).filter(|&mv| position.is_legal(mv))
        };
        let castled = || mv(position.castling_rook(from, to)?, None);
        let found = mv(to, promotion).or_else(|| castled().filter(|_| promotion.is_none()));
        return Some(Vec::from_iter(found));
    }
    Some(San::read(text)?.moves(position))
}

/// Reads `e2e4`, `e7e8q` or `e2-e4`.
fn coordinates(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let (from, rest) = square(text)?;
    let (to, rest) = square(rest.strip_prefix('-').unwrap_or(rest))?;
    let rest = rest.strip_prefix('=').unwrap_or(rest);
    let mut letters = rest.chars();
    let promotion = match (letters.next(), letters.next()) {
        (None, _) => None,
        (Some(letter), None) => Some(promoted(letter.to_ascii_lowercase())?),
        _ => return None,
    };
    Some((from, to, promotion))
}

fn square(text: &str) -> Option<(Square, &str)> {
    let (name, rest) = text.split_at_checked(2)?;
    Some((name.parse().ok()?, rest))
}

/// A word of SAN with its given parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum San {
    Castling {
        short: bool,
    },
    Plain {
        piece: Piece,
        file: Option<File>,
        rank: Option<Rank>,
        takes: bool,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl San {
    /// Reads words such as `Nbd7`, `exd5`, `O-O`, `0-0-0`, `e8=Q+`, `e8Q`, `e8(Q)`, `e8/Q`, `Ng1-f3`,
    /// `exd6e.p.` and `exd6ep`.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let passing = ["e.p.", "ep"].iter().find_map(|end| text.strip_suffix(end));
        let text = passing.unwrap_or(text);
        let text = text.strip_suffix(')').unwrap_or(text);
        match text {
            "O-O" | "0-0" | "o-o" => return Some(San::Castling { short: true }),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(San::Castling { short: false }),
            _ => {}
        }
        let first = text.chars().next()?;
        let piece = match first {
            'P' => Some(Piece::Pawn),
            'K' => Some(Piece::King),
            other => promoted(other.to_ascii_lowercase()).filter(|_| other.is_ascii_uppercase()),
        };
        let rest = if piece.is_some() { &text[1..] } else { text };
        let (rest, promotion) = match rest.chars().next_back() {
            Some(letter @ ('N' | 'B' | 'R' | 'Q' | 'n' | 'b' | 'r' | 'q')) => {
                let rest = &rest[..rest.len() - 1];
                let rest = rest.strip_suffix(['=', '/', '(']).unwrap_or(rest);
                (rest, Some(promoted(letter.to_ascii_lowercase())?))
            }
            _ => (rest, None),
        };
        let (before, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = to.parse().ok()?;
        let (before, takes) = match before.strip_suffix(['x', ':']) {
            Some(before) => (before, true),
            None => (before.strip_suffix('-').unwrap_or(before), false),
        };
        let mut letters = before.chars().peekable();
        let file = letters.next_if(|it| ('a'..='h').contains(it));
        let rank = letters.next_if(|it| ('1'..='8').contains(it));
        if letters.next().is_some() {
            return None;
        }
        Some(San::Plain {
            piece: piece.unwrap_or(Piece::Pawn),
            file: file.and_then(|it| it.try_into().ok()),
            rank: rank.and_then(|it| it.try_into().ok()),
            takes,
            to,
            promotion,
        })
    }

    /// The legal moves that fit.
    fn moves(self, position: &Chess) -> Vec<Move> {
        let board = &position.board;
        let own = board.colors(board.side_to_move());
        let mut fitting = Vec::new();
        let mut add = |moved: CozyMove| {
            let castles = own.has(moved.to);
            let parts = Parts {
                from: moved.from,
                to: moved.to,
                promotion: moved.promotion,
                castles,
            };
            if self.fits(position, parts) {
                fitting.push(pack(moved, castles));
            }
        };
        let movers = match self {
            San::Castling { .. } => own & board.pieces(Piece::King),
            San::Plain {
                piece,
                file,
                rank,
                to,
                ..
            } => {
                let pieces = own & board.pieces(piece);
                let pieces = file.map_or(pieces, |file| pieces & file.bitboard());
                let pieces = rank.map_or(pieces, |rank| pieces & rank.bitboard());
                pieces & reaching(piece, to, board.occupied())
            }
        };
        board.generate_moves_for(movers, |moves| {
            moves.into_iter().for_each(&mut add);
            false
        });
        fitting
    }

    fn fits(self, position: &Chess, parts: Parts) -> bool {
        match self {
            San::Castling { short } => parts.castles && parts.is_short() == short,
            San::Plain {
                takes,
                to,
                promotion,
                ..
            } => {
                !parts.castles
                    && (parts.to, parts.promotion) == (to, promotion)
                    && (!takes || position.takes(parts))
            }
        }
    }
}

/// The squares from which a piece may reach a square; all for a pawn.
fn reaching(piece: Piece, to: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => BitBoard::FULL,
        Piece::Knight => get_knight_moves(to),
        Piece::Bishop => get_bishop_moves(to, occupied),
        Piece::Rook => get_rook_moves(to, occupied),
        Piece::Queen => get_bishop_moves(to, occupied) | get_rook_moves(to, occupied),
        Piece::King => get_king_moves(to),
    }
}

/// A legal move in SAN.
pub(super) fn san(position: &Chess, mv: Move) -> String {
    let parts = unpack(mv).filter(|_| position.is_legal(mv));
    parts.map_or_else(
        || Chess::move_text(mv),
        |parts| util::display_san_move(&position.board, parts.cozy()).to_string(),
    )
}

/// A legal move in the long algebraic notation: SAN with the square of origin, as in `Ng1f3` or
/// `e4xd5`.
pub(super) fn lan(position: &Chess, mv: Move) -> String {
    let san = san(position, mv);
    let Some(moved) = unpack(mv).map(Parts::cozy) else {
        return san;
    };
    let Some(place) = san.rfind(&moved.to.to_string()) else {
        // Castling.
        return san;
    };
    let (before, rest) = san.split_at(place);
    let piece = before.chars().next().filter(char::is_ascii_uppercase);
    let takes = if before.ends_with('x') { "x" } else { "" };
    let piece = piece.map(String::from).unwrap_or_default();
    format!("{piece}{}{takes}{rest}", moved.from)
}

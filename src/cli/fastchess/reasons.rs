//! Reasons for the end of a game, in the words of fastchess.

use crate::cli::prelude::*;
use crate::game::{Cause, Side};
use crate::play::Evidence;
use crate::player::{PvFault, PvWarning};

/// The reason for the end of a game that `winner` won, or that was drawn; `late` is the loser's
/// delay in microseconds, absent without an answer.
///
/// The words are those of `match.hpp`; scripts look for `disconnect`, `stalls`, `on time` and
/// `illegal` in them.
pub(super) fn reason(cause: Cause, winner: Option<Side>, late: Option<u32>) -> String {
    let name = |side: Side| ["White", "Black"][side.index()];
    let (won, lost) = match winner {
        Some(winner) => (name(winner), name(winner.other())),
        None => ("", ""),
    };
    match cause {
        Cause::Checkmate => format!("{won} mates"),
        Cause::Stalemate => "Draw by stalemate".to_owned(),
        Cause::InsufficientMaterial | Cause::Material => {
            "Draw by insufficient mating material".to_owned()
        }
        Cause::FiftyMoves | Cause::SeventyFiveMoves | Cause::MoveLimit => {
            "Draw by fifty moves rule".to_owned()
        }
        Cause::ThreefoldRepetition | Cause::FivefoldRepetition | Cause::Repetition => {
            "Draw by 3-fold repetition".to_owned()
        }
        Cause::ResignAdjudication => format!("{won} wins by adjudication"),
        Cause::DrawAdjudication | Cause::LengthAdjudication => "Draw by adjudication".to_owned(),
        Cause::TablebaseAdjudication if winner.is_some() => {
            format!("{won} wins by adjudication: SyzygyTB")
        }
        Cause::TablebaseAdjudication => "Draw by adjudication: SyzygyTB".to_owned(),
        // Time forfeit against insufficient material.
        Cause::TimeForfeit if winner.is_none() => "Draw by insufficient mating material".to_owned(),
        Cause::TimeForfeit => match late {
            Some(micros) => {
                format!(
                    "{lost} loses on time ({}ms overrun)",
                    micros.div_ceil(1_000)
                )
            }
            None => format!("{lost} loses on time (no bestmove within the limit)"),
        },
        // Fastchess counts malformed answers as illegal moves.
        Cause::IllegalMove | Cause::MalformedOutput => format!("{lost} makes an illegal move"),
        Cause::Crash | Cause::Disconnect => format!("{lost} disconnects"),
        Cause::Stall => format!("{lost}'s connection stalls"),
        Cause::Resignation => format!("{lost} resigns"),
        Cause::NodeOverrun => format!("{lost} searches more nodes than its limit"),
        Cause::PerpetualCheck
        | Cause::PerpetualChase
        | Cause::Counted
        | Cause::Goal
        | Cause::BoardFull
        | Cause::Captured
        | Cause::Escaped
        | Cause::Alive
        | Cause::NodeCount
        | Cause::Pause => cause.name().to_owned(),
    }
}

/// The fault of a player's line of play, in the words of `match.cpp`, on one line in a test
/// environment. fishtest's `games.py` looks for its first words.
pub(super) fn warning(warning: &PvWarning, name: &str, in_one: bool) -> String {
    let word = match warning.word.as_str() {
        "" => "<none>",
        word => word,
    };
    let what = match warning.kind {
        PvFault::IllegalMove => "Illegal PV move",
        PvFault::BeyondTheEnd => match warning.cause {
            Some(Cause::Checkmate) => "PV continues after checkmate",
            Some(Cause::Stalemate) => "PV continues after stalemate",
            Some(Cause::ThreefoldRepetition | Cause::FivefoldRepetition) => {
                "PV continues after threefold repetition"
            }
            Some(Cause::FiftyMoves | Cause::SeventyFiveMoves) => {
                "PV continues after fifty-move rule"
            }
            _ => "Illegal PV move",
        },
        PvFault::OtherMove => "Bestmove does not match beginning of last PV",
        PvFault::ShortMate => "Incomplete mating PV",
        PvFault::LongMate => "Too long mating PV",
        PvFault::NoMate => "Mating PV does not end with checkmate",
    };
    let of_mate = matches!(
        warning.kind,
        PvFault::ShortMate | PvFault::LongMate | PvFault::NoMate
    );
    let first = if of_mate {
        format!("Warning; {what} - from {name}")
    } else {
        format!("Warning; {what} - move {word} from {name}")
    };
    let line = format!("Info; {}", warning.line);
    let position = format!("Position; fen {}", warning.position);
    let parts = [first.as_str(), &line, &position, "Moves; "];
    let between = if in_one { " :: " } else { "\n" };
    format!("{}\n", in_ascii(&parts.join(between)))
}

/// The text in ASCII, for clients that expect nothing else.
fn in_ascii(text: &str) -> String {
    let letters = text.chars();
    letters
        .map(|it| if it.is_ascii() { it } else { '?' })
        .collect()
}

/// A line that reports a loss by an illegal move, with the answer, on one line in a test
/// environment. fishtest's `games.py` ends its work at the beginning of such a line.
pub(super) fn illegal_move(name: &str, evidence: Option<&Evidence>, in_one: bool) -> String {
    let answer = evidence.and_then(|it| it.symptoms.answer.as_deref());
    let mut words = answer.unwrap_or_default().split_whitespace();
    let mv = words.nth(1).unwrap_or("<none>");
    let mut text = format!("Warning; Illegal move {} played by {name}", shown(mv));
    let between = if in_one { " :: " } else { "\n" };
    if let (Some(answer), Some(evidence)) = (answer, evidence) {
        let position = shown(&evidence.position);
        let _ = write!(
            text,
            "{between}Info; {}{between}Position; fen {position}",
            shown(answer)
        );
    }
    in_ascii(&text) + "\n"
}

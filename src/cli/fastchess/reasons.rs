//! Reasons for the end of a game, in the words of fastchess and cutechess.

use super::table::Dialect;
use crate::cli::prelude::*;
use leitai_base::foreign::on_terminal;
use leitai_game::eval::{Score, mate_plies};
use leitai_game::{Cause, Side};
use leitai_players::play::{Evidence, GameRecord, Ply};
use leitai_players::player::{Awaited, PvFault, PvWarning};

/// The reason for the end of a game that `winner` won, or that was drawn; `late` is the loser's
/// delay in microseconds, absent without an answer.
///
/// The words are those of `match.hpp`, or of `result.cpp` and `gameadjudicator.cpp` of cutechess;
/// scripts look for `disconnect`, `stalls`, `on time` and `illegal` in them.
pub(super) fn reason(
    cause: Cause,
    winner: Option<Side>,
    late: Option<u32>,
    dialect: Dialect,
) -> String {
    let is_cutechess = dialect == Dialect::Cutechess;
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
        Cause::LengthAdjudication if is_cutechess => {
            "Draw by adjudication: maximal game length".to_owned()
        }
        Cause::TimeForfeit if is_cutechess => match winner {
            Some(_) => format!("{lost} loses on time"),
            None => "Draw by timeout".to_owned(),
        },
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
        _ => cause.to_string(),
    }
}

/// The fault of a player's line of play, in the words of `match.cpp`, on one line in a test
/// environment. fishtest's `games.py` looks for its first words.
pub(super) fn warning(warning: &PvWarning, name: &str, in_one: bool) -> String {
    let word = match warning.word.as_str() {
        "" => "<none>",
        word => word,
    };
    let of_move = |what| format!("Warning; {what} - move {word} from {name}");
    let of_mate = |what| format!("Warning; {what} - from {name}");
    let first = match warning.kind {
        PvFault::BeyondTheEnd => of_move(match warning.cause {
            Some(Cause::Checkmate) => "PV continues after checkmate",
            Some(Cause::Stalemate) => "PV continues after stalemate",
            Some(Cause::ThreefoldRepetition | Cause::FivefoldRepetition) => {
                "PV continues after threefold repetition"
            }
            Some(Cause::FiftyMoves | Cause::SeventyFiveMoves) => {
                "PV continues after fifty-move rule"
            }
            _ => "Illegal PV move",
        }),
        PvFault::IllegalMove => of_move("Illegal PV move"),
        PvFault::OtherMove => of_move("Bestmove does not match beginning of last PV"),
        PvFault::ShortMate => of_mate("Incomplete mating PV"),
        PvFault::LongMate => of_mate("Too long mating PV"),
        PvFault::NoMate => of_mate("Mating PV does not end with checkmate"),
        PvFault::NoScore => {
            let text = "No info line available to extract score from engine";
            return in_ascii(&format!("Warning; {text} {name}")) + "\n";
        }
        PvFault::UnreadScore => {
            let text = format!("Warning; Could not extract score from engine {name}");
            return in_ascii(&format!("{text}: {}", shown(&warning.line))) + "\n";
        }
    };
    let line = format!("Info; {}", warning.line);
    let position = format!("Position; fen {}", warning.position);
    joined(&[first.as_str(), &line, &position, "Moves; "], in_one)
}

/// Lines of a warning, in one line in a test environment.
fn joined(parts: &[&str], in_one: bool) -> String {
    let between = if in_one { " :: " } else { "\n" };
    in_ascii(&parts.join(between)) + "\n"
}

/// The text in ASCII, for clients that expect nothing else.
fn in_ascii(text: &str) -> String {
    let text = on_terminal(text);
    let letters = text.chars();
    letters
        .map(|it| if it.is_ascii() { it } else { '?' })
        .collect()
}

/// A warning about an option that an engine lacks, or whose value it would not accept. `refused` is
/// the reason, and true if the value should be a number.
pub(super) fn skipped_option(
    name: &str,
    (option, value): (&str, &str),
    refused: Option<(&str, bool)>,
) -> String {
    let text = match refused {
        None => format!("Warning; {name} doesn't have option {option}"),
        Some((reason, true)) => format!(
            "Warning; Failed to set option {option} with value {value} for engine {name}: {reason}"
        ),
        Some((_, false)) => format!("Warning; Invalid value for option {option}; {value}"),
    };
    in_ascii(&shown(&text).to_string()) + "\n"
}

/// Warnings about the loss of a game by a failure, in the words of fastchess: no answer in time,
/// an answer without a move, or an illegal move, with its line and position.
///
/// fishtest's `games.py` ends its work at an illegal move, and reports the others.
pub(super) fn failure(
    name: &str,
    cause: Cause,
    evidence: Option<&Evidence>,
    in_one: bool,
) -> String {
    let awaited = evidence.and_then(|it| it.symptoms.awaited);
    match (cause, awaited) {
        (Cause::IllegalMove | Cause::MalformedOutput, _) => illegal_move(name, evidence, in_one),
        (Cause::Crash | Cause::Disconnect | Cause::Stall, Some(Awaited::Greeting)) => {
            in_ascii(&format!("Warning; Engine {name} didn't respond to uci.")) + "\n"
        }
        (Cause::Crash | Cause::Disconnect, Some(Awaited::Output)) => {
            in_ascii(&format!("Warning; No output from {name}")) + "\n"
        }
        (Cause::Crash | Cause::Disconnect, _) | (Cause::Stall, Some(Awaited::Pong)) => {
            in_ascii(&format!("Warning; Engine {name} is not responsive")) + "\n"
        }
        _ => String::new(),
    }
}

fn illegal_move(name: &str, evidence: Option<&Evidence>, in_one: bool) -> String {
    let answer = evidence.and_then(|it| it.symptoms.answer.as_deref());
    let mut text = String::new();
    let played = illegal(evidence);
    match (&played, answer) {
        (Some(mv), _) if !is_uci_move(mv) => drop(writeln!(
            text,
            "Warning; Move does not match uci move format, lowercase and 4/5 chars. Move {mv} \
             played by {name}"
        )),
        (None, Some(answer)) => drop(writeln!(
            text,
            "Warning; No bestmove found from {name} because: the line has no move. Last line was: \
             {}",
            shown(answer)
        )),
        _ => {}
    }
    let mv = played.unwrap_or_else(|| "<none>".to_owned());
    let first = format!("Warning; Illegal move {mv} played by {name}");
    let mut parts = vec![first];
    if let (Some(answer), Some(evidence)) = (answer, evidence) {
        parts.push(format!("Info; {}", shown(answer)));
        parts.push(format!("Position; fen {}", shown(&evidence.position)));
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    in_ascii(&text) + &joined(&parts, in_one)
}

/// The illegal move that lost a game, as the engine wrote it.
pub(super) fn illegal(evidence: Option<&Evidence>) -> Option<String> {
    let answer = evidence?.symptoms.answer.as_deref()?;
    let mv = answer.split_whitespace().nth(1)?;
    Some(shown(mv).to_string())
}

/// Returns whether a word has the form `e2e4` or `e7e8q`.
fn is_uci_move(word: &str) -> bool {
    let is_square = |at: usize| {
        let square = word.as_bytes().get(at..at + 2);
        square.is_some_and(|it| (b'a'..=b'h').contains(&it[0]) && (b'1'..=b'8').contains(&it[1]))
    };
    let has_length = match word.len() {
        4 => true,
        5 => word.ends_with(['n', 'b', 'r', 'q']),
        _ => false,
    };
    has_length && is_square(0) && is_square(2)
}

/// Warns about the first two consecutive scores by which both players mate, or both are mated.
/// `names` are those of White and Black.
pub(super) fn sign_mismatch(game: &GameRecord, names: [&str; 2], start: Side) -> Option<String> {
    let mate = |ply: &Ply| {
        let score = Score::from(ply.score?);
        let moves = mate_plies(score)?.div_ceil(2);
        let moves = i64::from(moves);
        (moves > 0).then(|| if score > 0 { moves } else { -moves })
    };
    let mut both = game.plies.windows(2).enumerate();
    both.find_map(|(place, plies)| {
        let [theirs, ours] = [mate(&plies[0])?, mate(&plies[1])?];
        (theirs.signum() == ours.signum()).then_some(())?;
        // The mover of the first of the two plies.
        let them = if place % 2 == 0 { start } else { start.other() };
        let name = |side: Side| {
            let colour = ["White", "Black"][side.index()];
            format!("{} ({colour})", names[side.index()])
        };
        let text = format!(
            "Warning; Sign mismatch in mate scores {theirs} and {ours} from {} and {}",
            name(them),
            name(them.other())
        );
        Some(in_ascii(&text) + "\n")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_four_or_five_letters() {
        for (word, is_move) in [
            ("e2e4", true),
            ("e7e8q", true),
            ("E2E4", false),
            ("e7e8k", false),
            ("e2-e4", false),
            ("(none)", false),
            ("i2i4", false),
            ("", false),
            ("é2e4", false),
        ] {
            assert_eq!(is_uci_move(word), is_move, "{word}");
        }
    }
}

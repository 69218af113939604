//! Games in the forms of Othello: GGF, transcripts, WTHOR and SGF.

use std::fmt::Write as _;

use crate::forms::FORMATS;
use crate::ggf::{GgfReader, TAGS};
use crate::sgf::SgfReader;
use crate::wthor::WthorReader;
use crate::{Othello, PASS, Transcript, TranscriptReader, write_transcript};
use leitai_game::card::{typed, typed_line};
use leitai_game::{Line, Move, Position, Side};
use leitai_interchange::pgn::Game;
use leitai_interchange::{OpenReader, OwnFormat, WriteGame, shown};

/// The readers and writers of the formats.
pub const OWN_FORMATS: [OwnFormat; 4] = [
    OwnFormat {
        form: &FORMATS[0],
        reader: OpenReader::Text(|lines| Box::new(GgfReader::new(lines))),
        write: Some(WriteGame::Played(ggf)),
        between: "",
    },
    OwnFormat {
        form: &FORMATS[1],
        reader: OpenReader::Text(|lines| Box::new(TranscriptReader::new(lines))),
        write: Some(WriteGame::Played(transcript)),
        between: "",
    },
    OwnFormat {
        form: &FORMATS[2],
        reader: OpenReader::Bytes(|bytes| Box::new(WthorReader::new(bytes))),
        write: None,
        between: "",
    },
    OwnFormat {
        form: &FORMATS[3],
        reader: OpenReader::Bytes(|bytes| Box::new(SgfReader::new(bytes))),
        write: None,
        between: "",
    },
];

/// The prefix of the tags of properties of GGF without a tag of their own.
pub(crate) const OTHER: &str = "GGF";

/// Ply, problem and help.
pub(crate) type IllegalPly = (usize, String, String);

/// Plays a move of `side` such as `F5/eval/time`, after a pass if the move implies one; `left` is
/// the number of moves to come, this one included.
pub(crate) fn play_after_pass(
    game: &mut Game,
    side: Side,
    value: &str,
    left: usize,
) -> Result<(), IllegalPly> {
    let text = value.split('/').next().unwrap_or_default().trim();
    let over = game.play.position().count_legal_moves() == 0;
    if !over && game.play.position().side_to_move() != side {
        let position = game.play.position();
        if !position.is_legal(PASS) {
            let name = |side: Side| Othello::SIDE_NAMES[side.index()];
            let problem = format!(
                "`{}` is a move of {}, and {} is to move",
                shown(text),
                name(side),
                name(side.other())
            );
            return Err((game.play.len() + 1, problem, position.suggest_moves(text)));
        }
        game.play(PASS);
    }
    let position = game.play.position();
    let Transcript { line, error, .. } =
        Transcript::read(typed(position).unwrap_or(&Othello::initial()), text);
    let ply = game.play.len() + 1;
    let problem = if over {
        let moves = if left == 1 { "move is" } else { "moves are" };
        Some(format!(
            "the game ended with ply {}, and {left} {moves} left over: `{}`",
            ply - 1,
            shown(text)
        ))
    } else if let Some(error) = error {
        Some(shown(&error.problem()))
    } else {
        (line.len() != 1).then(|| format!("`{}` is not one move", shown(text)))
    };
    if let Some(problem) = problem {
        return Err((ply, problem, position.suggest_moves(text)));
    }
    for mv in line.moves() {
        game.play(mv);
    }
    Ok(())
}

/// The game in GGF, without a line end; `None` if it is another game.
pub fn ggf(game: &Game) -> Option<String> {
    let line = typed_line::<Othello>(&*game.play)?;
    Some(write_ggf(game, line))
}

/// The moves in one word, without passes; `None` if it is another game. If the game does not begin
/// at the usual start, moves that lead to its beginning come first, which other programs can read;
/// or the board and the side if no such moves are found.
pub fn transcript(game: &Game) -> Option<String> {
    let play = typed_line::<Othello>(&*game.play)?;
    let start = play.start();
    let moves = write_transcript(play);
    if *start == Othello::initial() {
        return Some(moves);
    }
    let Some(before) = moves_to(start) else {
        return Some(format!("{} {moves}", start.to_fen()).trim_end().to_owned());
    };
    let mut line = Line::new(Othello::initial());
    for mv in before.into_iter().chain(play.moves()) {
        line.play(mv);
    }
    Some(write_transcript(&line))
}

/// Moves from the usual start to an opening; the search for later positions would take too long.
fn moves_to(start: &Othello) -> Option<Vec<Move>> {
    /// At most 16 plies.
    const MIN_EMPTIES: u32 = 44;
    (start.empties() >= MIN_EMPTIES)
        .then(|| start.moves_from_initial())
        .flatten()
}

fn write_ggf(game: &Game, play: &Line<Othello>) -> String {
    let mut text = String::from("(;GM[Othello]");
    let tag = |name: &str| game.tags.known(name);
    let mut write = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{name}[{}]", plain(value));
    };
    let day = tag("Date").filter(|day| !day.starts_with('?'));
    if let Some(day) = day {
        let time = tag("Time").map(|time| format!("_{time}"));
        write("DT", &format!("{day}{}", time.unwrap_or_default()));
    }
    for (name, tag_name) in TAGS {
        match name {
            "RE" => write(name, &result(game)),
            "TY" => write(name, tag(tag_name).unwrap_or("8")),
            // Every game has these properties.
            "PC" | "PB" | "PW" => write(name, tag(tag_name).unwrap_or("?")),
            _ => {
                if let Some(value) = tag(tag_name) {
                    write(name, value);
                }
            }
        }
    }
    for (name, value) in game.tags.iter() {
        let own = name.strip_prefix(OTHER).unwrap_or_default();
        if !own.is_empty() && own.bytes().all(|it| it.is_ascii_uppercase()) {
            write(own, value);
        }
    }
    write("BO", &board(play.start()));
    let mut side = play.start().side_to_move();
    for mv in play.moves() {
        let moved = if mv == PASS {
            "PA".to_owned()
        } else {
            Othello::move_text(mv).to_uppercase()
        };
        write(colour(side), &moved);
        side = side.other();
    }
    text.push_str(";)");
    text
}

/// A value without brackets or line ends.
fn plain(value: &str) -> String {
    let letter = |letter: char| match letter {
        '[' => '(',
        ']' => ')',
        _ if letter.is_control() => ' ',
        _ => letter,
    };
    value.chars().map(letter).collect()
}

const fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

fn board(start: &Othello) -> String {
    let fen = start.to_fen().replace('X', "*");
    let (squares, side) = fen.split_at_checked(64).unwrap_or((&fen, ""));
    let rows: Vec<&str> = (0..8)
        .filter_map(|row| squares.get(8 * row..8 * row + 8))
        .collect();
    format!("8 {}{side}", rows.join(" "))
}

/// The score for black if the game is over on the board and no other result is recorded; else the
/// recorded score, or all discs for the winner, with the letter of the format for the reason.
fn result(game: &Game) -> String {
    let margin = game.margin().filter(|_| game.agrees() != Some(false));
    if let Some(margin) = margin {
        return format!("{margin:+}.000");
    }
    if let Some(score) = game.tags.known("Score") {
        return score.to_owned();
    }
    let score = match game.points {
        None => return "?".to_owned(),
        Some(0) => "-64.000",
        Some(1) => "+0.000",
        Some(_) => "+64.000",
    };
    let flag = match game.tags.known("Termination") {
        Some("time-forfeit") => ":t",
        Some("draw-adjudication" | "length-adjudication") => ":s",
        Some(_) => ":r",
        None => "",
    };
    format!("{score}{flag}")
}
